#!/usr/bin/env python3
"""Traces as tracegrind of CodSpeed's Valgrind writes them, and what they say.

A program that never was runs here: threads take turns, functions call each other, some of them inlined. What it costs is
added up while it runs (FILE.tsv: event, function, self, inclusive, calls; FILE.paths: folded stacks of the first event)
and has nothing to do with the rows that are written of it. `make_tracegrind.py` writes all files beside it again,
`make_tracegrind.py FILE ROWS [VERSION]` a large one.
"""

import collections
import pathlib
import random
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
MARKER, CALL, BACK, INLINED_CALL, INLINED_BACK, FORK, NEW_THREAD = range(7)

Function = collections.namedtuple("Function", "name object file line inlined")
APP, LIBC = "/usr/bin/kitchen", "/usr/lib/x86_64-linux-gnu/libc.so.6"
FUNCTIONS = [
    Function("main", APP, "kitchen.cpp", 40, False),
    Function("cook(Pot&, int)", APP, "kitchen.cpp", 12, False),
    Function("stir(Pot&)", APP, "pot.hpp", 5, True),
    Function("std::vector<int>::push_back(int const&)", APP, "stl_vector.h", 1276, True),
    Function("chop", APP, "kitchen.cpp", 0, False),
    Function("malloc", LIBC, "malloc.c", 3287, False),
    Function("_int_malloc", LIBC, "malloc.c", 3750, False),
    Function("memcpy", LIBC, "???", 0, False),
    Function("serve", APP, "kitchen.cpp", 71, False),
]


def packed_number(number):
    for first, form, limit in ((None, ">B", 128), (0xCC, ">B", 1 << 8), (0xCD, ">H", 1 << 16), (0xCE, ">I", 1 << 32), (0xCF, ">Q", 1 << 64)):
        if 0 <= number < limit:
            return (b"" if first is None else bytes([first])) + struct.pack(form, number)
    return struct.pack(">b", number) if number >= -32 else b"\xd3" + struct.pack(">q", number)


def packed_size(size, small, small_limit, forms):
    if size < small_limit:
        return bytes([small | size])
    return next(bytes([first]) + struct.pack(form, size) for first, form, limit in forms if size < limit)


def packed(value):
    """MessagePack."""
    if isinstance(value, int):
        return packed_number(value)
    if isinstance(value, str):
        text = value.encode()
        return packed_size(len(text), 0xA0, 32, ((0xD9, ">B", 1 << 8), (0xDA, ">H", 1 << 16))) + text
    if isinstance(value, dict):
        items = [one for pair in value.items() for one in pair]
        return packed_size(len(value), 0x80, 16, ((0xDE, ">H", 1 << 16),)) + b"".join(map(packed, items))
    return packed_size(len(value), 0x90, 16, ((0xDC, ">H", 1 << 16),)) + b"".join(map(packed, value))


def lz4_block(raw):
    """The first match of four bytes that a table remembers, as long as it goes."""
    out, known, at, begin = bytearray(), {}, 0, 0

    def put(literals, distance, length):
        def more(size):
            return b"" if size < 15 else b"\xff" * ((size - 15) // 255) + bytes([(size - 15) % 255])

        out.append(min(len(literals), 15) << 4 | min(length, 15))
        out.extend(more(len(literals)) + literals)
        if distance:
            out.extend(struct.pack("<H", distance) + more(length))

    while at < len(raw) - 12:  # the last match begins 12 bytes before the end, the last 5 are literals
        key = raw[at : at + 4]
        match, known[key] = known.get(key), at
        if match is None or at - match > 0xFFFF:
            at += 1
            continue
        length = 4
        while at + length < len(raw) - 5 and raw[match + length] == raw[at + length]:
            length += 1
        put(raw[begin:at], at - match, length - 4)
        at = begin = at + length
    put(raw[begin:], 0, 0)
    return bytes(out)


class Trace:
    """The rows of a run, and its truth."""

    def __init__(self, version, counters, units, rows_per_chunk):
        self.version, self.counters, self.rows_per_chunk = version, counters, rows_per_chunk
        columns = ["seq", "tid", "event", "fn", "obj", "file", "line"]
        schema = {
            "version": version,
            "format": "tracegrind-msgpack",
            "creator": "valgrind-tracegrind",
            "event_schemas": {
                "0": [*columns[:3], "marker"],
                **{str(event): columns + (counters if version == 3 else ["counters"]) for event in range(CALL, FORK)},
                "5": [*columns[:3], "child_pid"],
                "6": [*columns[:3], "child_tid"],
            },
        }
        if version >= 4:
            schema |= {"counters": counters, "counter_units": units}
        self.schema, self.rows, self.names = schema, [], {}
        self.stacks = collections.defaultdict(list)
        self.pending = collections.defaultdict(lambda: [0] * len(counters))
        self.self_costs, self.inclusive = collections.Counter(), collections.Counter()
        self.calls, self.paths = collections.Counter(), collections.Counter()

    def row(self, thread, event, *more):
        self.rows.append([len(self.rows) + 1, thread, event, *more])

    def name(self, text):
        return text if self.version < 5 else self.names.setdefault(text, len(self.names))

    def step(self, thread, function, is_call):
        event = (CALL if is_call else BACK) + (2 if function.inlined else 0)
        costs, self.pending[thread] = self.pending[thread], [0] * len(self.counters)
        self.row(thread, event, self.name(function.name), self.name(function.object), self.name(function.file),
                 function.line, *(costs if self.version == 3 else [costs]))

    def cost(self, thread, costs):
        stack = self.stacks[thread] or [Function("(no stack)", "", "", 0, False)]
        for i, (event, cost) in enumerate(zip(self.counters, costs)):
            self.pending[thread][i] += cost
            self.self_costs[event, stack[-1].name] += cost
            for name in {function.name for function in stack}:
                self.inclusive[event, name] += cost
        self.paths[";".join(function.name for function in stack)] += costs[0]

    def call(self, thread, function):
        self.step(thread, function, True)
        if self.stacks[thread]:
            self.calls[function.name] += 1
        self.stacks[thread].append(function)

    def back(self, thread, is_written=True):
        function = self.stacks[thread].pop()
        if is_written:
            self.step(thread, function, False)

    def bytes(self):
        def chunk(raw, flag=0):
            block = lz4_block(raw)
            return struct.pack("<II", len(raw) | flag, len(block)) + block

        yield b"TGMP" + struct.pack("<I", self.version) + chunk(packed(self.schema))
        for at in range(0, len(self.rows), self.rows_per_chunk):
            yield chunk(b"".join(map(packed, self.rows[at : at + self.rows_per_chunk])))
        if self.version == 5:
            yield chunk(packed(list(self.names)), 1 << 31)
        yield bytes(8)

    def write(self, path):
        path.write_bytes(b"".join(self.bytes()))

    def write_truth(self, path):
        lines = [
            (event, name, self.self_costs[event, name], cost, self.calls[name])
            for (event, name), cost in self.inclusive.items() if cost
        ]
        path.with_name(path.name + ".tsv").write_text("".join("\t".join(map(str, line)) + "\n" for line in sorted(lines)))
        paths = [f"{stack} {cost}\n" for stack, cost in sorted(self.paths.items()) if cost]
        path.with_name(path.name + ".paths").write_text("".join(paths))


def run(trace, rows, threads, seed):
    """Threads take turns at random; each begins in main or serve, and unwinds at the end."""
    chance = random.Random(seed)

    def costs():
        return [chance.choice((0, 1, 7, 300, 70000)) for _ in trace.counters]

    trace.row(1, MARKER, trace.name("start"))
    for thread in range(2, threads + 1):
        trace.row(1, NEW_THREAD, thread)
    for thread in range(1, threads + 1):
        trace.call(thread, FUNCTIONS[0 if thread == 1 else 8])
    while len(trace.rows) < rows:
        thread = chance.randint(1, threads)
        depth = len(trace.stacks[thread])
        trace.cost(thread, costs())
        if chance.random() * 8 > depth:
            trace.call(thread, chance.choice(FUNCTIONS[1:8]))
        elif depth > 1:
            trace.back(thread)
    trace.row(1, FORK, 4711)
    for thread in range(threads, 0, -1):
        while trace.stacks[thread]:
            trace.cost(thread, costs())
            trace.back(thread)
    trace.row(1, MARKER, trace.name("end"))


def run_oddly(trace):
    """It began in the middle of main, jumps out of two functions at once, and is killed."""
    main, cook, stir, _, chop, malloc = FUNCTIONS[:6]
    trace.cost(1, [5])
    trace.call(1, cook)
    trace.cost(1, [10])
    trace.call(1, stir)
    trace.cost(1, [20])
    trace.call(1, malloc)
    trace.cost(1, [40])
    trace.back(1, is_written=False)  # longjmp(): what they cost goes on until the next row
    trace.back(1, is_written=False)
    trace.back(1)
    trace.cost(1, [80])
    trace.step(1, main, False)
    trace.call(1, chop)
    trace.cost(1, [160])
    trace.call(1, chop)
    trace.cost(1, [320])
    trace.back(1)


def main():
    if len(sys.argv) > 2:
        trace = Trace(int((sys.argv[3:] or ["4"])[0]), ["Ir", "Dr", "Dw"], {}, 4096)
        run(trace, int(sys.argv[2]), 4, 1)
        return trace.write(pathlib.Path(sys.argv[1]))
    times = ["Ir", "sysCount", "sysTime", "sysCpuTime"]
    for version, counters, units, threads in (
        (3, ["Ir", "Dr", "Dw"], {}, 1),
        (4, times, {"sysTime": "ns", "sysCpuTime": "ns"}, 3),
        (5, ["Ir", "sysTime"], {"sysTime": "us"}, 2),
    ):
        trace = Trace(version, counters, units, 64)
        run(trace, 300, threads, version)
        path = HERE / f"tracegrind-v{version}.msgpack.lz4"
        trace.write(path)
        trace.write_truth(path)
    odd = Trace(4, ["Ir"], {}, 100)
    run_oddly(odd)
    path = HERE / "tracegrind-odd.msgpack.lz4"
    path.write_bytes(b"".join(odd.bytes())[:-8])
    odd.write_truth(path)
    (HERE / "tracegrind-v6.msgpack.lz4").write_bytes(b"TGMP" + struct.pack("<I", 6))


if __name__ == "__main__":
    main()
