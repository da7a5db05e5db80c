#!/usr/bin/env python3
"""Time and memory of reading other formats, against RapidJSON's bare pass over the same file.

    python3 bench/formats.py --build build/release                all formats, files of 20 MB: a minute
    python3 bench/formats.py --build build/release --size 100M    several minutes
    python3 bench/formats.py --write FORMAT --size 1M FILE        only writes the file

A bare pass calls a handler that does nothing, with the flags of the importer. What is not JSON is compared with the pass
over a speedscope file of the same size. Each figure is the least of five runs that take turns. Exit status 1 if
one is above its limit: what 100 MB take now, and some more; 1.5 is the aim. DIR has callcost and parse_json, at the top or in bench/; files are kept in DIR/bench-inputs.
"""

import argparse
import dataclasses
import json
import marshal
import os
import pathlib
import random
import subprocess
import sys

FUNCTIONS, FILES = 4000, 300
MOST_FRAMES = 60
UNITS = {"K": 1000, "M": 1_000_000}


class Program:
    """Calls at random, always the same: every function calls some others."""

    def __init__(self, functions=FUNCTIONS):
        self.chance = random.Random(1)
        words = ("read", "write", "parse", "node", "list", "value", "Stream", "Buffer", "emit", "visit", "update", "module")
        self.names = [f"{self.chance.choice(words)}{self.chance.choice(words).capitalize()}{row}" for row in range(functions)]
        self.files = [f"file:///home/user/project/node_modules/{self.chance.choice(words)}/lib/part{row}.js" for row in range(FILES)]
        self.lines = [self.chance.randrange(1, 3000) for _ in range(functions)]
        self.callees = [self.chance.sample(range(functions), 12) for _ in range(functions)]

    def file_of(self, function):
        return function % FILES

    def steps(self):
        """Calls (a function) and returns (None) without end; the outermost function stays. None is called twice in a row."""
        stack, number = [0], 0
        yield 0
        while True:
            number += 1
            draw = self.chance.random()
            if len(stack) < MOST_FRAMES and (draw < 0.52 or len(stack) == 1):
                callee = self.callees[stack[-1]][int(draw * 1000 + number) % 12]
                stack.append(callee)
                yield callee
            elif len(stack) > 1:
                stack.pop()
                yield None

    def stacks(self):
        """A sample after some calls and returns, without end; to be read only."""
        stack = []
        for function in self.steps():
            if function is None:
                stack.pop()
            else:
                stack.append(function)
            if self.chance.random() < 0.3:
                yield stack

    def frame(self, function):
        url = self.files[self.file_of(function)]
        place = f'"lineNumber":{self.lines[function]},"columnNumber":{function % 80}'
        return f'{{"functionName":"{self.names[function]}","scriptId":"{self.file_of(function)}","url":"{url}",{place}}}'


def chrome_trace(size):
    """Complete events of four threads and begins with ends, with decimals, as tracers of languages write them."""
    program, written, time = Program(), 0, 1000.0
    head = '{"displayTimeUnit":"ms","traceEvents":[{"ph":"M","pid":7,"tid":1,"name":"process_name","args":{"name":"node"}}'
    yield head
    open_calls = []
    for function in program.steps():
        time += program.chance.random() * 9
        thread = 1 + written // 1_000_000 % 4
        if function is not None:
            open_calls.append((function, time, thread))
            continue
        function, begin, thread = open_calls.pop()
        name = program.names[function]
        if function % 4:
            line = f',\n{{"pid":7,"tid":{thread},"ts":{begin:.3f},"dur":{time - begin:.3f},"ph":"X","name":"{name}","cat":"call","args":{{"line":{program.lines[function]}}}}}'
        else:
            line = f',\n{{"pid":7,"tid":{thread + 4},"ts":{time:.3f},"ph":"B","name":"{name}","cat":"call"}},\n{{"pid":7,"tid":{thread + 4},"ts":{time + 0.5:.3f},"ph":"E"}}'
        yield line
        written += len(line)
        if written >= size:
            break
    yield "]}\n"


def heapprofile(size):
    """Nested nodes, with a sample for every other one."""
    program, written, depth, number = Program(), 0, 0, 0
    frames = [program.frame(function) for function in range(FUNCTIONS)]
    is_first, sampled = True, []
    yield '{"head":'
    for function in program.steps():
        if function is None:
            yield "]}"
            depth, is_first = depth - 1, False
            continue
        number += 1
        bytes_of = 0 if number % 3 else 16 * (number % 97)
        if bytes_of:
            sampled.append(number)
        node = f'{"" if is_first else ","}{{"callFrame":{frames[function]},"selfSize":{bytes_of},"id":{number},"children":['
        yield node
        written, depth, is_first = written + len(node), depth + 1, True
        if written >= size * 9 // 10:
            break
    yield "]}" * depth + ',"samples":['
    yield ",".join(f'{{"size":{16 * (node % 97)},"nodeId":{node},"ordinal":{row}}}' for row, node in enumerate(sampled))
    yield "]}\n"


def cpuprofile(size):
    """A quarter are nodes."""
    program, written = Program(), 0
    nodes, stack = [], []  # (function, children)
    for function in program.steps():
        if function is None:
            stack.pop()
            continue
        known = next((child for child in nodes[stack[-1]][1] if nodes[child][0] == function), None) if stack else None
        if known is None:
            known = len(nodes)
            nodes.append((function, []))
            if stack:
                nodes[stack[-1]][1].append(known)
            written += 230
        stack.append(known)
        if written >= size // 4:
            break
    yield '{"nodes":['
    frames = [program.frame(function) for function in range(FUNCTIONS)]
    for row, (function, children) in enumerate(nodes):
        ids = ",".join(str(child + 1) for child in children)
        yield f'{"," if row else ""}{{"id":{row + 1},"callFrame":{frames[function]},"hitCount":{row % 5},"children":[{ids}],"positionTicks":[{{"line":{program.lines[function]},"ticks":{row % 5}}}]}}'
    count = size * 3 // 4 // (len(str(len(nodes))) + 5)
    yield '],"startTime":1000000,"endTime":99000000000,"samples":[1'
    for _ in range(count // 1000):
        at = program.chance.randrange(len(nodes))
        yield "".join(f",{1 + (at + i // 3 * 7) % len(nodes)}" for i in range(1000))
    yield '],"timeDeltas":[0'
    for _ in range(count // 1000):
        yield "".join(f",{900 + (i * 7919) % 600}" for i in range(1000))
    yield "]}\n"


def speedscope(size):
    program, written = Program(), 0
    frames = ",".join(
        f'{{"name":"{name}","file":"{program.files[program.file_of(row)]}","line":{program.lines[row]}}}'
        for row, name in enumerate(program.names)
    )
    yield f'{{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{{"frames":[{frames}]}},"profiles":['
    yield '{"type":"sampled","name":"main","unit":"milliseconds","startValue":0,"endValue":100000,"samples":[[0]'
    count = 1
    for stack in program.stacks():
        sample = ",[" + ",".join(map(str, stack)) + "]"
        yield sample
        written, count = written + len(sample) + 6, count + 1
        if written >= size:
            break
    yield '],"weights":[1'
    for row in range(count - 1):
        yield f",{row * 7919 % 3000 / 1000}"
    yield "]}]}\n"


def varint(number):
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def message(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def numbers(*pairs):
    return b"".join(varint(field << 3) + varint(number) for field, number in pairs)


def pprof(size):
    """Two locations of each function."""
    program, written = Program(), 0
    strings = ["", "samples", "count", "cpu", "nanoseconds", *program.names, *program.files]
    yield message(1, numbers((1, 1), (2, 2))) + message(1, numbers((1, 3), (2, 4)))
    yield b"".join(message(6, text.encode()) for text in strings)
    for row in range(FUNCTIONS):
        file = 5 + FUNCTIONS + program.file_of(row)
        yield message(5, numbers((1, row + 1), (2, 5 + row), (4, file), (5, program.lines[row])))
        for side in range(2):
            line = message(4, numbers((1, row + 1), (2, program.lines[row] + side)))
            yield message(4, numbers((1, 2 * row + side + 1), (3, 4096 + 32 * row + side)) + line)
    locations = [varint(row + 1) for row in range(2 * FUNCTIONS)]
    for row, stack in enumerate(program.stacks()):
        path = b"".join(locations[2 * function + (row >> i & 1)] for i, function in enumerate(reversed(stack)))
        sample = message(2, message(1, path) + message(2, varint(row % 9 + 1) + varint(10_000_000 * (row % 9 + 1))))
        yield sample
        written += len(sample)
        if written >= size:
            break


def pstats(size):
    """Ten callers of each function, some of them in cycles."""
    functions = max(size // 450, 20)
    chance = random.Random(1)
    keys = [(f"/usr/lib/python3/part{row % FILES}.py", row % 3000 + 1, f"function{row}") for row in range(functions)]
    callers = [{} for _ in range(functions)]
    inclusive = [0.0] * functions
    for row in range(functions - 1, -1, -1):  # callees have higher numbers, but for some
        for _ in range(10):
            callee = chance.randrange(functions) if row % 50 == 0 else min(functions - 1, row + 1 + chance.randrange(functions // 10))
            count, cost = chance.randrange(1, 9), chance.random() / 100
            callers[callee][keys[row]] = (count, count, cost / 2, cost)
            inclusive[callee] += cost
    costs = {}
    for row, key in enumerate(keys):
        count = max(1, sum(call[0] for call in callers[row].values()))
        costs[key] = (count, count, inclusive[row] / 2, inclusive[row], callers[row])
    yield marshal.dumps(costs)


@dataclasses.dataclass(frozen=True)
class Format:
    name: str
    write: callable
    limit: float  # of time, against the bare pass
    is_json: bool = True
    is_iterative: bool = False  # the parser that nesting of any depth needs


FORMATS = (
    Format("chrome-trace", chrome_trace, 5.5),
    Format("heapprofile", heapprofile, 3.5, is_iterative=True),
    Format("cpuprofile", cpuprofile, 3, is_iterative=True),
    Format("speedscope", speedscope, 4.5),
    Format("pprof", pprof, 12, is_json=False),
    Format("pstats", pstats, 60, is_json=False),
)


def write(form, size, path):
    part = path.with_name(path.name + ".part")
    with open(part, "wb") as out:
        for piece in form.write(size):
            out.write(piece.encode() if isinstance(piece, str) else piece)
    part.rename(path)


def run(command):
    """User and system time in seconds, and memory in bytes."""
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    pid = os.posix_spawnp(command[0], [str(part) for part in command], os.environ, file_actions=null)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"bench/formats.py: status {os.waitstatus_to_exitcode(status)} from: {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def program_of(build, name):
    for path in (build / name, build / "bench" / name):
        if path.is_file() and os.access(path, os.X_OK):
            return path
    sys.exit(f"bench/formats.py: no {name} in {build}")


def parse_size(text):
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, metavar="DIR", help="release build with callcost and parse_json")
    parser.add_argument("--size", type=parse_size, default=parse_size("20M"), help="of the files (20M)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", choices=[form.name for form in FORMATS], metavar="FORMAT")
    parser.add_argument("names", nargs="*", metavar="FORMAT", help="only these; with --write the file")
    arguments = parser.parse_args()
    by_name = {form.name: form for form in FORMATS}
    if arguments.write:
        return write(by_name[arguments.write], arguments.size, pathlib.Path(arguments.names[0]))
    if not arguments.build:
        parser.error("--build is needed")
    callcost, parse_json = (program_of(arguments.build.resolve(), name) for name in ("callcost", "parse_json"))
    inputs = arguments.build.resolve() / "bench-inputs"
    inputs.mkdir(exist_ok=True)

    def file_of(form):
        path = inputs / f"{form.name}-{arguments.size}"
        if not path.exists() or path.stat().st_mtime < pathlib.Path(__file__).stat().st_mtime:
            write(form, arguments.size, path)
        return path

    missed = 0
    print(f"{'format':14} {'file MB':>8} {'bare s':>7} {'top s':>7} {'ratio':>6} {'limit':>6} {'memory MB':>10}")
    for form in [by_name[name] for name in arguments.names] or FORMATS:
        path = file_of(form)
        bare = [parse_json, path if form.is_json else file_of(by_name["speedscope"]), *["--iterative"] * form.is_iterative]
        read = [callcost, "top", path, "--threads", "1"]
        rounds = [(run(bare)[0], *run(read)) for _ in range(arguments.rounds)]
        least, taken, memory = (min(column) for column in zip(*rounds))
        is_missed = taken / least > form.limit
        missed += is_missed
        print(
            f"{form.name:14} {path.stat().st_size / 1e6:8.1f} {least:7.3f} {taken:7.3f} {taken / least:6.2f} {form.limit:6.2f} {memory / 1e6:10.1f}"
            + ("  MISSED" if is_missed else ""),
            flush=True,
        )
    return sys.exit(f"bench/formats.py: {missed} above the limit") if missed else None


if __name__ == "__main__":
    main()
