#!/usr/bin/env python3
"""Checks that every file keeps to its module: who may include whom, which library belongs where, how big things get.

The modules are the folders src/LAYER/MODULE. What each may include stands in the table of ARCHITECTURE.md, which is read
here; the tables below are the other rules. One line is printed per violation, as `file:line: rule`, and the exit status
is 1 if there is any. Sizes are warnings, which a reviewer weighs. `--self-test` proves that each rule can fail.
"""

import argparse
import pathlib
import re
import sys
import tempfile

PUBLIC = "callcost"  # include/callcost: the library's public headers
BINDINGS = ("python",)  # bindings/*: see PUBLIC only
LAYERS = ("library", "engine", "program")  # each may include those before it, of the library only PUBLIC

FORMATTING = ("terminal", "browse", "configuration", "clickhouse", "history", "history_reports", "history_page", "options", "recording", "loading", "output", "reports", "comparison", "server", "callgrind_annotate", "commands")
# Where a header from outside the project may be included: layers, modules, or single files. First match wins.
OUTSIDE_HEADERS = (
    (r"tl/expected\.hpp", (PUBLIC, "library")),  # but for base, which is below it
    (r"(stddef|stdint)\.h", ("callcost/callcost.h",)),  # it is C
    (r"CLI/.*", ("options/command_line.cpp", "options/help_formatter.hpp")),
    (r"toml\+\+/.*", ("configuration/toml_text.cpp",)),
    (r"fmt/.*", ("text", "exporters/dot.cpp", *FORMATTING)),
    (r"rapidjson/.*", ("text/inline_maps_json.cpp", "text/json.cpp", "text/stacks_json.cpp", "encodings", "json_importers", "host/embedded_code.cpp", "session/question.cpp")),
    (r"((arpa|netinet)/.*|linux/tcp\.h)", ("server",)),
    (r"protozero/.*", ("encodings", "json_importers", "importers", "exporters")),
    (r"pybind11/.*", ("python",)),
    (r"utf8proc\.h", ("text",)),
    (r"link\.h", ("commands/build_id.cpp",)),
    (r"malloc\.h", ("loading/memory.cpp",)),
    (r"fnmatch\.h", ("commands/record.cpp",)),
    (r"re2/.*", ("options/patterns.cpp",)),
    (r"curses\.h", ("browse/curses_screen.cpp", "browse/terminal_type.cpp")),
    (r"term\.h", ("browse/terminal_type.cpp",)),
    (r"zlib\.h", ("input", "output/compression.cpp")),
    (r"(zstd|zstd_errors|lzma|bzlib)\.h", ("input", "output/compression.cpp", "history/packed_profile.cpp")),
    (r"sqlite3\.h", ("history/database.cpp", "history/sqlite_store.cpp", "history/store_files.cpp")),
    (r"curl/curl\.h", ("clickhouse/http_client.cpp",)),
    (r"dlfcn\.h", ("browse/curses_library.cpp", "history/database.cpp", "clickhouse/http_client.cpp")),
    (r"sys/utsname\.h", ("history/entry_origin.cpp",)),
    (r"(cxxabi|gelf)\.h", ("sources",)),
    (r"dwarf\.h|elfutils/.*", ("inlining",)),
    (
        r"(sys/.*|(dirent|fcntl|poll|pthread|sched|signal|spawn|termios|unistd)\.h)",
        ("disk", "input", "sources", "inlining", "terminal", "browse/curses_screen.cpp", "configuration/configuration_file.cpp", "recording", "server", "commands/record.cpp", "commands/record_page.hpp", "commands/view.cpp", "output/svg.cpp", "output/output_file.cpp", "history/store_files.cpp"),
    ),
)

# The library prints nothing, opens nothing, depends on no locale and starts no thread: bytes in, values out.
NOT_IN_LIBRARY = set(
    "iostream istream ostream iomanip ios fstream sstream streambuf syncstream print cstdio locale clocale codecvt regex "
    "filesystem thread mutex shared_mutex condition_variable future semaphore latch barrier chrono ctime".split()
)

HEADER_ONLY = "file"  # of the public headers: compiled into the program that includes it, so that it may open files
MAX_PUBLIC_HEADERS = 14  # callcost.hpp, which includes them all, callcost.h, for other languages, and HEADER_ONLY not counted
MAX_MODULE_NOUNS = 14  # x.hpp and x.cpp are one noun; y_impl.hpp is a piece of one
MAX_COMMANDS = 30  # in module commands: a file per command, main and what they share
MAX_FILE_LINES = 600
MAX_HEADER_LINES = 300
SIZED_TREES = ("include", "src", "bindings", "tests/unit", "fuzz", "bench", "examples")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
STD_HEADER = re.compile(r"[a-z_0-9]+")  # no slash, no suffix
NO_NOUN = re.compile(r"(^|_)(utils?|helpers?|misc)(_|$)")
USING = re.compile(r"^[ \t]*(?:using [\w:]+::(\w+);|namespace (\w+) = )", re.M)


ROW = re.compile(r"^\| `src/(\w+)/(\w+)` \|.*\| ([^|]*) \|$", re.M)  # a module in ARCHITECTURE.md
TYPE = re.compile(r"^(?:struct|class|enum class|union) (?:CALLCOST_API )?(\w+)(?: final)?(?: : [^{;]*)?\s*\{", re.M)


def cpp_files(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp", ".h") and p.is_file())


class Layout:
    """The modules of a checkout: what layer each is of, what it may include, which files it has."""

    def __init__(self, root):
        self.root = root
        folders = [p for layer in LAYERS for p in sorted((root / "src" / layer).glob("*/"))]
        self.folders = {p.name: p for p in reversed(folders)}
        self.twins = [p for p in folders if self.folders[p.name] != p]
        self.layers = {module: folder.parent.name for module, folder in self.folders.items()}
        self.table = root / "ARCHITECTURE.md"
        text = self.table.read_text("utf-8") if self.table.is_file() else ""
        self.rows = {row[2]: (row[1], text.count("\n", 0, row.start()) + 1) for row in ROW.finditer(text)}
        seen = {row[2]: row[3] for row in ROW.finditer(text)}
        self.may_include = {module: set(re.findall(r"\w+", "" if words == "–" else words)) for module, words in seen.items()}

    def modules(self):
        bindings = {module: self.root / "bindings" / module for module in BINDINGS}
        return {**self.folders, **bindings, PUBLIC: self.root / "include" / PUBLIC}

    def is_library(self, module):
        return module == PUBLIC or self.layers.get(module) == "library"

    def seen_by(self, module):
        return set() if module in (PUBLIC, "base") else self.may_include.get(module, set()) | {PUBLIC}


def check_table(layout):
    """The table lists the folders, sees no layer above, of the library only what is public, and has no circle."""
    for folder in layout.twins:
        yield folder, 1, f"a second module '{folder.name}': includes name modules without their layer"
    for module, folder in layout.folders.items():
        if layout.rows.get(module, ("",))[0] != layout.layers[module]:
            yield folder, 1, "a module that ARCHITECTURE.md does not have: add its row to the table, with what it may include"
    for module, (layer, line) in layout.rows.items():
        if layout.layers.get(module) != layer:
            yield layout.table, line, f"there is no module src/{layer}/{module}"
        for other in sorted(layout.may_include[module]):
            below = layout.layers.get(other)
            if below is None:
                yield layout.table, line, f"module '{module}' may include '{other}', which is no module"
            elif below != layer and (below == "library" or LAYERS.index(below) > LAYERS.index(layer)):
                yield layout.table, line, f"module '{module}' of {layer} may not see '{other}' of {below}"
        reached, todo = set(), [module]
        while todo:
            for other in layout.may_include.get(todo.pop(), set()) - reached:
                reached.add(other)
                todo.append(other)
        if module in reached:
            yield layout.table, line, f"module '{module}' is in a circle of modules"


def check_include(layout, place, module, header, quoted):
    """Yields the rules that `#include header` breaks in file `place` ("text/names.cpp") of `module`."""
    owner = header.split("/")[0]
    if "/" in header and (owner in (PUBLIC, *BINDINGS) or owner in layout.folders):
        if owner != module and owner not in layout.seen_by(module):
            allowed = ", ".join(sorted(layout.seen_by(module))) or "no other module"
            yield f"module '{module}' may not include {header} (it sees {allowed})"
        return
    for pattern, places in OUTSIDE_HEADERS:
        if re.fullmatch(pattern, header):
            if module == "base" or not {module, place, layout.layers.get(module)} & set(places):
                yield f"<{header}> belongs to {', '.join(places)}, not to '{place}'"
            return
    if quoted:
        yield f'"{header}": write the module first, as in "{module}/{header.split("/")[-1]}"'
    elif not STD_HEADER.fullmatch(header):
        yield f"<{header}> is in no module yet: give it one in OUTSIDE_HEADERS of tools/check_modules.py"
    elif layout.is_library(module) and header in NOT_IN_LIBRARY and place != f"{PUBLIC}/{HEADER_ONLY}.hpp":
        yield f"<{header}> is forbidden in the library (module '{module}')"


def check_includes(layout):
    for module, folder in layout.modules().items():
        for path in cpp_files(folder):
            place = f"{module}/{path.relative_to(folder).as_posix()}"
            for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
                found = INCLUDE.match(line)
                if found:
                    quoted = found[2] is not None
                    for rule in check_include(layout, place, module, found[2] or found[1], quoted):
                        yield path, number, rule


def check_sizes(layout):
    root = layout.root
    for path in (p for tree in SIZED_TREES for p in cpp_files(root / tree)):
        # x_impl.hpp holds the member functions of a template: a source file that happens to be included.
        source = path.suffix == ".cpp" or path.stem.endswith("_impl")
        limit = MAX_FILE_LINES if source else MAX_HEADER_LINES
        lines = path.read_bytes().count(b"\n")
        if lines >= limit:
            yield path, lines, f"{lines} lines; the limit is {limit - 1}: split it by noun"
    public = [path for path in cpp_files(root / "include") if path.stem not in (PUBLIC, HEADER_ONLY)]
    if len(public) > MAX_PUBLIC_HEADERS:
        yield public[-1], 1, f"{len(public)} public headers; the limit is {MAX_PUBLIC_HEADERS}"
    for module, folder in layout.folders.items():
        files = cpp_files(folder)
        nouns = {path.stem for path in files if not path.stem.endswith("_impl")}
        limit = MAX_COMMANDS if module == "commands" else MAX_MODULE_NOUNS
        if len(nouns) > limit:
            yield files[-1], 1, f"{len(nouns)} nouns in module '{module}'; the limit is {limit}"


def check_names(layout):
    stems = {}
    for path in (p for tree in ("include", "src") for p in cpp_files(layout.root / tree)):
        inside = path.relative_to(layout.root).parts  # ("src", layer, module, file) or ("include", "callcost", file)
        if inside[0] == "src" and (len(inside) < 4 or inside[1] not in LAYERS):
            yield path, 1, f"in no module: put it into a folder of src/{', src/'.join(LAYERS)}"
        elif len(inside) != {"src": 4, "include": 3}[inside[0]]:
            yield path, 1, "a module has no folders inside (the build would not find this file)"
        elif inside[0] == "src":
            other = stems.setdefault((inside[1], path.stem), path)
            if other.parent != path.parent:
                yield path, 1, f"a second file named '{path.stem}' in {inside[1]}, besides {other.relative_to(layout.root)}"
        for part in inside[1:]:
            if NO_NOUN.search(part.split(".")[0]):
                yield path, 1, f"'{part}' names no noun: say what it holds"


def check_types(layout):
    """No type name has two meanings: what headers define at the top level, whatever its namespace."""
    defined = {}
    for path in (p for tree in ("include", "src") for p in cpp_files(layout.root / tree) if p.suffix != ".cpp"):
        text = path.read_text("utf-8", "replace")
        for found in TYPE.finditer(text):
            other = defined.setdefault(found[1], path)
            if other != path and path.suffix == ".hpp":
                line = text.count("\n", 0, found.start()) + 1
                yield path, line, f"type '{found[1]}' has another meaning in {other.relative_to(layout.root)}"


def check_tests(layout):
    """tests/unit mirrors src/."""
    for path in cpp_files(layout.root / "tests" / "unit"):
        inside = path.relative_to(layout.root / "tests" / "unit").parts
        if len(inside) != 3 or layout.layers.get(inside[1]) != inside[0]:
            yield path, 1, "tests/unit mirrors src/: LAYER/MODULE/FILE"
        elif path.suffix == ".cpp" and not path.stem.endswith("_test") and not path.with_suffix(".hpp").exists():
            yield path, 1, "the name of a test file ends in _test.cpp, unless it belongs to a header"


def check_usings(layout):
    """clang-tidy looks for unused names in files that are compiled alone only; ours are compiled module by module."""
    for path in (p for tree in SIZED_TREES for p in cpp_files(layout.root / tree) if p.suffix == ".cpp"):
        text = path.read_text("utf-8", "replace")
        for found in USING.finditer(text):
            name = found[1] or found[2]
            if len(re.findall(rf"\b{name}\b", text)) == len(re.findall(rf"(::|namespace )\s*{name}\s*[;=]", text)):
                yield path, text.count("\n", 0, found.start()) + 1, f"{name} is not used in this file"


def check_private_names(layout):
    """Of other libraries: they may change with any version."""
    for path in cpp_files(layout.root / "src"):
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            if "CLI::detail" in line:
                yield path, number, "CLI::detail is not for users of the library"


FILE_CALL = re.compile(r"\b(?:std::filesystem|fs)::(?!path\b|perms\b|u8path\b)\w+(?: \w+)?\((?!\))")
ENTRY_CALL = re.compile(r"(?:\.|->)(?:is_regular_file|is_directory|is_symlink|file_size|last_write_time|exists)\(\)|for \([^;)]*: *(?:std::filesystem|fs)::\w+")


def last_argument(text, at):
    """Of the call whose parenthesis opens before `at`."""
    depth, begin = 1, at
    for end in range(at, len(text)):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        if depth == 0:
            return text[begin:end].strip()
        if depth == 1 and text[end] == ",":
            begin = end + 1
    return ""


def check_file_calls(layout):
    """std::filesystem throws where a directory may not be searched, unless it is given a std::error_code."""
    for path in cpp_files(layout.root / "src"):
        text = path.read_text("utf-8", "replace")
        if "filesystem" not in text:
            continue
        codes = {name for names in re.findall(r"std::error_code&? ([\w, ]+)", text) for name in names.split(", ")}
        wrong = [found for found in FILE_CALL.finditer(text) if last_argument(text, found.end()) not in codes]
        for found in (*wrong, *ENTRY_CALL.finditer(text)):
            yield path, text.count("\n", 0, found.start()) + 1, f"{found[0].strip('(')} throws without a std::error_code"


ERRORS = (check_table, check_includes, check_names, check_types, check_tests, check_usings, check_private_names, check_file_calls)


def check(root, rules):
    """All violations of the rules under `root`, as lines of text."""
    layout = Layout(root)
    found = [v for rule in rules for v in rule(layout)]
    return [f"{path.relative_to(root).as_posix()}:{line}: {rule}" for path, line, rule in sorted(found)]


# Self test: files and the rule they must break; None means that nothing is wrong. Each has this table besides.
TABLE = """
| `src/library/base` | bytes | – |
| `src/library/profile` | what a profile is | base |
| `src/library/parser` | tokens | base, profile |
| `src/engine/text` | characters | – |
| `src/engine/session` | questions | text |
| `src/program/options` | argv | text |
| `src/program/input` | bytes | – |
"""
CASES = (
    ({"src/library/profile/a.cpp": '#include "base/a.hpp"\n#include "callcost/a.hpp"\n#include <vector>\n'}, None),
    ({"src/program/options/a.cpp": '#include "text/a.hpp"\n#include <callcost/a.hpp>\n#include <fmt/core.h>\n'}, None),
    ({"src/program/options/command_line.cpp": "#include <CLI/CLI.hpp>\nCLI::App app;\n"}, None),
    ({"src/program/options/command_line.cpp": "\nauto a = CLI::detail::split(b, c);\n"}, "line.cpp:2: CLI::detail is not for users"),
    ({"include/callcost/callcost.h": "#include <stddef.h>\n"}, None),
    ({"src/library/profile/a.cpp": "#include <stdint.h>\n"}, "<stdint.h> belongs to callcost/callcost.h"),
    ({"include/callcost/a.hpp": "#include <tl/expected.hpp>\n#include <callcost/b.hpp>\n#include <span>\n"}, None),
    ({"src/program/options/a.cpp": '\n\n  #  include "profile/a.hpp"\n'}, "options/a.cpp:3: module 'options' may not include"),
    ({"src/library/base/a.hpp": '#include "callcost/a.hpp"\n'}, "module 'base' may not include"),
    ({"src/library/base/a.hpp": '#include "profile/a.hpp"\n'}, "module 'base' may not include"),
    ({"src/library/profile/a.cpp": '#include "parser/a.hpp"\n'}, "module 'profile' may not include"),
    ({"src/engine/text/a.cpp": '#include "input/a.hpp"\n'}, "module 'text' may not include"),
    ({"include/callcost/a.hpp": '#include "profile/a.hpp"\n'}, "module 'callcost' may not include"),
    ({"src/program/input/a.cpp": "#include <zstd.h>\n"}, None),
    ({"src/program/options/a.cpp": "#include <CLI/CLI.hpp>\n"}, "<CLI/CLI.hpp> belongs to options/command_line.cpp"),
    ({"src/engine/session/a.cpp": "#include <fmt/core.h>\n"}, "<fmt/core.h> belongs to text, exporters/dot.cpp"),
    ({"src/program/input/a.cpp": "#include <fmt/core.h>\n"}, "<fmt/core.h> belongs to"),
    ({"src/library/base/a.cpp": "#include <tl/expected.hpp>\n"}, "<tl/expected.hpp> belongs to"),
    ({"src/library/input/a.cpp": ""}, "a second module 'input'"),
    ({"src/program/options/a.cpp": "#include <rapidjson/writer.h>\n"}, "<rapidjson/writer.h> belongs to text/inline_maps_json.cpp, text/json.cpp"),
    ({"src/program/options/a.cpp": "#include <utf8proc.h>\n"}, "<utf8proc.h> belongs to text"),
    ({"src/library/parser/a.cpp": "#include <unistd.h>\n"}, "<unistd.h> belongs to"),
    ({"src/engine/text/a.cpp": "#include <boost/any.hpp>\n"}, "is in no module yet"),
    ({"src/engine/text/a.cpp": '#include "a.hpp"\n'}, "write the module first"),
    ({"src/library/parser/a.cpp": "#include <iostream>\n"}, "forbidden in the library"),
    ({"include/callcost/a.hpp": "#include <mutex>\n"}, "forbidden in the library"),
    ({"include/callcost/file.hpp": "#include <cstdio>\n"}, None),
    ({"src/library/parser/file.hpp": "#include <cstdio>\n"}, "forbidden in the library"),
    ({"src/engine/text/a.cpp": "\n" * MAX_FILE_LINES}, f"{MAX_FILE_LINES} lines"),
    ({"tests/unit/library/base/a.hpp": "\n" * MAX_HEADER_LINES}, f"{MAX_HEADER_LINES} lines"),
    ({f"include/callcost/h{n}.hpp": "" for n in range(MAX_PUBLIC_HEADERS + 1)}, "public headers"),
    ({f"src/program/input/f{n}.cpp": "" for n in range(MAX_MODULE_NOUNS + 1)}, "nouns in module 'input'"),
    ({"src/library/base/string_utils.hpp": ""}, "names no noun"),
    ({"src/library/base/a.cpp": "using std::map;\nnamespace fs = std::filesystem;\nmap m = fs::path();\n"}, None),
    ({"bench/a.cpp": "int a;\nusing std::map;\n"}, "bench/a.cpp:2: map is not used"),
    ({"src/library/base/a.cpp": "namespace fs = std::filesystem;\n"}, "fs is not used"),
    ({"src/program/input/a.cpp": "#include <filesystem>\nvoid f(std::error_code& e) { fs::exists(g(a, b), e); fs::path(x); }\n"}, None),
    ({"src/program/input/a.cpp": "#include <filesystem>\nstd::error_code e;\nauto a = fs::exists(g(a, e));\n"}, "a.cpp:3: fs::exists throws"),
    ({"src/program/input/a.cpp": "#include <filesystem>\nauto a = entry->file_size();\n"}, "a.cpp:2: ->file_size() throws"),
    ({"src/program/input/a.cpp": "#include <filesystem>\nfor (auto& a : fs::directory_iterator(b, e)) {}\n"}, "throws without"),
    ({"bindings/python/a.cpp": '#include "python/a.hpp"\n#include <pybind11/numpy.h>\n#include <callcost/a.hpp>\n#include <thread>\n'}, None),
    ({"bindings/python/a.cpp": '#include "text/a.hpp"\n'}, "module 'python' may not include text/a.hpp"),
    ({"src/engine/text/a.cpp": '#include "python/a.hpp"\n'}, "module 'text' may not include"),
    ({"src/engine/text/a.cpp": "#include <pybind11/pybind11.h>\n"}, "<pybind11/pybind11.h> belongs to python"),
    ({"src/attic/a.hpp": ""}, "in no module"),
    ({"src/library/a.hpp": ""}, "in no module"),
    ({"src/program/input/more/top.cpp": ""}, "no folders inside"),
    ({"src/program/input/a.cpp": "", "src/program/options/a.hpp": ""}, "a second file named 'a'"),
    ({"src/engine/text/a.hpp": "struct A {\n", "src/program/input/b.hpp": "class A final {\n"}, "type 'A' has another meaning"),
    ({"src/engine/text/a.hpp": "struct A;\nvoid f() {}\n", "src/program/input/b.hpp": "class A {\n"}, None),
    ({"src/program/attic/a.cpp": ""}, "src/program/attic:1: a module that ARCHITECTURE.md does not have"),
    ({"ARCHITECTURE.md": TABLE + "| `src/engine/gone` | x | – |\n"}, "there is no module src/engine/gone"),
    ({"ARCHITECTURE.md": TABLE.replace("characters | –", "characters | input")}, "'text' of engine may not see 'input' of program"),
    ({"ARCHITECTURE.md": TABLE.replace("characters | –", "characters | base")}, "'text' of engine may not see 'base' of library"),
    ({"ARCHITECTURE.md": TABLE.replace("bytes | –", "bytes | parser", 1)}, "module 'base' is in a circle"),
    ({"ARCHITECTURE.md": TABLE.replace("characters | –", "characters | attic")}, "'attic', which is no module"),
    ({"tests/unit/library/text/a_test.cpp": ""}, "tests/unit mirrors src/"),
    ({"tests/unit/engine/text/a.cpp": ""}, "ends in _test.cpp"),
    ({"tests/unit/engine/text/a.cpp": "", "tests/unit/engine/text/a.hpp": ""}, None),
)


def self_test():
    failed = 0
    for files, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            for _, layer, module in (row[0].split("/") for row in re.findall(r"`(src/\w+/\w+)`()", TABLE)):
                pathlib.Path(folder, "src", layer, module).mkdir(parents=True)
            for name, text in {"ARCHITECTURE.md": TABLE, **files}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = check(pathlib.Path(folder), (*ERRORS, check_sizes))
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
    for warning in check(options.root, (check_sizes,)):
        print(f"warning: {warning}")
    violations = check(options.root, ERRORS)
    print("\n".join(violations) or "modules: no violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
