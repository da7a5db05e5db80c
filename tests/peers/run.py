#!/usr/bin/env python3
"""Opens what callcost writes in the real programs that people open it with, and compares the totals that these show with
those of ../profiles/MANIFEST.tsv. Prints a table: file, what it became, reader, verdict. `./dev peers` installs them.

    run.py EXECUTABLE [READER...]    readers: kcachegrind, pprof, dot, speedscope; all without any

kcachegrind  The real one, on a screen that nobody sees; its status bar is read through the accessibility bus.
pprof        `go tool pprof -raw`: the samples of every event add up to the total. Where a profile says more about what calls
             cost than what functions cost, stacks do, too, under "(unbalanced)": how much more they cost is told then, no fault.
dot          Graphviz draws DOT without a warning.
speedscope   A web page: the file is held to the fields that its published schema requires, and the weights to the total.
"""

import argparse
import concurrent.futures
import csv
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
PROFILES = HERE.parent / "profiles"
SCHEMA = "https://www.speedscope.app/file-format-schema.json"
SECONDS = 180
# A file of each sort: addresses and jumps, contexts, many parts, several event types, other producers, compressed.
SHOWN = ["callgrind/paths.out", "callgrind/cachesim-branch.out", "callgrind/instr-jumps.out", "callgrind/sepcallers-chain.out",
         "callgrind/client-requests.out", "callgrind/threads-separate-combined.out", "callgrind/names-latin1-utf8-long.out",
         "cachegrind/default.out", "xdebug/plain.cachegrind.out.gz", "lua-callgrind/lua5.1.callgrind", "yappi/cpu.callgrind",
         "go-pprof/cpu.callgrind", "pyprof2calltree/cprofile.callgrind", "valgrind-xtree/memory-full.kcg"]
one_screen = threading.Lock()  # two sessions that begin at a time get into each other's way


def run(*command, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, timeout=SECONDS, **options)
    return result.returncode, result.stdout.decode("utf-8", "replace"), result.stderr.decode("utf-8", "replace")


def totals(row):
    return {name: int(value) for name, _, value in (word.rpartition("=") for word in row["self_totals"].split())}


def summaries(row):
    """What a part says its total is, where that is known; readers take it for granted."""
    pieces = [list(map(int, piece.split())) for piece in row["declared_summary"].split("|") if piece.strip()]
    return dict(zip(row["events"].split(), map(sum, zip(*pieces)))) if pieces else {}


def same_or_more(expected, seen):
    """Costs of stacks against the totals: not less, and more only as far as that is said."""
    wrong = [f"{name} is {seen.get(name, 0)}, not {cost}" for name, cost in expected.items() if seen.get(name, 0) < cost]
    more = [f"{seen[name] - cost} {name}" for name, cost in expected.items() if seen.get(name, 0) > cost]
    if wrong:
        return f"WRONG: {', '.join(wrong)}"[:200]
    return f"more by {', '.join(more)}"[:200] if more else f"same totals of {sum(map(bool, expected.values()))} event types"


def compared(expected, seen, what="total"):
    return f"same {what} {seen}" if seen in expected else f"WRONG: {what} {seen}, not {expected[0]}"


def kcachegrind(path, row, folder):
    command = ["dbus-run-session", "--", "xvfb-run", "-a", "-s", "-screen 0 1280x960x24", HERE / "read_kcachegrind.py", path]
    for _ in range(3):  # windows that do not answer in time are asked again
        with one_screen:
            status, text, errors = run(*command, env={"PATH": "/usr/bin:/bin", "HOME": str(folder)})
        if status == 0 and '"loaded": true' in text:
            break
    if status or not text:
        return f"WRONG: cannot be asked: {errors.strip()[-200:]}"
    seen = json.loads(text)
    if not seen["loaded"]:
        return f"WRONG: shows no total; {' '.join(seen['complaints'])[:200]}"
    if seen["complaints"]:
        return f"WRONG: complains: {seen['complaints'][0][:200]}"
    first = row["events"].split()[0]  # the one that it begins with
    return compared([totals(row).get(first, 0), summaries(row).get(first)], seen["total"]) + f", {seen['parts']} part(s)"


def pprof(path, row, folder):
    status, text, errors = run("go", "tool", "pprof", "-raw", path, env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "PPROF_TMPDIR": str(folder)})
    samples = re.search(r"^Samples:\n(.*)\n(?s:(.*?))^Locations", text, re.M)
    if status or not samples:
        return f"WRONG: {errors.strip()[:200]}"
    names = [name.rpartition("/")[0] for name in samples[1].replace("[dflt]", "").split()]
    sums = [sum(column) for column in zip(*([int(number) for number in line.split(":")[0].split()]
                                            for line in samples[2].splitlines() if re.match(r"^ *-?\d+[\d -]*:", line)))]
    seen = {name: cost for name, cost in zip(names, sums) if cost}
    return same_or_more(totals(row), seen)


def dot(path, _, folder):
    status, text, errors = run("dot", "-Tsvg", path)
    return f"draws {text.count('class=' + chr(34) + 'node')} nodes" if status == 0 and not errors else f"WRONG: {errors[:200]}"


def speedscope(path, row, _):
    data = json.loads(path.read_text("utf-8"))
    frames = data["shared"]["frames"]
    if data["$schema"] != SCHEMA or not all(isinstance(frame["name"], str) for frame in frames):
        return "WRONG: no $schema, or a frame without name"
    expected, wrong = totals(row), []
    for profile in data["profiles"]:
        if profile["type"] != "sampled" or not {"name", "unit", "startValue", "endValue", "samples", "weights"} <= profile.keys():
            return f"WRONG: a profile lacks fields: {sorted(profile)}"
        if len(profile["samples"]) != len(profile["weights"]):
            wrong.append(f"{profile['name']}: {len(profile['samples'])} stacks, {len(profile['weights'])} weights")
        if any(not 0 <= frame < len(frames) for stack in profile["samples"] for frame in stack):
            wrong.append(f"{profile['name']}: a frame that is not there")
        if sum(profile["weights"]) != profile["endValue"] - profile["startValue"]:
            wrong.append(f"{profile['name']}: weights are {sum(profile['weights'])}, the end {profile['endValue']}")
    if wrong:
        return f"WRONG: {'; '.join(wrong)}"[:200]
    # Tens of nanoseconds become nanoseconds.
    scale = {name: 10 if name.endswith("(10ns)") else 1 for name in expected}
    seen = {profile["name"].partition(" (estimated")[0]: sum(profile["weights"]) for profile in data["profiles"]}
    return same_or_more({name: cost * scale[name] for name, cost in expected.items()}, seen)


# reader: (what it is given, of which suffix)
READERS = {kcachegrind: (("portable", "compact", "strict", "cachegrind"), ".out"), pprof: (("pprof",), ".pb.gz"),
           dot: (("dot",), ".dot"), speedscope: (("speedscope",), ".json")}


def check(executable, reader, path, row, form, suffix):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        written = folder / f"written{suffix}"
        status, _, errors = run(executable, "convert", "--quiet", path, "--to", form, "-o", written,
                                *(["--without-calls"] if form == "cachegrind" else []), cwd=PROFILES)
        if status:
            return f"refused: {errors.splitlines()[0].rpartition('not written: ')[2]}"
        return reader(written, row, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("executable", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("readers", nargs="*", metavar="READER")
    options = parser.parse_args()
    csv.field_size_limit(sys.maxsize)
    with (PROFILES / "MANIFEST.tsv").open(encoding="utf-8", newline="") as table:
        rows = {row["path"]: row for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)}
    readers = {reader: what for reader, what in READERS.items() if not options.readers or reader.__name__ in options.readers}
    jobs = [(path, form, reader, suffix) for reader, (forms, suffix) in readers.items() for path in SHOWN for form in forms]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        verdicts = [(job, pool.submit(check, options.executable, job[2], job[0], rows[job[0]], job[1], job[3])) for job in jobs]
        failed = 0
        print(f"{'file':44} {'written as':11} {'reader':12} verdict")
        for (path, form, reader, _), verdict in verdicts:
            text = verdict.result()
            failed += text.startswith("WRONG")
            print(f"{path:44} {form:11} {reader.__name__:12} {text}", flush=True)
    print(f"{len(jobs)} looked at, {failed} wrong")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
