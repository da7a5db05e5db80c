#!/usr/bin/env python3
"""Inclusive costs of real recursive programs against what their recorded paths say (F76).

    run.py EXECUTABLE

Of each program NAME there are
    NAME.out.gz             recorded with Callgrind's usual levels of recursion: every inclusive cost is exact
    NAME.callers.out.gz     the same with --separate-callers=100: names are whole paths, so the self costs of all paths
                            through a function are its inclusive cost; NAME.tsv has that where the file is large
    NAME.together.out.gz    with --separate-recs=1: bounds have to hold
recursion is recursion.c, json a program of the C++ standard library; the others are Debian's perl, dash, bash, mawk, jq
and tclsh on small scripts. Their runs differ by a few instructions. Then every pprof file of tests/imports against
`go tool pprof -top -cum`, where that is installed.
"""

import collections
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
IMPORTS = HERE.parent / "imports"
RUNS_DIFFER = 0.001  # of the total


def self_costs(path):
    """By name, with contexts, of the first event type."""
    names, costs, function, skips = {}, collections.Counter(), None, False
    with gzip.open(path, "rt", errors="surrogateescape") as lines:
        for line in lines:
            if named := re.match(r"c?fn=\((\d+)\)(?: (.*))?$", line):
                if named[2] is not None:
                    names[named[1]] = named[2]
                if line.startswith("fn="):
                    function = names[named[1]]
            elif line.startswith("calls="):
                skips = True
            elif re.match(r"[\d+*-]", line):
                if not skips:
                    costs[function] += int((line.split() + ["0"])[1])
                skips = False
    return costs


def truth_of(name):
    table = HERE / f"{name}.tsv"
    if table.exists():
        rows = (line.split("\t", 1) for line in table.read_text().splitlines())
        return {function: int(cost) for cost, function in rows}
    truth = collections.Counter()
    for path, cost in self_costs(HERE / f"{name}.callers.out.gz").items():
        for function in {piece for piece in path.split("'") if not piece.isdigit()}:
            truth[function] += cost
    return truth


def rows_of(executable, path):
    """Those whose name no other has, and the total."""
    done = subprocess.run([executable, "top", "--json", "--limit", "0", "--quiet", path], capture_output=True, check=True)
    answer = json.loads(done.stdout)
    event = answer["event"]
    count = collections.Counter(row["function"] for row in answer["rows"])
    rows = {row["function"]: (row["inclusive"][event], row.get("inclusive_bounds", {}).get(event), row["cycle"])
            for row in answer["rows"] if count[row["function"]] == 1}
    return rows, answer["total"][event], event


def faults_of_program(executable, name, seen):
    truth = truth_of(name)
    for kind in ("out", "callers.out", "together.out"):
        path = HERE / f"{name}.{kind}.gz"
        if not path.exists():
            continue
        rows, total, _ = rows_of(executable, path)
        slack = RUNS_DIFFER * total
        for function, (cost, bounds, cycle) in rows.items():
            true = truth.get(function, 0)
            seen["functions"] += 1
            seen["in cycles"] += cycle is not None
            seen["bounded"] += bounds is not None
            least, most = bounds or (cost, cost)
            if not least - slack <= true <= most + slack:
                yield f"{path.name}: {function} costs {least} to {most}, in truth {true}"
            if not least <= cost <= most:
                yield f"{path.name}: {function}: the estimate {cost} is not between {least} and {most}"
            if bounds and kind != "together.out":
                yield f"{path.name}: {function} is not exact"


def faults_of_pprof(executable, path, seen):
    rows, total, sample = rows_of(executable, path)
    command = ["go", "tool", "pprof", "-top", "-cum", "-functions", "-nodecount=100000", "-nodefraction=0", f"-sample_index={sample}"]
    shown = subprocess.run([*command, path], capture_output=True, text=True, check=True).stdout
    for line in shown.splitlines():
        row = re.match(r"\s*[\d.]+\S*\s+[\d.]+%\s+[\d.]+%\s+[\d.]+\S*\s+([\d.]+)%\s+(.*?)(?: \(inline\))?$", line)
        if not row or row[2] not in rows:
            continue
        seen["of pprof"] += 1
        cost, bounds, _ = rows[row[2]]
        share = 100 * cost / total
        if bounds or abs(share - float(row[1])) > 0.006:  # it prints two decimals
            yield f"{path.name}: {row[2]} costs {share:.3f}%, go tool pprof has {row[1]}%"


def main():
    executable = sys.argv[1]
    seen, faults = collections.Counter(), []
    for path in sorted(HERE.glob("*.out.gz")):
        if path.name.count(".") == 2:
            faults += faults_of_program(executable, path.name.removesuffix(".out.gz"), seen)
    if shutil.which("go"):
        for path in sorted(IMPORTS.glob("*.pb")):
            faults += faults_of_pprof(executable, path, seen)
    print(", ".join(f"{number} {what}" for what, number in seen.items()) + f", {len(faults)} wrong")
    print("\n".join(faults[:40]))
    enough = seen["functions"] > 4000 and seen["in cycles"] > 300 and seen["bounded"] > 100
    return 1 if faults or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
