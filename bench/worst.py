#!/usr/bin/env python3
"""Memory and time of commands on the profiles that are worst for them: each has very many of one thing.

worst.py CALLCOST [--scale SHARE] [--check] [--json]: SHARE of the full size (default: 1); --check fails above the limits.

Eight times the file is what all commands should take at most, or 100 MB; the limits here are as far above what is measured as
other allocators and checks may need. Bombs, which make very much of little, have to be refused (docs/commands.md, Limits), and
are not smaller with --scale where the limit does not depend on the size. Four take more: a name that is never defined is
three lines of the file, but a function, an arc and a row of the list; a path of recorded stacks is 8 bytes of the file, but an
arc with its record, cost and callers (some 70 bytes), a stack (16), a row of the tree (32) and one of what is written (32);
stacks of pprof may take 64 times the file; an instruction of 7 bytes is a row with its own costs, calls and jumps. What reading
by several threads has at hand, some 25 MB, counts for `top` of stacks, the smaller they are.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

BESIDE = 100_000_000  # bytes that any command may take
SMALLEST = 25_000_000  # what a command takes for an empty file, and some more
HEAD = "version: 1\ncreator: callgrind-3.19.0\npositions: {}\nevents: {}\n"


def of_files(count):
    """Many source files, none of which is there."""
    yield HEAD.format("line", "Ir") + "fn=(1) main\n"
    for i in range(count):
        yield f"fi=({i + 1}) /src/d{i % 977}/f{i}.c\n1 1\n"
    yield f"totals: {count}\n"


def of_one_name(count, side, directory="s"):
    yield HEAD.format("line", "Ir")
    for i in range(count):
        yield f"fl=({i + 1}) /{directory}/f{i}.c\nfn=(1) same\n{1 + side} {1 + (i + side) % 5}\n"
    yield f"totals: {sum(1 + (i + side) % 5 for i in range(count))}\n"


def of_undefined(count):
    """Names that are never defined, each a function with a call."""
    yield HEAD.format("line", "Ir")
    for i in range(count):
        yield f"fn=({i + 5})\n1 1\ncfn=({i + 6})\ncalls=1 1\n1 1\n"
    yield f"totals: {count}\n"


def of_stacks(count):
    state = 1
    for i in range(count):
        names = []
        for _ in range(5):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            names.append(f"f{(state >> 33) % 2000}")
        yield f"{';'.join(names)} {i % 9 + 1}\n"


def of_events(functions, events):
    yield HEAD.format("line", " ".join(f"E{i}" for i in range(events)))
    for i in range(functions):
        yield f"fn=f{i}\n{i + 1} 1\n"
    yield f"totals: {functions}\n"


def of_instructions(count):
    yield HEAD.format("instr line", "Ir") + "fl=a.c\nfn=main\n0x1000 1 1\n"
    for _ in range(count):
        yield "+1 * 1\n"
    yield f"totals: {count + 1}\n"


def of_threads(count):
    yield HEAD.format("line", "Ir")
    for i in range(count):
        yield f"part: 1\nthread: {i + 1}\nfn=main\n1 1\n\ntotals: 1\n\n"


def of_depth(count):
    """A .cpuprofile with a single stack."""
    yield '{"nodes":['
    for i in range(count):
        frame = {"functionName": f"f{i % 1000}", "scriptId": "1", "url": "file:///a.js", "lineNumber": i % 1000, "columnNumber": 1}
        node = {"id": i + 1, "callFrame": frame, "hitCount": 1, "children": [i + 2] if i + 1 < count else []}
        yield (", " if i > 0 else "") + json.dumps(node)
    yield f'],"startTime":0,"endTime":{count}}}'


def varint(number):
    more = bytearray()
    while number > 127:
        more.append(number & 127 | 128)
        number >>= 7
    return bytes([*more, number])


def message(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def number(field, value):
    return varint(field << 3) + varint(value)


def of_inlining(samples):
    """A pprof file: each byte of a sample is a location with 1,000 inlined functions."""
    state = random.Random(1)
    yield message(1, number(1, 1) + number(2, 2))
    names = [b"", b"samples", b"count", *(b"f%d" % i for i in range(2000))]
    yield from (message(6, name) for name in names)
    yield from (message(5, number(1, i + 1) + number(2, i + 3)) for i in range(2000))
    for i in range(127):
        lines = b"".join(message(4, number(1, 1 + (i * 7 + j) % 2000)) for j in range(1000))
        yield message(4, number(1, i + 1) + lines)
    ids = bytes(i % 127 + 1 for i in range(256))
    yield from (message(2, message(1, state.randbytes(20).translate(ids)) + message(2, b"\1")) for _ in range(samples))


@dataclasses.dataclass
class Case:
    name: str
    what: str
    arguments: tuple  # files by their names
    factor: float = 8  # of the size of the files
    seconds: float = 3
    is_refused: bool = False  # until it is forced

    def limit(self, file, share):
        """In bytes. A part of the 100 MB does not depend on the size."""
        return max(self.factor * file, BESIDE * share) + (1 - share) * SMALLEST


CASES = (
    Case("files", "annotate, 1,000,000 source files", ("annotate", "files")),
    Case("names", "diff, 500,000 functions of one name", ("diff", "--force", "names0", "names1")),
    Case("moved", "diff, the same in another directory", ("diff", "--force", "names0", "moved"), factor=9.5),
    Case("undefined", "annotate, 1,000,000 undefined names", ("annotate", "undefined"), factor=10.5, seconds=4),
    Case("stacks", "top, 300,000 folded stacks", ("top", "stacks"), factor=15),
    Case("paths", "convert to pprof, 300,000 folded stacks", ("convert", "stacks", "--to", "pprof", "-o", "stacks.pb.gz"), 24, 4.5),
    Case("events", "valgrind style, 1,000 event types", ("annotate", "--style=valgrind", "events")),
    Case("instructions", "asm, a function of 1,000,000 instructions", ("asm", "main", "instructions"), factor=38),
    Case("inlining", "tree, pprof with 1,000 inlined functions", ("tree", "inlining"), 64, is_refused=True),
    Case("depth", "convert to folded, a stack of 100,000", ("convert", "depth", "--to", "folded", "-o", "-"), is_refused=True),
    Case("depth to pprof", "convert to pprof, the same", ("convert", "depth", "--to", "pprof", "-o", "-"), is_refused=True),
    Case("event names", "diff, 300,000 event types", ("diff", "names of events", "names of events")),
    Case("columns", "convert, 1,000 event types", ("convert", "columns", "--to", "portable", "-o", "-")),
    Case("threads", "split, 60,000 threads", ("split", "threads", "--by", "thread", "-o", "pieces"), is_refused=True),
)


def write_files(directory, share):
    count = round(1_000_000 * share)
    texts = {
        "files": of_files(count),
        "names0": of_one_name(count // 2, 0),
        "names1": of_one_name(count // 2, 1),
        "moved": of_one_name(count // 2, 1, "t"),
        "undefined": of_undefined(count),
        "stacks": of_stacks(count * 3 // 10),
        "events": of_events(round(3000 * share), 1000),
        "instructions": of_instructions(count),
        "depth": of_depth(100_000),
        "names of events": of_events(1, round(300_000 * share)),
        "columns": of_events(round(50_000 * share), 1000),
        "threads": of_threads(round(60_000 * share)),
        "inlining": of_inlining(round(300_000 * share)),
    }
    for name, text in texts.items():
        with open(directory / name, "wb") as file:
            file.writelines(part if isinstance(part, bytes) else part.encode() for part in text)


@dataclasses.dataclass
class Taken:
    file: int  # bytes
    memory: int  # bytes
    seconds: float  # of the processor


def run(callcost, case, directory):
    file = sum((directory / name).stat().st_size for name in case.arguments if (directory / name).is_file())
    with subprocess.Popen([callcost, *case.arguments], cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ((1,) if case.is_refused else (0, 3)) or case.is_refused != (b"--force" in errors):
        sys.exit(f"{case.what}: exit status {process.returncode}: {errors.decode()}")
    return Taken(file, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)


def measure(callcost, share=1.0):
    """By Case.name."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        write_files(directory, share)
        return {case.name: run(callcost, case, directory) for case in CASES}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("callcost", type=os.path.abspath)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true", help="print what was taken, by the names of the cases")
    options = parser.parse_args()
    taken = measure(options.callcost, options.scale)
    if options.json:
        print(json.dumps({name: dataclasses.asdict(one) for name, one in taken.items()}))
        return 0
    above = 0
    for case in CASES:
        one = taken[case.name]
        is_above = one.memory > case.limit(one.file, options.scale) or one.seconds > case.seconds
        above += is_above
        print(f"{case.what:42} {one.file / 1e6:6.1f} MB, memory {one.memory / 1e6:5.0f} MB = {one.memory / one.file:6.1f} x, "
              f"{one.seconds:5.2f} s{'  above the limit' if is_above else ''}")
    return 1 if options.check and above else 0


if __name__ == "__main__":
    sys.exit(main())
