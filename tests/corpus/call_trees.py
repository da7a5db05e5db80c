#!/usr/bin/env python3
"""Holds the trees of Xdebug's profiles in tests/profiles to the call tree that its blocks say (F66), path by path.

    call_trees.py EXECUTABLE

The blocks are read here once more, and put together as plainly as can be: every call is an object.
"""

import collections
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PROFILES = pathlib.Path(__file__).resolve().parent.parent / "profiles" / "xdebug"


class Call:
    def __init__(self, function):
        self.function, self.self, self.calls, self.callees, self.counts = function, [], [], [], []


def runs_of(text):
    """The blocks of each run of a file, in order, and whether it ended."""
    names, runs = {"fl": {}, "fn": {}}, []

    def name(kind, value):
        found = re.fullmatch(r"\((\d+)\)(?: (.*))?", value)
        if not found:
            return value
        if found[2] is not None:
            names[kind][found[1]] = found[2]
        return names[kind][found[1]]

    file = callee_file = callee = None
    in_call = False
    for line in text.split("\n"):
        if line.startswith("version:"):
            names = {"fl": {}, "fn": {}}
            runs.append(([], []))
        elif line.startswith("summary:"):
            runs[-1][1].append(True)
        elif line.startswith("fl="):
            file = name("fl", line[3:])
        elif line.startswith("fn="):
            runs[-1][0].append(Call((name("fn", line[3:]), file)))
        elif line.startswith("cfl="):
            callee_file = name("fl", line[4:])
        elif line.startswith("cfn=") and (line.endswith(")") or " " in line):
            callee = name("fn", line[4:]), callee_file
        elif line.startswith("calls="):
            in_call = True
            runs[-1][0][-1].counts.append(int(line[6:].split()[0]))
        elif line[:1].isdigit():
            costs = [int(word) for word in line.split()[1:]]
            call = runs[-1][0][-1]
            if in_call:
                call.calls.append((callee, costs))
            else:
                call.self = costs
            in_call = False
    return runs


def roots_of(blocks, has_ended):
    """Callees first: a call with n calls in it takes the last n that no other has taken."""
    returned = []
    for call in blocks:
        count = len(call.calls)
        callees = returned[len(returned) - count:] if count else []
        fits = [callee.function for callee in callees] == [function for function, _ in call.calls]
        assert fits or (call is blocks[-1] and not has_ended), f"{call.function}: the calls are of others"
        assert all(written == 1 for written in call.counts)
        if fits and count:
            del returned[-count:]
            call.callees = callees
        returned.append(call)
    return returned


def paths_of(roots):
    """path, where a function that calls itself is there once: [inclusive, self] by the first event type"""
    paths = collections.defaultdict(lambda: [0, 0])
    waiting = [(root, ()) for root in roots]
    while waiting:
        call, above = waiting.pop()
        path = above if above and above[-1] == call.function else (*above, call.function)
        for end in range(1, len(path) + 1):
            paths[path[:end]][0] += call.self[0]
        paths[path][1] += call.self[0]
        waiting += [(callee, path) for callee in call.callees]
    return {path: tuple(costs) for path, costs in paths.items() if costs[0]}


def shown_paths(executable, file):
    shown = subprocess.run([executable, "tree", "--json", "--limit", "0", "--depth", "0", "--threshold", "0", file],
                           capture_output=True, check=True)
    tree = json.loads(shown.stdout)
    assert tree["estimated"] is False, f"{file}: estimated"
    paths, rows = {}, []
    for frame in tree["frames"]:
        assert frame["kind"] == "function"
        above = rows[frame["parent"]] if frame["parent"] is not None else ()
        rows.append((*above, (frame["function"], frame["file"])))
        costs = frame["inclusive"], frame["self"]
        assert all(cost["least"] == cost["estimate"] == cost["most"] for cost in costs)
        assert rows[-1] not in paths, f"{file}: a path is there twice"
        paths[rows[-1]] = tuple(cost["estimate"] for cost in costs)
    return paths


def folded_stacks(executable, file):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.folded"
        subprocess.run([executable, "convert", "--to", "folded", "-o", out, file], capture_output=True, check=True)
        stacks = collections.Counter()
        for line in out.read_text("utf-8").splitlines():
            stack, _, cost = line.rpartition(" ")
            stacks[stack] += int(cost)
        return stacks


def stacks_of(roots):
    stacks, waiting = collections.Counter(), [(root, "") for root in roots]
    while waiting:
        call, above = waiting.pop()
        stack = above + call.function[0]
        if call.self[0]:
            stacks[stack] += call.self[0]
        waiting += [(callee, stack + ";") for callee in call.callees]
    return stacks


def main():
    executable = sys.argv[1]
    files = sorted(PROFILES.glob("*.cachegrind.out*"))
    assert len(files) >= 7
    for file in files:
        read = gzip.open if file.suffix == ".gz" else open
        with read(file, "rt", encoding="utf-8", newline="") as text:
            runs = runs_of(text.read())
        roots = [root for blocks, ended in runs for root in roots_of(blocks, bool(ended))]
        expected, shown = paths_of(roots), shown_paths(executable, file)
        wrong = {path for path in expected.keys() | shown.keys() if expected.get(path) != shown.get(path)}
        for path in sorted(wrong)[:10]:
            print(f"{file.name}: {path}: {shown.get(path)} instead of {expected.get(path)}")
        stacks = stacks_of(roots)
        are_folded = folded_stacks(executable, file) == stacks
        if wrong or not are_folded:
            sys.exit(f"{file.name}: {len(wrong)} of {len(expected)} paths are wrong; stacks right: {are_folded}")
    print(f"{len(files)} files")


if __name__ == "__main__":
    main()
