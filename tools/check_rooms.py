#!/usr/bin/env python3
"""Checks that every file keeps to its room: who may include whom, which library belongs where, how big things get.

The tables below are the rules; ARCHITECTURE.md says why they exist. One line is printed per violation, as
`file:line: rule`, and the exit status is 1 if there is any. `--self-test` proves that each rule can fail.
"""

import argparse
import pathlib
import re
import sys
import tempfile

PUBLIC = "callcost"  # include/callcost: the library's public headers
LIBRARY_ROOMS = ("base", "model", "format", "assemble", "analyze", "places", "estimate", "check", "write", "rewrite", "diff", "c_api")
APP_ROOMS = ("input", "code", "render", "imports", "convert", "views", "answer", "cli", "valgrind", "transform", "compare", "baselines",
             "serve", "page", "facts", "commands")

# Whose headers a room may include, besides its own.
MAY_INCLUDE = {
    PUBLIC: (),
    "base": (),
    "model": (PUBLIC, "base"),
    "format": (PUBLIC, "base", "model"),
    "assemble": (PUBLIC, "base", "model", "format"),
    "analyze": (PUBLIC, "base", "model"),
    "places": (PUBLIC, "base", "model", "analyze"),
    "estimate": (PUBLIC, "base", "model", "analyze"),
    "check": (PUBLIC, "base", "model", "format", "analyze"),
    "write": (PUBLIC, "base", "model"),
    "rewrite": (PUBLIC, "base", "model", "analyze"),
    "diff": (PUBLIC, "base"),
    "c_api": (PUBLIC,),
    "input": (PUBLIC,),
    "code": (PUBLIC,),
    "render": (PUBLIC,),
    "imports": (PUBLIC,),
    "convert": (PUBLIC, "render"),
    "views": (PUBLIC, "code", "render"),
    "answer": (PUBLIC, "render"),
    "cli": (PUBLIC, "input", "code", "render", "imports"),
    "valgrind": (PUBLIC, "input", "code", "render", "cli"),
    "transform": (PUBLIC, "render", "imports", "convert", "views", "cli"),
    "compare": (PUBLIC, "input", "render", "convert", "cli", "transform"),
    "baselines": (PUBLIC, "input", "render", "convert", "views", "cli", "transform", "compare"),
    "serve": (PUBLIC, "convert"),
    "page": (PUBLIC, "input", "code", "render", "convert", "views", "answer", "cli", "transform", "serve"),
    "facts": (PUBLIC, "render", "views", "cli"),
    "commands": (PUBLIC, "input", "code", "render", "views", "cli", "valgrind", "transform", "compare", "baselines", "page", "facts"),
}

# Where a header from outside the project may be included: rooms, or single files. First match wins.
OUTSIDE_HEADERS = (
    (r"tl/expected\.hpp", (PUBLIC, *(room for room in LIBRARY_ROOMS if room != "base"))),
    (r"(stddef|stdint)\.h", ("callcost/callcost.h",)),  # it is C
    (r"CLI/.*", ("cli/option_reader.hpp",)),
    (r"fmt/.*", ("render", "convert", "views", "cli", "valgrind", "transform", "compare", "baselines", "serve", "page", "facts", "commands")),
    (r"rapidjson/.*", ("render", "imports", "convert", "answer")),
    (r"(arpa|netinet)/.*", ("serve",)),
    (r"protozero/.*", ("imports", "convert")),
    (r"utf8proc\.h", ("render",)),
    (r"link\.h", ("cli/build_id.cpp",)),
    (r"re2/.*", ("cli/patterns.cpp",)),
    (r"zlib\.h", ("input", "convert")),
    (r"(zstd|zstd_errors|lzma|bzlib)\.h", ("input",)),
    (r"(cxxabi|gelf)\.h", ("code",)),
    (r"(sys/.*|(fcntl|poll|pthread|sched|signal|spawn|termios|unistd)\.h)", ("input", "code", "cli", "serve", "page", "convert/svg.cpp", "transform/output_file.cpp")),
)

# The library prints nothing, opens nothing, depends on no locale and starts no thread: bytes in, values out.
NOT_IN_LIBRARY = set(
    "iostream istream ostream iomanip ios fstream sstream streambuf syncstream print cstdio locale clocale codecvt regex "
    "filesystem thread mutex shared_mutex condition_variable future semaphore latch barrier chrono ctime".split()
)

MAX_PUBLIC_HEADERS = 12  # callcost.hpp, which includes them all, and callcost.h, for other languages, not counted
MAX_ROOM_NOUNS = 14  # x.hpp and x.cpp are one noun; y_impl.hpp is a piece of one
MAX_FILE_LINES = 600
MAX_HEADER_LINES = 300
SIZED_TREES = ("include", "src", "tests/unit", "fuzz", "bench", "examples")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
STD_HEADER = re.compile(r"[a-z_0-9]+")  # no slash, no suffix
NO_NOUN = re.compile(r"(^|_)(utils?|helpers?|misc)(_|$)")
USING = re.compile(r"^[ \t]*(?:using [\w:]+::(\w+);|namespace (\w+) = )", re.M)


def cpp_files(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp", ".h") and p.is_file())


def check_include(place, room, header, quoted):
    """Yields the rules that `#include header` breaks in file `place` ("render/table.cpp") of `room`."""
    library = room == PUBLIC or room in LIBRARY_ROOMS
    owner = header.split("/")[0]
    if owner in MAY_INCLUDE and "/" in header:
        if owner != room and owner not in MAY_INCLUDE[room]:
            allowed = ", ".join(MAY_INCLUDE[room]) or "no other room"
            yield f"room '{room}' may not include {header} (it sees {allowed})"
        return
    for pattern, places in OUTSIDE_HEADERS:
        if re.fullmatch(pattern, header):
            if room not in places and place not in places:
                yield f"<{header}> belongs to {', '.join(places)}, not to '{place}'"
            return
    if quoted:
        yield f'"{header}": write the room first, as in "{room}/{header.split("/")[-1]}"'
    elif not STD_HEADER.fullmatch(header):
        yield f"<{header}> is in no room yet: give it one in OUTSIDE_HEADERS of tools/check_rooms.py"
    elif library and header in NOT_IN_LIBRARY:
        yield f"<{header}> is forbidden in the library (room '{room}')"


def check_includes(root):
    rooms = {room: root / "src" / room for room in MAY_INCLUDE if room != PUBLIC}
    rooms[PUBLIC] = root / "include" / PUBLIC
    for room, folder in rooms.items():
        for path in cpp_files(folder):
            place = f"{room}/{path.relative_to(folder).as_posix()}"
            for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
                found = INCLUDE.match(line)
                if found:
                    quoted = found[2] is not None
                    for rule in check_include(place, room, found[2] or found[1], quoted):
                        yield path, number, rule


def check_sizes(root):
    for path in (p for tree in SIZED_TREES for p in cpp_files(root / tree)):
        # x_impl.hpp holds the member functions of a template: a source file that happens to be included.
        source = path.suffix == ".cpp" or path.stem.endswith("_impl")
        limit = MAX_FILE_LINES if source else MAX_HEADER_LINES
        lines = path.read_bytes().count(b"\n")
        if lines >= limit:
            yield path, lines, f"{lines} lines; the limit is {limit - 1}: split it by noun"
    public = [path for path in cpp_files(root / "include") if path.stem != PUBLIC]
    if len(public) > MAX_PUBLIC_HEADERS:
        yield public[-1], 1, f"{len(public)} public headers; the limit is {MAX_PUBLIC_HEADERS}"
    for room in LIBRARY_ROOMS + APP_ROOMS:
        files = cpp_files(root / "src" / room)
        nouns = {path.stem for path in files if not path.stem.endswith("_impl")}
        if len(nouns) > MAX_ROOM_NOUNS:
            yield files[-1], 1, f"{len(nouns)} nouns in room '{room}'; the limit is {MAX_ROOM_NOUNS}"


def check_names(root):
    for path in (p for tree in ("include", "src") for p in cpp_files(root / tree)):
        inside = path.relative_to(root).parts  # ("src", room, file) or ("include", "callcost", file)
        if inside[0] == "src" and (len(inside) < 3 or inside[1] not in MAY_INCLUDE):
            yield path, 1, "in no known room: add the room to MAY_INCLUDE of tools/check_rooms.py, with what it sees"
        elif len(inside) != 3:
            yield path, 1, "a room has no folders inside (the build would not find this file)"
        for part in inside[1:]:
            if NO_NOUN.search(part.split(".")[0]):
                yield path, 1, f"'{part}' names no noun: say what it holds"


def check_usings(root):
    """clang-tidy looks for unused names in files that are compiled alone only; ours are compiled room by room."""
    for path in (p for tree in SIZED_TREES for p in cpp_files(root / tree) if p.suffix == ".cpp"):
        text = path.read_text("utf-8", "replace")
        for found in USING.finditer(text):
            name = found[1] or found[2]
            if len(re.findall(rf"\b{name}\b", text)) == len(re.findall(rf"(::|namespace )\s*{name}\s*[;=]", text)):
                yield path, text.count("\n", 0, found.start()) + 1, f"{name} is not used in this file"


def check(root):
    """All violations under `root`, as lines of text."""
    found = [v for rules in (check_includes, check_sizes, check_names, check_usings) for v in rules(root)]
    return [f"{path.relative_to(root).as_posix()}:{line}: {rule}" for path, line, rule in sorted(found)]


# Self test: files and the rule they must break; None means that nothing is wrong.
CASES = (
    ({"src/model/a.cpp": '#include "base/a.hpp"\n#include "callcost/a.hpp"\n#include <vector>\n'}, None),
    ({"src/cli/a.cpp": '#include "render/a.hpp"\n#include <callcost/a.hpp>\n#include <fmt/core.h>\n'}, None),
    ({"src/cli/option_reader.hpp": "#include <CLI/CLI.hpp>\n"}, None),
    ({"include/callcost/callcost.h": "#include <stddef.h>\n"}, None),
    ({"src/c_api/a.cpp": '#include "model/a.hpp"\n'}, "room 'c_api' may not include"),
    ({"src/model/a.cpp": "#include <stdint.h>\n"}, "<stdint.h> belongs to callcost/callcost.h"),
    ({"include/callcost/a.hpp": "#include <tl/expected.hpp>\n#include <callcost/b.hpp>\n#include <span>\n"}, None),
    ({"src/cli/a.cpp": '\n\n  #  include "model/a.hpp"\n'}, "src/cli/a.cpp:3: room 'cli' may not include"),
    ({"src/base/a.hpp": '#include "callcost/a.hpp"\n'}, "room 'base' may not include"),
    ({"src/analyze/a.cpp": '#include "format/a.hpp"\n'}, "room 'analyze' may not include"),
    ({"src/model/a.cpp": '#include "format/a.hpp"\n'}, "room 'model' may not include"),
    ({"src/render/a.cpp": '#include "input/a.hpp"\n'}, "room 'render' may not include"),
    ({"src/format/a.cpp": '#include "render/a.hpp"\n'}, "room 'format' may not include"),
    ({"include/callcost/a.hpp": '#include "model/a.hpp"\n'}, "room 'callcost' may not include"),
    ({"src/input/a.cpp": "#include <zstd.h>\n"}, None),
    ({"src/cli/commands.cpp": "#include <CLI/CLI.hpp>\n"}, "<CLI/CLI.hpp> belongs to cli/option_reader.hpp"),
    ({"src/input/a.cpp": "#include <fmt/core.h>\n"}, "<fmt/core.h> belongs to render, convert, views, cli, valgrind, transform, compare, baselines, serve, page, facts, commands"),
    ({"src/cli/a.cpp": "#include <rapidjson/writer.h>\n"}, "<rapidjson/writer.h> belongs to render, imports, convert, answer"),
    ({"src/code/a.cpp": "#include <zlib.h>\n"}, "<zlib.h> belongs to input"),
    ({"src/cli/a.cpp": "#include <utf8proc.h>\n"}, "<utf8proc.h> belongs to render"),
    ({"src/format/a.cpp": "#include <unistd.h>\n"}, "<unistd.h> belongs to"),
    ({"src/render/a.cpp": "#include <boost/any.hpp>\n"}, "is in no room yet"),
    ({"src/render/a.cpp": '#include "a.hpp"\n'}, "write the room first"),
    ({"src/analyze/a.cpp": "#include <iostream>\n"}, "forbidden in the library"),
    ({"include/callcost/a.hpp": "#include <mutex>\n"}, "forbidden in the library"),
    ({"src/render/a.cpp": "\n" * MAX_FILE_LINES}, "600 lines"),
    ({"tests/unit/base/a.hpp": "\n" * MAX_HEADER_LINES}, "300 lines"),
    ({f"include/callcost/h{n}.hpp": "" for n in range(MAX_PUBLIC_HEADERS + 1)}, "public headers"),
    ({f"src/cli/f{n}.cpp": "" for n in range(MAX_ROOM_NOUNS + 1)}, "nouns in room 'cli'"),
    ({"src/base/string_utils.hpp": ""}, "names no noun"),
    ({"src/base/a.cpp": "using std::map;\nnamespace fs = std::filesystem;\nmap m = fs::path();\n"}, None),
    ({"bench/a.cpp": "int a;\nusing std::map;\n"}, "bench/a.cpp:2: map is not used"),
    ({"src/base/a.cpp": "namespace fs = std::filesystem;\n"}, "fs is not used"),
    ({"src/utils/a.hpp": ""}, "in no known room"),
    ({"src/cli/commands/top.cpp": ""}, "no folders inside"),
)


def self_test():
    failed = 0
    for files, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = check(pathlib.Path(folder))
        if found if expected is None else not any(expected in line for line in found):
            failed += 1
            print(f"{list(files)[0]}: expected {expected or 'no violation'!r}, got {found}")
    print(f"self test: {len(CASES) - failed} passed, {failed} failed")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true", help="prove that each rule can fail")
    options = parser.parse_args()
    if options.self_test:
        return 1 if self_test() else 0
    if not (options.root / "src").is_dir():
        parser.error(f"{options.root} has no src/")
    violations = check(options.root)
    print("\n".join(violations) or "rooms: no violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
