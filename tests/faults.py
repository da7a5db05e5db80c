#!/usr/bin/env python3
"""Whatever fails, and wherever a command is killed: no crash, outputs are the old ones or whole, stores are whole, nothing is left behind.

    faults.py EXECUTABLE [--points N] [--only COMMAND]     N: calls of each command that fail, spread over all; 0: all of them
"""

import argparse
import concurrent.futures
import errno
import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import preload

HERE = pathlib.Path(__file__).resolve().parent
PROFILE = HERE / "profiles/callgrind/cachesim-branch.out"
OTHER = HERE / "profiles/callgrind/default.out"
OLD = b"what was there before\n"
ERRORS = {"system": (errno.EIO, errno.ENOSPC, errno.EMFILE, errno.EINTR, 0), "memory": (errno.ENOMEM,)}
SPACES = range(10 << 20, 40 << 20, 1 << 20)  # bytes of addresses; the program itself takes more than 8 MB
LOADER_FAILED = 127  # before main()
SECONDS = 60

# {name: (words, outputs)}; outputs that end in "/" are directories.
COMMANDS = {
    "top": (["top", "p.out"], []),
    "annotate": (["annotate", "p.out"], []),
    "tree": (["tree", "p.out"], []),
    "check": (["check", "p.out"], []),
    "peek": (["peek", "main", "p.out"], []),
    "diff": (["diff", "p.out", "q.out"], []),
    "set": (["top", "set.out"], []),
    "convert": (["convert", "p.out", "--to", "compact", "-o", "old"], ["old"]),
    "convert to a new file": (["convert", "p.out", "--to", "compact", "-o", "new"], ["new"]),
    "convert to pprof": (["convert", "p.out", "--to", "pprof", "-o", "old"], ["old"]),
    "merge": (["merge", "p.out", "q.out", "-o", "old"], ["old"]),
    "filter": (["filter", "--keep", "main", "p.out", "-o", "old"], ["old"]),
    "report": (["report", "p.out", "-o", "old"], ["old"]),
    "split": (["split", "--by", "object", "p.out", "-o", "pieces"], ["pieces/"]),
    "history add": (["history", "add", "--store", "store.db", "--series", "s", "--commit", "b" * 40, "--time", "2026-01-02T00:00:00Z", "p.out"], ["store.db"]),
    "history list": (["history", "list", "--store", "store.db"], []),
    "from a store": (["top", "--store", "store.db", "history:s"], []),
}


class Place:
    """A directory with what a command reads."""

    def __init__(self, master):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name) / "here"
        shutil.copytree(master, self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.scratch.cleanup()

    def files(self):
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


def entries(path):
    """Of a store; an exception if it is damaged."""
    with sqlite3.connect(f"file:{path}?mode=rw", uri=True) as store:
        if store.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise ValueError("not whole")
        return store.execute("SELECT count(*) FROM entries").fetchone()[0]


class Trials:
    def __init__(self, program, inject, master, points):
        self.program, self.inject, self.master, self.points = program, inject, master, points
        self.failures, self.count = [], 0
        self.before = Place(master).files()

    def run(self, folder, words, fault, count=None):
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "LD_PRELOAD": str(self.inject), "FAULT": fault, "HOME": str(folder), "TZ": "UTC"}
        if count:
            environment["FAULT_COUNT"] = str(count)
        return subprocess.run([self.program, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)

    def command(self, name, kind):
        words, outputs = COMMANDS[name]
        with Place(self.master) as place:
            counted = pathlib.Path(place.scratch.name) / "count"
            done = self.run(place.folder, words, f"{kind}:0:0", counted)
            if done.returncode != 0:
                return self.failures.append(f"{name}: status {done.returncode} without a fault: {done.stderr.decode()}")
            total, whole, text = int(counted.read_text()), place.files(), done.stdout
        points = range(1, total + 1)
        if 1 < self.points < total:
            points = sorted({1 + round(i * (total - 1) / (self.points - 1)) for i in range(self.points)})
        for number in points:
            for error in ERRORS[kind]:
                if problem := self.trial(name, f"{kind}:{number}:{error or 'kill'}", error == 0, whole, text):
                    self.failures.append(f"{name}, {kind} call {number} of {total}, {errno.errorcode.get(error, 'killed')}: {problem}")
                self.count += 1
        return None

    def sweep(self, name):
        """With ever more room for addresses."""
        words, _ = COMMANDS[name]
        statuses = set()
        for space in SPACES:
            with Place(self.master) as place:
                limited = ["prlimit", f"--as={space}", self.program, *words]
                done = subprocess.run(limited, cwd=place.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
                changed = {path: content for path, content in place.files().items() if self.before.get(path) != content}
            self.count += 1
            statuses.add(done.returncode)
            if done.returncode < 0 or (done.returncode == 1 and not done.stderr):
                self.failures.append(f"{name} in {space} bytes: status {done.returncode}: {done.stderr.decode()}")
            elif done.returncode not in (0, 1, LOADER_FAILED) or (done.returncode != 0 and set(changed) - {"store.db", "store.db-wal", "store.db-shm"}):
                self.failures.append(f"{name} in {space} bytes: status {done.returncode}, files {sorted(changed)}: {done.stderr.decode()}")
        if not {0, LOADER_FAILED} <= statuses:
            self.failures.append(f"{name}: all of {sorted(statuses)} with room for {SPACES[0]} to {SPACES[-1]} bytes")

    def trial(self, name, fault, is_killed, whole, text):
        words, outputs = COMMANDS[name]
        with Place(self.master) as place:
            try:
                done = self.run(place.folder, words, fault)
            except subprocess.TimeoutExpired:
                return "does not end"
            said = done.stderr.decode("utf-8", "replace")
            if done.returncode < 0 and not is_killed:
                return f"signal {-done.returncode}: {said[-300:]}"
            found = place.files()
            # A source file that cannot be read is said to be so in its place.
            if done.returncode == 0 and done.stdout != text and b"  cannot be read: " not in done.stdout:
                return "status 0 with another output"
            if done.returncode > 0 and not said and fault.startswith("memory"):
                return "fails without a word"
            store = place.folder / "store.db"
            try:
                expected = (1, 2) if done.returncode != 0 and "store.db" in outputs else (2,) if "store.db" in outputs else (1,)
                if entries(store) not in expected:
                    return f"{entries(store)} entries in the store, after status {done.returncode}"
            except (ValueError, sqlite3.Error) as damage:
                return f"the store is damaged: {damage}"
            for path in found.keys() | whole.keys():
                if path.startswith("store.db"):
                    if path not in ("store.db", "store.db-journal", "store.db-wal", "store.db-shm"):
                        return f"{path} is left"
                elif path.startswith(".callcost-"):
                    if not is_killed:
                        return f"{path} is left"
                elif found.get(path) != whole.get(path) and (done.returncode == 0 or found.get(path) != self.before.get(path)):
                    return f"{path} is neither whole nor as it was: {len(found.get(path, b''))} bytes, after status {done.returncode}"
        return None


def make_master(program, folder):
    folder.mkdir()
    shutil.copyfile(PROFILE, folder / "p.out")
    shutil.copyfile(OTHER, folder / "q.out")
    for part in ("set.out.1", "set.out.2"):
        shutil.copyfile(OTHER, folder / part)
    shutil.copyfile(OTHER, folder / "set.out")
    (folder / "old").write_bytes(OLD)
    subprocess.run([program, "history", "add", "--store", "store.db", "--series", "s", "--commit", "a" * 40, "--time", "2026-01-01T00:00:00Z", "q.out"], cwd=folder, check=True, capture_output=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("executable", type=pathlib.Path)
    parser.add_argument("--points", type=int, default=6)
    parser.add_argument("--only")
    options = parser.parse_args()
    program = options.executable.resolve()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as scratch:
        inject = preload.compiled("inject", scratch)
        master = pathlib.Path(scratch) / "master"
        make_master(program, master)
        trials = Trials(program, inject, master, options.points)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            names = [name for name in COMMANDS if options.only in (None, name)]
            work = [pool.submit(trials.command, name, kind) for name in names for kind in ERRORS] + [pool.submit(trials.sweep, name) for name in names]
            for done in work:
                done.result()
    print(*trials.failures, f"faults: {trials.count} trials, {len(trials.failures)} failed", sep="\n")
    return 1 if trials.failures else 0


if __name__ == "__main__":
    sys.exit(main())
