#!/usr/bin/env python3
"""Compares `callcost annotate --style=valgrind` with the real callgrind_annotate 3.19, byte for byte.

    run.py EXECUTABLE [--verbose] [PROFILE...]

Every profile of tests/profiles on which that tool is right (EXCLUDED says which are not, and why) is shown under all
its options and under combinations in which every two values of any two options meet. Only what the tool itself prints in
another order on every run is put in order before comparing: annotated source files, and calls of equal cost.
"""

import argparse
import concurrent.futures
import difflib
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

PROFILES = pathlib.Path(__file__).resolve().parent.parent / "profiles"
TOOL = "callgrind_annotate"
VERSION = "callgrind_annotate-3.19.0"
SOURCE_TIME = 1_500_000_000  # sources are older than profiles, whenever the checkout was made
PROFILE_TIME = 1_600_000_000

# Why the tool is wrong about a profile, or cannot read it.
PARTS = "several parts: their costs are added up, but the total is that of the last one"
ACTIVE = "calls=0: the cost of such calls is taken for self cost"
LINES = "lines it does not know: hidden options, header lines after events:, other columns, compression"
SAME_LINE = "a line that calls a function several times: only one of the calls is shown, not their sum"
ORDER = "fi= before the first fn=: it ends"
FILES = "which file a line without fi= is in, after a call in another file or a new function (F47, F51)"
NAMELESS = "an empty name of a file stays empty instead of becoming ??? (F34)"
SELF = "self costs that exceed the total: the share of what is annotated ends at 100 %"

EXCLUDED = {
    "breezy/callgrind.out.brz": ORDER,
    "callgrind/bb-line.out": LINES,
    "callgrind/bbs.out": LINES,
    "callgrind/client-requests.out": PARTS,
    "callgrind/combined-instr-jumps-cache.out": PARTS,
    "callgrind/compress-mangled-sepcallers.out": LINES,
    "callgrind/dump-before-combined.out": PARTS,
    "callgrind/every-bb-combined.out": PARTS,
    "callgrind/every-bb.out": ACTIVE,
    "callgrind/instr-bb-line.out": LINES,
    "callgrind/mangle-no-sepcallers.out": LINES,
    "callgrind/paths-callers3.out": SAME_LINE,
    "callgrind/paths-every-caller.out": SAME_LINE,
    "callgrind/paths.out": SAME_LINE,
    "callgrind/pos-compressed.out": PARTS,
    "callgrind/pos-plain.out": PARTS,
    "callgrind/threads-separate-combined-every-bb.out": PARTS,
    "callgrind/threads-separate-combined.out": PARTS,
    "callgrind/threads-separate.out": "empty",
    "callgrind/unloaded-library-nocompress.out": FILES,
    "callgrind/unloaded-library.out": FILES,
    "callgrind/zero-before.out": ACTIVE,
    "erlang/eep.callgrind": LINES,
    "erlang/erlgrind-fprof.cgrind": ACTIVE,
    "go-pprof/cpu-calltree.callgrind": ACTIVE,
    "go-pprof/cpu-diff-negative.callgrind": ACTIVE,
    "go-pprof/cpu.callgrind": ACTIVE,
    "go-pprof/goroutine.callgrind": ACTIVE,
    "go-pprof/heap-alloc-space.callgrind": ACTIVE,
    "kcachegrind-converters/dprof2calltree.callgrind": LINES,
    "kcachegrind-converters/memprof2calltree.callgrind": ACTIVE,
    "mercurial/hg-log.callgrind": ORDER,
    "perfgrind/callgraph-source-instr.grind": FILES,
    "pprofile/det.callgrind": LINES,
    "pprofile/stat.callgrind": LINES,
    "remake/process-1.callgrind": SELF,
    "ruby-prof/memory-1.callgrind": NAMELESS,
    "ruby-prof/wall-1.callgrind": NAMELESS,
    "ruby-prof/wall-2-thread.callgrind": NAMELESS,
    "valgrind-xtree/helgrind-memory-full.kcg": ACTIVE,
    "valgrind-xtree/leak.kcg": ACTIVE,
    "valgrind-xtree/memory-full-nocompress.kcg": ACTIVE,
    "valgrind-xtree/memory-full.kcg": ACTIVE,
    "xdebug/append-two-runs.cachegrind.out": PARTS,
    "xdebug/plain.cachegrind.out.gz": LINES,
}

# Profiles with recursive calls: the tool counts these twice in inclusive costs.
RECURSIVE = {
    "callgrind/all-events.out",
    "callgrind/alloc.out",
    "callgrind/cachesim-branch.out",
    "callgrind/cacheuse-instr.out",
    "callgrind/default.out",
    "callgrind/instr-jumps-nocompress.out",
    "callgrind/instr-jumps.out",
    "callgrind/instr-noline.out",
    "callgrind/instr.out",
    "callgrind/jumps.out",
    "callgrind/names-latin1-utf8-long.out",
    "callgrind/newline-in-cmd.out",
    "callgrind/no-demangle.out",
    "callgrind/nocompress-both.out",
    "callgrind/python-instr-jumps.out",
    "callgrind/sepcallers-chain.out",
    "callgrind/sepcallers1-seprecs3.out",
    "callgrind/stl-O2-instr-jumps.out",
    "callgrind/stripped.out",
    "callgrind/threads-separate.out-01",
    "callgrind/threads-separate.out-02",
    "callgrind/threads-separate.out-03",
    "gdb-callgrind/top.callgrind",
    "pyprof2calltree/cprofile.callgrind",
    "remake/process-1.callgrind",
    "remake/process-2.callgrind",
    "xdebug/anonymous-classes.cachegrind.out",
    "xdebug/cli-r.cachegrind.out",
    "xdebug/plain.cachegrind.out",
    "xdebug/space-in-path.cachegrind.out",
}

# Profiles without summary: and totals:, for which the tool adds up inclusive costs to a total.
WITHOUT_TOTAL = {
    "gperftools/cpu.callgrind",
    "gperftools/heap-alloc-space.callgrind",
    "kcachegrind-converters/op2calltree.callgrind",
    "lua-callgrind/lua5.1.callgrind",
    "nytprof/plain.callgrind",
    "perfgrind/callgraph-symbol.grind",
    "phpspy/sample.cg",
    "stackprof/cpu.callgrind",
    "stackprof/object.callgrind",
    "xdebug/killed.cachegrind.out",
    "yappi/cpu.callgrind",
    "yappi/wall.callgrind",
}

# Profiles in which several functions have calls on one source line: the tool shows those of one of them.
SHARED_LINES = {
    "callgrind/all-events.out",
    "callgrind/alloc.out",
    "callgrind/cachesim-branch.out",
    "callgrind/cacheuse-instr.out",
    "callgrind/default.out",
    "callgrind/instr-jumps-nocompress.out",
    "callgrind/instr-jumps.out",
    "callgrind/instr.out",
    "callgrind/jumps.out",
    "callgrind/names-latin1-utf8-long.out",
    "callgrind/newline-in-cmd.out",
    "callgrind/no-demangle.out",
    "callgrind/nocompress-both.out",
    "callgrind/python-instr-jumps.out",
    "callgrind/sepcallers-chain.out",
    "callgrind/sepcallers1-seprecs3.out",
    "callgrind/stl-O2-instr-jumps.out",
    "callgrind/stripped.out",
    "callgrind/templates-same-line.out",
    "callgrind/threads-separate.out-01",
    "callgrind/threads-separate.out-02",
    "callgrind/threads-separate.out-03",
    "nytprof/plain.callgrind",
}

# Profiles with a colon in the names of files: to the tool, the name ends there when it looks for sources.
COLONS = {
    "nytprof/plain.callgrind",
    "stackprof/cpu.callgrind",
    "stackprof/object.callgrind",
    "xdebug/anonymous-classes.cachegrind.out",
    "xdebug/cli-r.cachegrind.out",
    "xdebug/killed.cachegrind.out",
    "xdebug/plain.cachegrind.out",
    "xdebug/space-in-path.cachegrind.out",
}

# Profiles with ids of names that are never defined: to the tool, these names are empty.
WITHOUT_NAMES = {"yappi/cpu.callgrind", "yappi/wall.callgrind"}

# Shown under all combinations of options; the others under some of them.
THOROUGH = {
    "cachegrind/branch.out",
    "callgrind/alloc.out",
    "callgrind/cachesim-branch.out",
    "callgrind/templates-same-line.out",
    "callgrind/toggle-collect.out",
    "lua-callgrind/lua5.1.callgrind",
    "xdebug/plain.cachegrind.out",
}

OPTIONS = (
    ("", "--threshold=100", "--threshold=50", "--threshold=95.5%", "--threshold=0"),
    ("", "--show=LAST", "--show=LAST,FIRST"),
    ("", "--sort=LAST", "--sort=LAST:70,FIRST:50", "--sort=FIRST:100"),
    ("", "--show-percs=no", "--show-percs=yes"),
    ("", "--inclusive=yes", "--inclusive=no"),
    ("", "--tree=caller", "--tree=calling", "--tree=both", "--tree=none"),
    ("--auto=no", "--auto=yes", ""),
    ("", "--context=0", "--context=3", "--context=100"),
    ("-I=tree", "--include=tree/", ""),
    ("", "SOURCE"),
)


# What no real profile of the corpus has: lines past the end of a source, of no number, without and with all costs; sources
# that are empty, lack a final newline, have CR LF, are newer than the profile, or are found in the second place only.
EDGES = """# callgrind format
version: 1
creator: callgrind-3.19.0
cmd: ./edges
part: 1
positions: line
events: Ir Dr Dw
summary: 1000 50

ob=/bin/edges
fl=long.c
fn=main
0 10 0
5 10 5
22 7
23 7 1 0
60 5
cob=/lib/other
cfi=short.c
cfn=short
calls=1234 3
60 400 5 0
cfi=short.c
cfn=bare
calls=1 3
62 100
98 0
99 3
105 3
300 300
ob=/lib/other
fl=short.c
fn=short
1 20 3
3 380 2 0
fl=empty.c
fn=empty
1 1
fl=crlf.c
fn=crlf
1 5
fl=newer.c
fn=newer
2 5
9 5
fl=short.c
fn=bare
2 100
"""
EDGE_SOURCES = {
    "long.c": "".join(f"line {number}\n" for number in range(1, 101)),
    "short.c": "a\nb\nc",
    "empty.c": "",
    "tree/crlf.c": "x\r\n\ty\r\n",
    "newer.c": "one\ntwo\nthree\n",
}


def write_edges(folder):
    (folder / "edges.out").write_text(EDGES)
    os.utime(folder / "edges.out", (PROFILE_TIME, PROFILE_TIME))
    for name, text in EDGE_SOURCES.items():
        (folder / name).write_bytes(text.encode())
        time = PROFILE_TIME + (60 if name == "newer.c" else -60)
        os.utime(folder / name, (time, time))


TREE = [values[1].startswith("--tree") for values in OPTIONS].index(True)


def pairwise(options):
    """Rows in which each pair of values of two options occurs at least once; greedy, so always the same."""
    missing = {
        (i, a, j, b)
        for (i, first), (j, second) in itertools.combinations(enumerate(options), 2)
        for a in range(len(first))
        for b in range(len(second))
    }
    rows = []
    while missing:
        row = {}
        i, a, j, b = min(missing)
        row[i], row[j] = a, b
        for k in range(len(options)):
            if k not in row:
                gain = lambda value: sum((min(k, o), *((value, v) if k < o else (v, value))) and
                                         ((k, value, o, v) if k < o else (o, v, k, value)) in missing for o, v in row.items())
                row[k] = max(range(len(options[k])), key=lambda value: (gain(value), -value))
        missing -= {(x, row[x], y, row[y]) for x, y in itertools.combinations(range(len(options)), 2)}
        rows.append([options[k][row[k]] for k in range(len(options))])
    return rows


def events_of(profile):
    for line in profile.read_bytes().split(b"\n"):
        if line.startswith(b"events:"):
            return line[7:].decode().split()
    return []


def source_of(profile):
    """A source file that the profile names, as it is below the folder `tree`."""
    sources = PROFILES / "sources"
    for line in profile.read_bytes().split(b"\n"):
        found = re.match(rb"f[lie]=(?:\(\d+\) )?/home/user/src/(.+)", line)
        if found and (sources / os.fsdecode(found[1])).is_file():
            return "/home/user/src/" + os.fsdecode(found[1])
    return "/home/user/src/small.cpp"


def arguments_of(profile, row):
    events = events_of(profile) or ["Ir"]
    words = [word.replace("LAST", events[-1]).replace("FIRST", events[0]) for word in row if word and word != "SOURCE"]
    if "SOURCE" not in row:
        return words + ["profiles/" + name_of(profile)]
    directory = [] if any("tree/" in word or "=tree" in word for word in words) else ["-I=tree"]
    return words + directory + ["profiles/" + name_of(profile), source_of(profile)]


def name_of(profile):
    return profile.relative_to(PROFILES).as_posix()


CALL = re.compile(rb"^(.*?)  (=> |< |>   )")
RULE = b"-" * 80
ANNOTATED = re.compile(rb"-- (Auto|User)-annotated source: ")


def in_order(text, arguments):
    """The lines, with annotated files by name, and calls by name among those of equal cost."""
    # Whether costs are equal can only be seen if all of them are shown.
    shows_all = not any(word.startswith(("--sort", "--show=")) for word in arguments)

    def kind_of_call(line):
        found = CALL.match(line)
        return found and (found[2], found[1] if shows_all else b"")

    lines = []
    for kind, members in itertools.groupby(text.split(b"\n"), kind_of_call):
        lines += sorted(members) if kind else members

    sections = [[]]
    for at, line in enumerate(lines):
        if line == RULE and lines[at + 1 : at + 3][-1:] == [RULE]:  # a title between two rules
            sections.append([])
        sections[-1].append(line)
    is_source = [bool(section[1:] and ANNOTATED.match(section[1])) for section in sections]
    sources = iter(sorted(section for section, is_one in zip(sections, is_source) if is_one))
    return [line for section, is_one in zip(sections, is_source) for line in (next(sources) if is_one else section)]


def run(command, arguments, folder):
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    return subprocess.run(command + arguments, cwd=folder, env=environment, capture_output=True)


def compare(executable, name, arguments, folder):
    """None, or how they differ."""
    theirs = run([TOOL], arguments, folder)
    # Under the tool's own name, too.
    command = [f"{folder}/{TOOL}"] if len(arguments) % 2 else [executable, "annotate", "--style=valgrind"]
    ours = run(command + ["--quiet"], arguments, folder)
    if theirs.returncode or ours.returncode:
        return f"exit {theirs.returncode} and {ours.returncode}: {theirs.stderr.decode()[:300]}{ours.stderr.decode()[:300]}"
    text = [in_order(out.stdout, arguments) for out in (theirs, ours)]
    if name in SHARED_LINES:
        text = [[line for line in lines if b"  => " not in line] for lines in text]
    if text[0] == text[1]:
        return None
    text = [[line.decode("latin-1") for line in lines] for lines in text]
    difference = itertools.islice(difflib.unified_diff(*text, TOOL, "callcost", lineterm="", n=1), 24)
    return "\n".join(line[:200] for line in difference)


def is_excluded(name, row):
    if "--inclusive=yes" in row and name in RECURSIVE | WITHOUT_TOTAL:
        return True
    if name in COLONS and ("--auto=no" not in row or "SOURCE" in row):
        return True
    return name in WITHOUT_NAMES and not {"", "--tree=none"} & {row[TREE]}


def rows_of(name, rows):
    """The combinations that a profile is shown under: all, or every so many, not the same ones for each profile."""
    if name in EXCLUDED:
        return []
    step = 1 if name in THOROUGH else 8 if "python" in name else 3
    start = zlib.crc32(name.encode()) % step
    chosen = rows[:1] + [row for at, row in enumerate(rows) if at and at % step == start]
    return [row for row in chosen if not is_excluded(name, row)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("executable")
    parser.add_argument("profiles", nargs="*", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true", help="show every difference")
    parser.add_argument("--first", type=int, help="only so many combinations for each profile")
    options = parser.parse_args()
    if not shutil.which(TOOL):
        sys.exit(f"{TOOL} is not installed (Debian package valgrind)")
    version = subprocess.run([TOOL, "--version"], capture_output=True, text=True)
    if VERSION not in version.stdout + version.stderr:
        sys.exit(f"{TOOL} is not of Valgrind 3.19")
    executable = str(pathlib.Path(options.executable).resolve())
    for path in PROFILES.rglob("*"):
        time = SOURCE_TIME if PROFILES / "sources" in path.parents else PROFILE_TIME
        if path.is_file() and path.stat().st_mtime != time:
            os.utime(path, (time, time))
    profiles = [path.resolve() for path in options.profiles] or sorted(
        path for path in PROFILES.rglob("*")
        if path.is_file() and path.parent != PROFILES and not {"sources", "hostile"} & set(path.relative_to(PROFILES).parts)
    )
    rows = pairwise(OPTIONS)[: options.first]
    jobs = [(name_of(profile), arguments_of(profile, row)) for profile in profiles for row in rows_of(name_of(profile), rows)]
    if not options.profiles:
        for row in rows:
            words = [word.replace("LAST", "Dw").replace("FIRST", "Ir") for word in row if word and word != "SOURCE"]
            jobs.append(("edges", words + ["edges.out"] + ["long.c"] * ("SOURCE" in row)))
    failed = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.symlink(executable, f"{folder}/{TOOL}")
        os.symlink(PROFILES, f"{folder}/profiles")
        shutil.copytree(PROFILES / "sources", f"{folder}/tree/home/user/src")
        write_edges(pathlib.Path(folder))
        for (name, arguments), difference in zip(jobs, pool.map(lambda job: compare(executable, *job, folder), jobs)):
            if difference:
                failed.setdefault(name, []).append((arguments, difference))
    for name, cases in failed.items():
        print(f"{name}: {len(cases)} differ")
        for arguments, difference in cases if options.verbose else cases[:1]:
            print(" ", TOOL, *arguments)
            print(difference)
    count = sum(map(len, failed.values()))
    print(f"{len(jobs) - count} of {len(jobs)} comparisons equal ({len(rows)} combinations of options)")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
