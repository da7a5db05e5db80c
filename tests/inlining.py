#!/usr/bin/env python3
"""--inlined on programs that are compiled and profiled here: inlined code is a function of its own, with the cost that
its source lines have; nothing is lost; what debug information does not tell, or tells of another build, stays.

    inlining.py EXECUTABLE COMPILER
"""

import base64
import bisect
import collections
import contextlib
import csv
import gzip
import io
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

SOURCES = pathlib.Path(__file__).resolve().parent / "inlining"
callcost, compiler = sys.argv[1:3]
# Which function each line is in, by the first of its lines; by hand. Of lines that share a lambda with the function
# around it, both are right.
TRUTH = {
    "words.cpp": {
        21: r"text::Rng::(next|below)", 22: "text::mix", 23: "text::fnv", 24: "text::Word::", 25: "text::before", 26: None,
        28: "text::Counter::add", 29: "text::Counter::sorted", 30: None, 31: "text::Counter::find", 32: "text::Counter::Counter",
        33: None, 34: "text::each_word", 35: None, 40: "Parser::skip", 41: "Parser::peek", 42: "Parser::parse",
        43: "Parser::number", 44: "Parser::string", 45: "Parser::array", 46: "Parser::object", 47: None,
        48: "json::Sum::operator", 50: None, 51: "make_text", 52: "make_json", 53: r"\bmain\b", 67: None,
    },
    "pipeline.cpp": {
        18: "promise_type::promise_type", 20: "get_return_object", 21: "initial_suspend", 22: "final_suspend",
        23: "yield_value", 27: "return_void", 28: None, 31: r"^Generator<unsigned long>::Generator\(", 33: "~Generator",
        36: r"Generator<unsigned long>::next\(", 40: r"Generator<unsigned long>::value\(", 41: None, 46: "^scramble",
        52: None, 53: r"^numbers\(", 59: None, 60: r"^chunks\(", 72: None, 73: "^Stage::~?Stage", 74: None, 76: "^Stage::run",
        80: None, 82: "^digits", 90: None, 91: "^best", 98: None, 99: "^main$",
        101: r"^main(::(\{lambda\(unsigned long\)#1\}|\$_0)::.*)?$", 102: r"^main(::(\{lambda\(unsigned long\)#2\}|\$_1)::.*)?$",
        103: r"^main::(\{lambda\(unsigned long\)#2\}|\$_1)::", 106: "^main$", 117: None,
    },
    "closures.rs": {
        4: "^closures::mix$", 9: None, 13: "^closures::Rng::next$", 17: "^closures::Rng::below$", 20: None,
        30: "^<closures::Square as closures::Shape>::area$", 33: None, 36: "^<closures::Circle as closures::Shape>::area$",
        39: None, 41: "^closures::apply$", 46: None, 47: "^closures::compose$", 48: r"^closures::compose(::\{\{closure\}\})?$",
        49: "^closures::compose$", 50: None, 51: "^closures::weight$", 58: None, 59: "^closures::count_words$", 65: None,
        67: "^closures::main$", 69: r"^closures::main(::\{\{closure\}\})?$", 70: "^closures::main$",
        72: r"^closures::main(::\{\{closure\}\})?$", 74: r"^closures::main::\{\{closure\}\}$", 79: "^closures::main$",
        82: r"^closures::main(::\{\{closure\}\})?$", 84: "^closures::main$", 86: r"^closures::main::\{\{closure\}\}$",
        93: "^closures::main$", 94: r"^closures::main(::\{\{closure\}\})?$", 96: "^closures::main$", 99: None,
    },
}  # fmt: skip


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, expected {wanted!r}")


def run(*words, status=0):
    done = subprocess.run([callcost, *map(str, words)], capture_output=True, text=True, timeout=120)
    if done.returncode != status:
        sys.exit(f"callcost {' '.join(map(str, words))}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout, done.stderr


def build(source, program, *options):
    subprocess.run([compiler, "-std=c++20", *options, source, "-o", program], check=True)


def profile(program):
    out = program.with_suffix(".out")
    subprocess.run(
        ["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", f"--callgrind-out-file={out}", program],
        stdout=subprocess.DEVNULL, check=True, timeout=300,
    )  # fmt: skip
    return out


def functions(out, inlined):
    return json.loads(run("top", "--json", "--limit", 0, f"--inlined={inlined}", out)[0])


def share_at_its_source(source, out, inlined):
    """Of the cost of the lines of a source file: what is in the function that they are in."""
    text = run("convert", "-q", f"--inlined={inlined}", "--to", "csv", "--rows", "lines", "-o", "-", out)[0]
    firsts = sorted(TRUTH[source])
    sums = collections.Counter()
    for row in csv.DictReader(io.StringIO(text)):
        at = bisect.bisect_right(firsts, int(row["line"] or 0))
        wanted = TRUTH[source][firsts[at - 1]] if at else None
        if row["source_file"].endswith(source) and wanted:
            sums[re.search(wanted, row["function"]) is not None] += int(row["self_Ir"])
    return sums[True] / sums.total()


def check_sources_of_cost(folder):
    """Coroutines, std::function, and Rust. Clang's line tables give some inlined calls the line of their caller."""
    rust = ["rustc", "-O", "-g", SOURCES / "closures.rs", "-o"]
    cxx = ["-std=c++20", "-O2", "-g", SOURCES / "pipeline.cpp", "-o"]
    for name, source, command, least in [
        ("pipeline", "pipeline.cpp", [compiler, *cxx], 0.9999), ("pipeline-clang", "pipeline.cpp", ["clang++-14", *cxx], 0.99),
        ("closures", "closures.rs", rust, 0.97),
    ]:  # fmt: skip
        program = folder / name
        subprocess.run([*command, program], check=True)
        out = profile(program)
        before, after = functions(out, "no"), functions(out, "yes")
        expect("total", after["total"], before["total"])
        compiled, share = (share_at_its_source(source, out, inlined) for inlined in ("no", "yes"))
        if share < least or compiled > 0.8 * least:
            sys.exit(f"{name}: {share:.4%} of the cost is in the function of its source, {compiled:.4%} as compiled")


def check_words(folder, level):
    program = folder / f"words{level}"
    build(SOURCES / "words.cpp", program, level, "-g")
    out = profile(program)
    before, after = functions(out, "no"), functions(out, "yes")
    share = share_at_its_source("words.cpp", out, "yes")
    if share < 0.999 or share_at_its_source("words.cpp", out, "no") > 0.5:
        sys.exit(f"{level}: {share:.4%} of the cost is in the function of its source")
    expect("total", after["total"], before["total"])
    expect("sum of self costs", *(sum(row["self"]["Ir"] for row in each["rows"]) for each in (after, before)))
    expect("cycles", len(after["cycles"]), len(before["cycles"]))
    calls = [sum(row["called"] or 0 for row in each["rows"]) for each in (after, before)]
    expect("calls", *calls)
    for row in after["rows"]:
        if not 0 <= row["inlined"]["Ir"] <= row["self"]["Ir"] <= row["inclusive"]["Ir"] <= after["total"]["Ir"]:
            sys.exit(f"costs that cannot be: {row}")
    below = next(row for row in after["rows"] if row["function"].startswith("text::Rng::next"))
    expect("entries of Rng::next", below["entries"] is not None and below["called"] is None, True)
    return out


def changes(before, after, inlined="auto"):
    """What all functions cost more and less, together, and the difference of the totals."""
    found = json.loads(run("diff", "-q", "--force", "--json", f"--inlined={inlined}", before, after)[0])
    total = found["totals"][0]["cost"]["delta"] if found["totals"] else 0
    return sum(abs(row["self"]["delta"]) for row in found["functions"]), total


NOT_INLINED = ["inline std::uint32_t mix", "inline std::uint32_t fnv", "Word& find", "std::uint32_t below", "void each_word"]


def check_builds(folder, out):
    """Builds that inline otherwise: a function is the same wherever its code is."""
    text = (SOURCES / "words.cpp").read_text()
    for beginning in NOT_INLINED:
        expect(beginning, text.count(f" {beginning}("), 1)
        text = text.replace(f" {beginning}(", f" __attribute__((noinline)) {beginning}(", 1)
    (folder / "noinline").mkdir()
    source = folder / "noinline" / "words.cpp"
    source.write_text(text)
    build(source, folder / "noinline" / "words-O2", "-O2", "-g")
    noinline = profile(folder / "noinline" / "words-O2")
    build(SOURCES / "words.cpp", folder / "words-lto", "-O2", "-flto=auto", "-g")
    lto = profile(folder / "words-lto")
    most = {noinline: 1_600_000, folder / "words-O3.out": 1_700_000, lto: 2_300_000}  # of 29,000,000
    for other, bound in most.items():
        compiled, total = changes(out, other, "no")
        expanded, _ = changes(out, other)
        if not abs(total) <= expanded <= bound or expanded * 3 > compiled:
            sys.exit(f"{other.stem}: {expanded} as inlined, {compiled} as compiled, {total} together")
    found = json.loads(run("diff", "-q", "--json", out, noinline)[0])
    rows = {row["function"].partition("(")[0]: row for row in found["functions"]}
    mix = rows["text::mix"]
    expect("mix", (mix["match"], mix["inlined"]["before"], mix["inlined"]["after"]), ("exact", mix["self"]["before"], 0))
    expect("calls of mix", mix["entries"]["before"], mix["calls"]["after"])
    expect("guesses", found["inlinings"], [])
    expect("removed functions", [row["function"] for row in found["functions"]
                                 if row["match"] == "unmatched" and row["self"]["before"] > 1000], [])  # fmt: skip
    report, _ = run("diff", out, noinline)
    if not re.search(r"not inlined in the new build +text::mix", report):
        sys.exit(f"diff does not say that mix is not inlined:\n{report}")
    check_missing_side(folder, out, noinline)
    check_changed_function(folder, noinline)


def check_missing_side(folder, out, noinline):
    """One program is gone: neither side is expanded, and that is said."""
    compiled = changes(out, noinline, "no")
    program = folder / "noinline" / "words-O2"
    program.rename(folder / "gone")
    expect("changes without a program", changes(out, noinline), compiled)
    for inlined, severity in (("auto", "note"), ("yes", "warning")):
        errors = run("diff", f"--inlined={inlined}", out, noinline)[1]
        if not re.search(f"{severity}: inlined code of '.*words-O2' is not compared, .* new profile: .*words-O2' not found", errors):
            sys.exit(f"nothing is said about the program that is gone:\n{errors}")
        if has_page(out):
            manifest, maps = page_data(folder, f"--inlined={inlined}", noinline, "--diff", out)
            why = manifest["inlined_problem"]["message"]
            expect("maps without a program", [one for side in maps.values() for one in side if "words-" in one["object"]], [])
            if not re.search(r"words-O2' not found.* \(new profile\)", why):
                sys.exit(f"the page does not say why: {why}")
    (folder / "gone").rename(program)


def check_inlined_by_file(folder):
    """What the file of one side alone says is inlined is code of the functions it is in."""
    says, plain = folder / "says.out", folder / "plain.out"
    text = "version: 1\nevents: Ir\n\nfl=a\nfn=f\n1 5\ncfni=g\n2 7\ncfn=h\ncalls=1 9\n3 4\n\nfn=h\n9 4\n"
    says.write_text(text)
    plain.write_text(text.replace("cfni=g\n", ""))
    for inlined in ("auto", "no"):
        for before, after, word in ((says, plain, "old"), (plain, says, "new")):
            expect("changes where one file says what is inlined", changes(before, after, inlined), (0, 0))
            expect("note", f"note: only the {word} profile says itself what is inlined" in run("diff", before, after)[1], True)
    if has_page(says):
        manifest, maps = page_data(folder, says, "--diff", plain)
        expect("why", manifest["inlined_problem"]["message"].startswith("only the new profile says itself"), True)
        html = (folder / "report.html").read_text()
        texts = [gzip.decompress(base64.b64decode(re.search(rf'id="{name}">(.*?)</script>', html)[1])) for name in ("p0", "p1")]
        expect("inlined code in the report", [b"cfni=" in one for one in texts], [False, False])
        page_data(folder, says, "--diff", says)
        html = (folder / "report.html").read_text()
        expect("inlined code of both", b"cfni=g" in gzip.decompress(base64.b64decode(re.search(r'id="p1">(.*?)</script>', html)[1])), True)


def check_changed_function(folder, noinline):
    """A function has moved to another line in the program that an old profile names: its code stays on both sides."""
    source = folder / "moved.cpp"
    text = (SOURCES / "words.cpp").read_text()
    program = folder / "words-moved"
    profiles = []
    for line in ("", "#line 242"):
        source.write_text(re.sub(r"^( *Value parse.*)$", rf"{line}\n\1\n#line 43", text, flags=re.M))
        build(source, program, "-O2", "-g")
        profiles.append(profile(program).rename(folder / f"moved{len(profiles)}.out"))
    _, errors = run("diff", *profiles)
    if not re.search(r"\d of \d+ functions of the old profile (is|are) not as in the program", errors):
        sys.exit(f"nothing is said about the function that moved:\n{errors}")
    expect("changes of a build with another line", changes(*profiles), (0, 0))
    most, _ = changes(profiles[0], noinline, "no")
    expect("what else is inlined", changes(profiles[0], noinline)[0] * 3 < most, True)


def check_tree(folder):
    program = folder / "tree"
    build(SOURCES / "tree.cpp", program, "-O2", "-g")
    out = profile(program)
    frames = json.loads(run("tree", "--json", "--inlined=yes", out)[0])["frames"]
    work = sorted(frame["self"]["least"] for frame in frames if (frame["function"] or "").startswith("work("))
    expect("self costs of work", work, [1050, 140350])
    each = [frame for frame in frames if (frame["function"] or "").startswith("each")]
    expect("inlined frames of each", [frame["inlined"] for frame in each], [True, True])
    peek, _ = run("peek", "--inlined=yes", "each", out)
    if not re.search(r"<- a\(unsigned int\) \(inlined\)", peek):
        sys.exit(f"peek does not say where each is inlined:\n{peek}")
    rows = {row["function"].partition("(")[0]: row for row in functions(out, "auto")["rows"]}
    expect("entries of each", rows["each"]["entries"], 100)


def check_contexts(folder):
    """Names with callers stay where they are asked for."""
    program = folder / "tree"
    out = folder / "contexts.out"
    subprocess.run(
        ["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", "--separate-callers=2", f"--callgrind-out-file={out}", program],
        stdout=subprocess.DEVNULL, check=True, timeout=300,
    )  # fmt: skip
    names = {inlined: {row["function"] + str(row["context"]) for row in json.loads(
        run("top", "--json", "--limit", 0, "--contexts=keep", f"--inlined={inlined}", out)[0])["rows"]} for inlined in ("no", "yes")}  # fmt: skip
    expect("functions that are lost", names["no"] - names["yes"], set())


LIBRARY = """
namespace inner {
[[gnu::noinline]] static int spend(int n) { volatile int s = 0; for (int i = 0; i < n; ++i) s = s + i; return s; }
[[gnu::noinline]] static int twice(int n) { return spend(n) + spend(2 * n) + 1; }
static inline int half(int n) { volatile int s = n; return s / 2; }
[[gnu::noinline]] static int third(int n) { volatile int s = half(n); return s + 1; }
}
extern "C" __attribute__((visibility("default"))) int entry(int n) { return inner::twice(n) - inner::third(n); }
"""


def names_in(profile, *more, **environment):
    """Of the library's functions, and what is said about them."""
    done = subprocess.run([callcost, "top", "--json", "--limit", "0", *more, profile], capture_output=True, text=True,
                          timeout=120, env={**os.environ, **environment})  # fmt: skip
    rows = json.loads(done.stdout)["rows"]
    return {row["function"]: row["self"]["Ir"] for row in rows if (row["object"] or "").endswith("/libx.so")}, done.stderr


def inlined_in(profile, *more, **environment):
    """Functions of the library that are inlined somewhere."""
    done = subprocess.run([callcost, "top", "--json", "--limit", "0", *more, profile], capture_output=True, text=True,
                          timeout=120, env={**os.environ, **environment})  # fmt: skip
    rows = json.loads(done.stdout)["rows"]
    return {row["function"] for row in rows if (row["object"] or "").endswith("/libx.so") and row.get("inlined", {}).get("Ir")}


def lines_in(profile, *more):
    """What the lines of the library cost."""
    text = run("convert", "-q", "--inlined=yes", "--to", "csv", "--rows", "lines", *more, "-o", "-", profile)[0]
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["object"].endswith("/libx.so")]
    return sorted((row["source_file"].rpartition("/")[2], row["line"], row["function"], row["self_Ir"]) for row in rows if row["self_Ir"] != "0")


def check_names(folder):
    """Functions of a stripped library have the names that its debug file has, if that is of the same build."""
    folder = folder / "names"
    folder.mkdir()
    library, kept = folder / "libx.so", folder / "x.debug"
    tool = lambda *words: subprocess.run([str(word) for word in words], check=True, cwd=folder)

    def build(text):
        (folder / "lib.cpp").write_text(text)
        build_options = ["-g", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,--build-id"]
        subprocess.run([compiler, *build_options, folder / "lib.cpp", "-o", library], check=True)
        tool("objcopy", "--only-keep-debug", library, kept)
        shutil.copy(library, folder / "whole.so")
        tool("strip", library)

    build(LIBRARY)
    (folder / "main.cpp").write_text('extern "C" int entry(int);\nint main() { return entry(10000) == 1; }\n')
    subprocess.run([compiler, folder / "main.cpp", "-o", folder / "program", library], check=True)
    out = profile(folder / "program").rename(folder / "bare.out")
    library.rename(folder / "stripped.so")
    shutil.copy(folder / "whole.so", library)
    known_lines = lines_in(profile(folder / "program"))
    (folder / "stripped.so").rename(library)
    notes = subprocess.run(["readelf", "-n", library], capture_output=True, text=True, check=True).stdout
    build_id = re.search(r"Build ID: (\w+)", notes)[1]
    recorded = folder / "recorded.out"
    recorded.write_text(out.read_text().replace("positions:", f"desc: Build-id: {build_id} {library}\npositions:"))
    bare, said = names_in(recorded)
    expect("names without debug file", ([name for name in bare if "inner" in name], said), ([], ""))
    stripped = library.read_bytes()

    def check(what, file, names, *more, **environment):
        found, said = names_in(file, *more, **environment)
        expect(what, sorted(name for name in found if "inner" in name and "half" not in name), names)
        expect(what + ": the note", f"{len(names)} of " in said and "functions without names are named by" in said, bool(names))
        expect(what + ": costs", sum(found.values()), sum(bare.values()))

    all_names = sorted(["inner::spend(int)", "inner::third(int)", "inner::twice(int)"])
    tool("objcopy", "--add-gnu-debuglink=x.debug", library)
    check("names of the debug file", recorded, all_names)
    check("names where no build is recorded", out, all_names)
    for file in (recorded, out):
        expect("lines of the debug file", [row for row in lines_in(file) if "inner" in row[2]], [row for row in known_lines if "inner" in row[2]])
    library.write_bytes(stripped)
    tool("objcopy", "-S", "--keep-symbol=_ZN5innerL5spendEi", "--keep-symbol=_ZN5innerL5twiceEi", kept, "mini")
    tool("xz", "-f", "mini")
    tool("objcopy", "--add-section", ".gnu_debugdata=mini.xz", library)
    check("names that the library carries", recorded, ["inner::spend(int)", "inner::twice(int)"])
    (folder / "mini.xz").write_bytes(b"\xfd7zXZ\0" + bytes(100))
    library.write_bytes(stripped)
    tool("objcopy", "--add-section", ".gnu_debugdata=mini.xz", library)
    check("damaged names", recorded, [])
    library.write_bytes(stripped)
    check_debuginfod(folder, recorded, build_id, all_names, check)
    build(LIBRARY.replace("inner {", "inner { [[gnu::noinline]] int other(int n) { return n * n + 7; }"))
    tool("objcopy", "--add-gnu-debuglink=x.debug", library)
    check("names of another build", recorded, [])


def check_debuginfod(folder, recorded, build_id, names, check):
    """Only when asked, and with a server."""
    asked = names_in(recorded, "--debuginfod", DEBUGINFOD_URLS="")[1]
    expect("no server", "warning: --debuginfod: DEBUGINFOD_URLS names no server" in asked, True)
    if not shutil.which("debuginfod") or not shutil.which("debuginfod-find"):
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    dead = {"DEBUGINFOD_URLS": f"http://127.0.0.1:{port}", "DEBUGINFOD_CACHE_PATH": str(folder / "empty")}
    asked = names_in(recorded, "--debuginfod", **dead)[1]
    expect("no answer", "warning: --debuginfod: a server does not answer: Connection refused" in asked, True)
    server = subprocess.Popen(["debuginfod", "-p", str(port), "-d", ":memory:", "-F", folder],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        environment = {"DEBUGINFOD_URLS": f"http://127.0.0.1:{port}", "DEBUGINFOD_CACHE_PATH": str(folder / "cache")}
        inlined = lambda *more: inlined_in(recorded, *more, **environment)
        for _ in range(100):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/buildid/{build_id}/debuginfo", timeout=10).read()
                break  # it has scanned the folder
            time.sleep(0.2)
        check("names without asking for them", recorded, [], **environment)
        expect("inlined code without asking for it", inlined(), set())
        (folder / "cache").mkdir(exist_ok=True)
        check("names of debuginfod", recorded, names, "--debuginfod", **environment)
        expect("inlined code by debuginfod", inlined("--debuginfod"), {"inner::half(int)"})
        expect("inlined code of debuginfod without names", inlined("--debuginfod", "--inlined=no"), set())
    finally:
        server.kill()
        server.wait()


def check_inputs(folder):
    """Which input comes first does not matter, nor where it says that it has addresses."""
    lines = folder / "lines.out"
    lines.write_text("positions: line\nevents: Ir\nfn=other\n1 5\n")
    for files in ([lines, folder / "tree.out"], [folder / "tree.out", lines]):
        rows = json.loads(run("top", "--json", "--limit", 0, "--inlined=yes", *files)[0])["rows"]
        expect("inlined code of two files", sum(row["inlined"]["Ir"] for row in rows) > 2_900_000, True)


def check_code(out):
    """asm says which functions are inlined where; one without machine code of its own is pointed to."""
    code = json.loads(run("asm", "--json", "--limit", 1, "main", out)[0])
    expect("code as recorded", code["functions"][0]["self"], json.loads(run("asm", "--json", "--limit", 1, "--inlined=no", "main", out)[0])["functions"][0]["self"])
    chains = collections.Counter(tuple(row["inlined"]) for row in code["functions"][0]["instructions"])
    expect("chain", ("text::Rng::next()", "text::Rng::below(unsigned int)", "make_text(int)") in chains, True)
    expect("code of main itself", () in chains, True)
    expect("text of asm", "inlined text::Rng::next() <- text::Rng::below(unsigned int) <- make_text(int)" in run("asm", "main", out)[0], True)
    expect("where it is", "'text::Rng::next()' is inlined in 'main'" in run("asm", "Rng::next", out, status=1)[1], True)


def check_sources(out):
    """Lines are of the functions that they are in."""
    lines = json.loads(run("lines", "--json", "--limit", 0, out)[0])["rows"]
    found = {row["function"] for row in lines if row["source_file"].endswith("/words.cpp") and row["line"] == 51}
    expect("function of line 51", found, {"make_text(int)"})
    expect("annotate", "make_text(int)" in run("annotate", "--limit", 10, "--auto=no", out)[0], True)


def check_info(out, program, problem=None):
    known = json.loads(run("info", "--json", out)[0])["inlined_code"]
    found = [each for each in known["objects"] if each["object"] == str(program)]
    expect("objects with 1 % of the cost", len(found), 1)
    if problem is None:
        expect("why not", (known["problem"], found[0]["problem"], found[0]["refused_functions"]), (None, None, 0))
    elif not re.search(problem, found[0]["problem"]):
        sys.exit(f"info does not say that it {problem}: {found[0]}")
    expect("text of info", "Inlined code as functions" in run("info", out)[0], True)


def has_page(out):
    return "without the web page" not in subprocess.run([callcost, "report", out, "-o", "-"], capture_output=True, text=True).stderr


def page_data(folder, *words):
    """What a report says about inlined code: the manifest, and the maps of each profile."""
    html = folder / "report.html"
    run("report", "-q", "--no-code", *words, "-o", html)
    text = html.read_text()
    manifest = json.loads(re.search(r'id="callcost-manifest">(.*?)</script>', text)[1])
    blocks = {name: re.search(rf'id="{name}">(.*?)</script>', text)[1] for name in ("i0", "i1") if f'id="{name}">' in text}
    return manifest, {name: json.loads(gzip.decompress(base64.b64decode(block)))["maps"] for name, block in blocks.items()}


def check_page(folder, out):
    """A report has the profile as recorded and what is needed to show inlined code; both profiles or none."""
    if not has_page(out):
        return
    manifest, maps = page_data(folder, out)
    expect("block of the manifest", manifest["profiles"][0]["inlined"], "i0")
    of_program = next(one for one in maps["i0"] if one["object"].endswith("words-O2"))
    expect("functions in the map", any(name.startswith("text::Rng::next") for name, *_ in of_program["functions"]), True)
    expect("maps without --inlined", page_data(folder, "--inlined=no", out)[1], {})
    expect("maps of both profiles", sorted(page_data(folder, out, "--diff", out)[1]), ["i0", "i1"])
    part = subprocess.run([callcost, "report", "-q", "--no-code", "--part=1", out, "-o", "-"], capture_output=True, text=True)
    expect("maps of one part", part.stdout.count('id="i0"'), 1)
    lines = folder / "lines.out"
    manifest, maps = page_data(folder, out, "--diff", lines)
    expect("maps if the old profile has no addresses", maps, {})
    expect("why", manifest["inlined_problem"]["message"], "the profile has no instruction addresses (old profile)")


def check_refused(folder):
    """A program that is not as it was measured is named unasked; without debug information nothing is said."""
    program = folder / "refused" / "tree"
    program.parent.mkdir()
    build(SOURCES / "tree.cpp", program, "-O2", "-g", "-Wl,--build-id")
    out = profile(program)
    whole = program.read_bytes()
    sections = subprocess.run(["readelf", "-SW", program], capture_output=True, text=True, check=True).stdout
    offset, size = (int(text, 16) for text in re.search(r" \.debug_info +PROGBITS +\S+ (\S+) (\S+)", sections).groups())
    program.write_bytes(whole[:offset] + bytes(i * 37 & 255 for i in range(size)) + whole[offset + size :])
    said = lambda file: run("top", file)[1]
    problem = "warning: inlined code is not shown as functions: "
    expect("damaged", f"{problem}debug information of '{program}' is damaged" in said(out), True)
    program.write_bytes(whole)
    expect("whole", said(out), "")
    build_id = re.search(r"Build ID: (\w+)", subprocess.run(["readelf", "-n", program], capture_output=True, text=True).stdout)[1]
    other = folder / "refused" / "other.out"
    for build_id, wanted in ((build_id, False), (build_id[::-1], True)):
        other.write_text(out.read_text().replace("positions:", f"desc: Build-id: {build_id} {program}\npositions:"))
        expect("another build", f"{problem}'{program}' is not the file that was measured: it has another build ID" in said(other), wanted)
    subprocess.run(["strip", program], check=True)
    expect("stripped", said(out), "")


def check_history(folder):
    """What is in the history was measured long ago: it is expanded by itself only if the profile has the build ID."""
    program, out, known = folder / "tree", folder / "tree.out", folder / "known.out"
    build_id = re.search(r"Build ID: (\w+)", subprocess.run(["readelf", "-n", program], capture_output=True, text=True).stdout)[1]
    known.write_text(out.read_text().replace("\ndesc: ", f"\ndesc: Build-id: {build_id} {program}\ndesc: ", 1))
    store = folder / "store"
    for series, file in (("unknown", out), ("known", known)):
        run("history", "add", "-q", "--store", store, "--series", series, file)
    for series, inlined, is_expanded in (("unknown", "auto", False), ("unknown", "yes", True), ("known", "auto", True)):
        rows = json.loads(run("top", "--json", "--limit", 0, f"--inlined={inlined}", "--store", store, f"history:{series}")[0])["rows"]
        found = any(row["object"] == str(program) and row.get("inlined", {}).get("Ir", 0) for row in rows)
        expect(f"inlined code of a {series} build, {inlined}", found, is_expanded)


def check_other_builds(folder, out):
    """The program has changed since, in one function; then it has no debug information."""
    total = functions(out, "no")
    program = folder / "words-O2"
    text = (SOURCES / "words.cpp").read_text()
    (folder / "changed").mkdir()
    changed = folder / "changed" / "words.cpp"
    changed.write_text(text.replace("static std::string make_json", "\n\n\nstatic std::string make_json"))
    build(changed, program, "-O2", "-g", f"-ffile-prefix-map={folder}/changed={SOURCES}")
    _, errors = run("top", "--inlined=auto", out)
    if not re.search(r"\d+ of \d+ functions are not as in the program", errors):
        sys.exit(f"nothing is said about changed functions:\n{errors}")
    expect("total with changed functions", functions(out, "auto")["total"], total["total"])
    subprocess.run(["strip", "--strip-debug", program], check=True)
    expect_nothing_inlined(out, program, "has no debug information")
    program.unlink()
    expect_nothing_inlined(out, program, "words-O2")


def expect_nothing_inlined(out, program, why):
    """Other objects, such as the C library, may have debug information. `auto` says nothing, `yes` why."""
    rows = [row for row in functions(out, "auto")["rows"] if row["object"] == str(program)]
    expect("inlined functions of the program", [row["function"] for row in rows if row["inlined"]["Ir"] != 0] if rows and "inlined" in rows[0] else [], [])
    expect("functions", len(rows) > 20, True)
    expect("messages", run("top", "--inlined=auto", out)[1], "")
    check_info(out, program, why)
    errors = run("top", "--inlined=yes", out)[1]
    if not re.search(f"inlined code is not shown as functions: .*{why}", errors):
        sys.exit(f"nothing is said about what is missing:\n{errors}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        out = check_words(folder, "-O2")
        check_code(out)
        check_sources(out)
        check_info(out, folder / "words-O2")
        check_words(folder, "-O3")
        check_builds(folder, out)
        check_tree(folder)
        check_sources_of_cost(folder)
        check_contexts(folder)
        check_inputs(folder)
        check_page(folder, out)
        check_inlined_by_file(folder)
        check_history(folder)
        check_refused(folder)
        check_names(folder)
        check_other_builds(folder, out)


if __name__ == "__main__":
    main()
