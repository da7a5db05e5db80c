#!/usr/bin/env python3
"""Speed and size of the history: a series of profiles, each derived from the one before by changing one line of a hundred.

history.py CALLCOST [--entries N] [--profile FILE]: N entries (default: 1,000) of FILE (default: one of CPython from tests/profiles).
history.py CALLCOST --store clickhouse: 10,000 entries in a ClickHouse server that it starts: 100 are added, the others derived from them in
SQL, over a year.
The exit status is 1 if a figure is above its limit.
"""

import argparse
import os
import pathlib
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import clickhouse  # noqa: E402

PROFILE = ROOT / "tests/profiles/callgrind/python-instr-jumps.out"
BATCH = 100  # as many files are there at once


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wall_of(command, times=5):
    def once():
        begin = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - begin

    return statistics.median(once() for _ in range(times))


def change(lines, rng):
    """One of a hundred cost lines costs a little more."""
    for row, line in enumerate(lines):
        if line[:1] in "+-*0123456789" and line and rng.random() < 0.01:
            words = line.split(" ")
            if words[-1].isdigit():
                words[-1] = str(int(words[-1]) + rng.randint(1, 9))
                lines[row] = " ".join(words)


def write_files(lines, numbers, rng):
    """Each is a minute newer and changed a little."""
    files = []
    for number in numbers:
        name = f"{number:05}.out"
        pathlib.Path(name).write_text("\n".join(lines), "utf-8", "surrogateescape")
        os.utime(name, (1_700_000_000 + number * 60,) * 2)
        files.append(name)
        change(lines, rng)
    return files


def print_figures(figures):
    """The exit status."""
    for what, figure, limit in figures:
        print(f"{what:45} {figure:8.2f}  {'' if limit is None else f'(limit {limit})' if figure <= limit else f'ABOVE THE LIMIT of {limit}'}")
    return 1 if any(limit is not None and figure > limit for _, figure, limit in figures) else 0


def in_clickhouse(callcost, lines, entries):
    with tempfile.TemporaryDirectory() as folder, clickhouse.Server(f"{folder}/server") as server:
        os.chdir(folder)
        os.environ |= {"CALLCOST_STORE": server.address("callcost"), "CALLCOST_STORE_PASSWORD": clickhouse.PASSWORD}
        files = write_files(lines, range(BATCH), random.Random(1))
        info = sum(cpu_of([callcost, "info", "--threads", "1", name]) for name in files)
        begin = time.monotonic()
        added = cpu_of([callcost, "history", "add", "-q", "--threads", "1", "--series", "bench", *files])
        seconds = time.monotonic() - begin
        columns = {"entries": "series_id, identity + {n}, generation, removed, added, id - {days}, series, commit_id, modified, parents, branch, time - {n} * 60 * 100, "
                              "machine, command, creator, profile_bytes, tags.key, tags.value, totals.event, totals.total",
                   "costs": "series_id, event_id, function_id, entry - {days}, self, inclusive, calls"}
        ids = server.query("SELECT id FROM callcost.live_entries").split()
        for n in range(1, entries // BATCH):
            days = n * (365 * 86_400_000 // (entries // BATCH)) << 22  # as ids count them
            for table, values in columns.items():
                of_the_first = f"{'id' if table == 'entries' else 'entry'} IN ({', '.join(ids)})"
                server.query(f"INSERT INTO callcost.{table} SELECT {values.format(n=n, days=days)} FROM callcost.{table} WHERE {of_the_first}")
        rows, size = server.query("SELECT sum(rows), sum(bytes) FROM system.parts WHERE active AND database = 'callcost' AND table = 'costs'").split()
        count = server.query("SELECT count() FROM callcost.live_entries").strip()
        print(f"{count} entries, {rows} rows of costs in {int(size) / 1e6:.0f} MB; adding one took {seconds / BATCH * 1000:.0f} ms")
        figures = [(f"history add of {BATCH}, CPU: x 'info' of them", added / info, None)]
        for words, limit in ((["list", "bench"], 1000), (["show", "bench"], 1000), (["functions", "main"], 1000), (["blame", "bench"], 1000), (["sum", "bench"], None)):
            figures.append((f"history {' '.join(words)}, ms", wall_of([callcost, "history", *words]) * 1000, limit))
        os.chdir("/")
        return print_figures(figures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("callcost")
    parser.add_argument("--entries", type=int)
    parser.add_argument("--store", choices=["sqlite", "clickhouse"], default="sqlite")
    parser.add_argument("--profile", default=PROFILE)
    options = parser.parse_args()
    callcost = os.path.abspath(options.callcost)
    lines = pathlib.Path(options.profile).read_text("utf-8", "surrogateescape").split("\n")
    if options.store == "clickhouse":
        return in_clickhouse(callcost, lines, options.entries or 10_000)
    entries = options.entries or 1_000
    rng = random.Random(1)
    info = added = packed = 0.0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["CALLCOST_STORE"] = "history.db"
        for first in range(0, entries, BATCH):
            files = write_files(lines, range(first, min(first + BATCH, entries)), rng)
            if first == 0:
                info = sum(cpu_of([callcost, "info", "--threads", "1", name]) for name in files)
                added = cpu_of([callcost, "history", "add", "-q", "--threads", "1", "--series", "bench", *files])
                few = len(files)
            else:
                cpu_of([callcost, "history", "add", "-q", "--threads", "1", "--series", "bench", *files])
            sample = subprocess.run(["zstd", "-19", "-q", "-c", files[0]], check=True, capture_output=True).stdout
            packed += len(sample) * len(files)
            for name in files:
                os.remove(name)
        with sqlite3.connect("history.db") as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            profiles = database.execute("SELECT sum(length(data)) FROM profiles").fetchone()[0]
            rows = database.execute("SELECT count(*) FROM costs").fetchone()[0]
            functions = database.execute("SELECT count(*) FROM functions").fetchone()[0]
        size = os.path.getsize("history.db")
        print(f"{entries} entries, {functions} functions, {rows} rows of costs")
        figures = [(f"history add of {few}, CPU: x 'info' of them", added / info, 2.5), ("store: x the profiles under zstd -19", size / packed, 1.3),
                   ("tables: x the profiles under zstd -19", (size - profiles) / packed, 0.3)]
        for words, limit in ((["show", "bench"], 100), (["functions", "main"], 100), (["list", "bench"], 100), (["blame", "bench"], None), (["sum", "bench"], None)):
            figures.append((f"history {' '.join(words)}, ms", wall_of([callcost, "history", *words]) * 1000, limit))
        os.chdir("/")
        return print_figures(figures)


if __name__ == "__main__":
    sys.exit(main())
