#!/usr/bin/env python3
"""Whenever the power fails: outputs are the old ones or whole, stores are whole, and what a command has confirmed is there.

    power_loss.py EXECUTABLE [--points N] [--only COMMAND]     N: moments in each command, spread over all; 0: all of them

The calls that change files are recorded, and replayed on a model of a disk that keeps only what POSIX promises: the data of a file
that was synced, and the names in a directory that was synced. Of everything else each part may be there, or not.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import os
import pathlib
import random
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
SECTOR = 512  # bytes that a disk writes whole or not at all
RANDOM_STATES = 6
SECONDS = 60

Command = collections.namedtuple("Command", "words store entries named", defaults=(None, (1, 1), False))


def add(store):
    return ["history", "add", "--store", store, "--series", "s", "--commit", "b" * 40, "--time", "2026-01-02T00:00:00Z", "p.out"]


# entries: of the store before and after.
COMMANDS = {
    "convert": Command(["convert", "p.out", "--to", "compact", "-o", "old"]),
    "convert to a new file": Command(["convert", "p.out", "--to", "compact", "-o", "new"]),
    "convert, files have names": Command(["convert", "p.out", "--to", "compact", "-o", "old"], named=True),
    "merge": Command(["merge", "p.out", "q.out", "-o", "old"]),
    "filter": Command(["filter", "--keep", "main", "p.out", "-o", "old"]),
    "report": Command(["report", "p.out", "-o", "old"]),
    "split": Command(["split", "--by", "object", "p.out", "-o", "deep/pieces"]),
    "convert --without-lines": Command(["convert", "p.out", "--without-lines", "-o", "new.callgrind.zst"]),
    "record --init": Command(["record", "--init"]),
    "history add": Command(add("store.db"), store="store.db", entries=(1, 2)),
    "history add to a new store": Command(add(".callcost/new/store.db"), store=".callcost/new/store.db", entries=(0, 1)),
    "history add to what was in use": Command(add("used.db"), store="used.db", entries=(1, 2)),
    "history add --replace": Command([*add("store.db"), "--commit", "a" * 40, "--replace"], store="store.db"),
    "history prune": Command(["history", "prune", "--store", "two.db", "--keep", "1", "s"], store="two.db", entries=(2, 1)),
}


class Inode:
    """A file, or a directory: the names in it."""

    def __init__(self, content):
        self.synced = content  # bytes, or {name: inode}
        self.pending = []  # of a file: (offset, data) or (size, None); of a directory: ((name, inode or None)...)

    def is_directory(self):
        return isinstance(self.synced, dict)

    def kind(self):
        return "directory" if self.is_directory() else "file"


def changed_file(content, offset, data):
    if data is None:
        return content[:offset].ljust(offset, b"\0")
    return content[:offset].ljust(offset, b"\0") + data + content[offset + len(data) :]


class Disk:
    def __init__(self, folder, before, forgets=()):
        """`folder`, as it is in `before`; `forgets`: what is said to be synced, but is not."""
        self.folder, self.root, self.forgets = folder, self.scan(before), forgets
        self.files = {}  # by descriptor

    def scan(self, path):
        return Inode({entry.name: self.scan(entry) for entry in path.iterdir()} if path.is_dir() else path.read_bytes())

    @staticmethod
    def content(inode, kept=lambda inode, change: change):
        """With those changes that are kept, or what `kept` makes of them."""
        content = dict(inode.synced) if inode.is_directory() else inode.synced
        for change in inode.pending:
            change = kept(inode, change)
            if change is None:
                continue
            if inode.is_directory():
                content.update(change)
            else:
                content = changed_file(content, *change)
        return content

    def place(self, path):
        """(directory, name), as the program sees them; None if it is outside."""
        full = pathlib.Path(os.path.normpath(self.folder / path))
        if self.folder not in full.parents:
            return None
        directory = self.root
        for part in full.relative_to(self.folder).parts[:-1]:
            directory = self.content(directory)[part]
        return directory, full.name

    def inode(self, path):
        if path.startswith("/proc/self/fd/"):
            return self.files[path.rsplit("/", 1)[1]]
        if pathlib.Path(os.path.normpath(self.folder / path)) == self.folder:
            return self.root
        place = self.place(path)
        return self.content(place[0]).get(place[1]) if place else None

    def enter(self, path, inode, *others):
        directory, name = self.place(path)
        directory.pending.append(((name, inode), *others))

    def replay(self, call, words, data):
        """Whether it changes anything."""
        file = self.files.get(words[0])
        if call == "open":
            flags, path = int(words[1]), words[2]
            inode = self.inode(path)
            self.files.pop(words[0], None)
            is_new = inode is None and flags & os.O_CREAT and self.place(path) is not None
            is_emptied = inode is not None and flags & os.O_TRUNC
            if is_new:
                self.enter(path, inode := Inode(b""))
            elif is_emptied:
                inode.pending.append((0, None))
            elif inode and flags & os.O_TMPFILE == os.O_TMPFILE:
                inode = Inode(b"")
            if inode:
                self.files[words[0]] = inode
            return is_new or is_emptied
        if call == "close":
            self.files.pop(words[0], None)
            return False
        if call == "mkdir" and self.place(words[0]):
            self.enter(words[0], Inode({}))
        elif call == "link" and self.place(words[1]):
            self.enter(words[1], self.inode(words[0]))
        elif call == "rename" and self.place(words[1]):
            assert self.place(words[0])[0] is self.place(words[1])[0], words
            self.enter(words[1], self.inode(words[0]), (self.place(words[0])[1], None))
        elif call == "unlink" and self.place(words[0]):
            self.enter(words[0], None)
        elif call == "write" and file:
            file.pending.append((int(words[1]), data))
        elif call == "truncate" and file:
            file.pending.append((int(words[1]), None))
        elif call == "sync" and file and file.kind() not in self.forgets:
            file.synced, file.pending = self.content(file), []
        else:
            return False
        return True

    def state(self, kept=lambda inode, change: change, inode=None):
        """{path: bytes}, and "directory" for those."""
        found = {}
        for name, inner in self.content(inode or self.root, kept).items():
            if inner is not None and inner.is_directory():
                found[name] = "directory"
                found.update({f"{name}/{path}": content for path, content in self.state(kept, inner).items()})
            elif inner is not None and not name.endswith("-shm"):  # a cache
                found[name] = self.content(inner, kept)
        return found

    def states(self, seed):
        """(What it is, what is on the disk): those that are known to break programs, and some by chance."""
        is_name = lambda inode: inode.is_directory()
        zeros = lambda inode, change: change if is_name(inode) or change[1] is None else (change[0], bytes(len(change[1])))
        yield "all kept", self.state()
        yield "all lost", self.state(lambda inode, change: None)
        yield "only names kept", self.state(lambda inode, change: change if is_name(inode) else None)
        yield "names and sizes kept", self.state(zeros)
        yield "only data kept", self.state(lambda inode, change: None if is_name(inode) else change)
        for number in range(RANDOM_STATES):
            chance = random.Random(f"{seed} {number}")
            share = chance.choice((0.2, 0.5, 0.9))
            yield f"chance {number}", self.state(lambda inode, change: some_of(chance, share, inode, change))


def some_of(chance, share, inode, change):
    if chance.random() > share:
        return None
    if inode.is_directory() or change[1] is None or chance.random() < 0.7:
        return change
    offset, data = change
    cut = max(0, chance.randrange(offset // SECTOR, (offset + len(data)) // SECTOR + 1) * SECTOR - offset)
    return offset, data[:cut] + (bytes(len(data) - cut) if offset + cut >= len(inode.synced) else b"")


def calls_of(trace):
    """[(call, words, data)]"""
    text, at, calls = trace.read_bytes(), 0, []
    while at < len(text):
        end = text.index(b"\n", at)
        call, *words = os.fsdecode(text[at:end]).split("\t")
        size = int(words[2]) if call == "write" else 0
        calls.append((call, words, text[end + 1 : end + 1 + size]))
        at = end + 1 + size
    return calls


class Trials:
    def __init__(self, program, record, master, points):
        self.program, self.record, self.master, self.points = program, record, master, points
        self.failures, self.count = [], 0

    def run(self, folder, words, **more):
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "HOME": str(folder), "TZ": "UTC", **more}
        return subprocess.run([self.program, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)

    def command(self, name):
        command = COMMANDS[name]
        with tempfile.TemporaryDirectory() as scratch:
            folder, trace = pathlib.Path(scratch).resolve() / "here", pathlib.Path(scratch) / "trace"
            shutil.copytree(self.master, folder)
            named = {"RECORD_NAMED": "1"} if command.named else {}
            done = self.run(folder, command.words, LD_PRELOAD=str(self.record), RECORD=str(trace), **named)
            if done.returncode != 0:
                return self.failures.append(f"{name}: status {done.returncode}: {done.stderr.decode()}")
            calls, whole = calls_of(trace), Disk(folder, folder).state()
        disk = lambda *forgets: Disk(folder, self.master, forgets)
        self.failures += [f"{name}, {lost}" for lost in self.losses(command, disk, calls, whole, self.points)]
        # The test finds what it looks for. Where a store was before, the names beside it do not matter once it is closed.
        for forgets in (("file",), ("directory",), ("file", "directory")):
            matters = "file" in forgets or command.store is None or command.entries[0] == 0
            if matters and not self.losses(command, lambda: disk(*forgets), calls, whole, 3, ends_at=1):
                self.failures.append(f"{name}: nothing is lost where no {' or '.join(forgets)} is synced")
        return None

    def losses(self, command, new_disk, calls, whole, points, ends_at=None):
        """What is wrong in some state after some call, at most `ends_at`."""
        disk = new_disk()
        before = disk.state()
        changing = [number for number, call in enumerate(calls) if disk.replay(*call)]
        if disk.state() != whole:
            return [f"not all calls are recorded: {disk.state().keys() ^ whole.keys()}"]
        ahead_of_order = [a for a, b in zip(changing, changing[1:]) if calls[b][0] not in ("write", "truncate")]
        moments = {*spread(changing, points), *spread(ahead_of_order, points), changing[-1]}
        found, seen, disk = [], set(), new_disk()
        for number, call in enumerate(calls):
            disk.replay(*call)
            if number not in moments:
                continue
            is_confirmed = number == changing[-1]
            for what, state in disk.states(number):
                key = hash((is_confirmed, frozenset(state.items())))
                if key in seen:
                    continue
                seen.add(key)
                self.count += 1
                if problem := self.problem(command, before, whole, state, is_confirmed):
                    found.append(f"after call {number} of {len(calls)} ({call[0]}), {what}: {problem}")
                    if len(found) == ends_at:
                        return found
        return found

    def problem(self, command, before, whole, state, is_confirmed):
        """With what is left on the disk."""
        for path in sorted(before.keys() | whole.keys() | state.keys()):
            if command.store and path.startswith(command.store):
                continue
            content = state.get(path)
            if content == whole.get(path) or (content == before.get(path) and not is_confirmed):
                continue
            if not path.rsplit("/", 1)[-1].startswith(".callcost-"):
                return f"{path} is neither whole nor as it was" if content is not None and not is_confirmed else f"{path} is lost"
        if command.store is None:
            return None
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            for path, content in state.items():
                if content == "directory":
                    (folder / path).mkdir()
                else:
                    (folder / path).write_bytes(content)
            return self.store_problem(command, folder, command.entries[1:] if is_confirmed else command.entries)

    def store_problem(self, command, folder, expected):
        listed = self.run(folder, ["history", "list", "--store", command.store])
        said = listed.stderr.decode()
        if listed.returncode != 0:
            if 0 not in expected or "there is no history" not in said:
                return f"'history list' fails: {said}"
            added = self.run(folder, command.words)
            if added.returncode != 0:
                return f"nothing can be added again: {added.stderr.decode()}"
            expected = (1,)
        with contextlib.closing(sqlite3.connect(folder / command.store)) as store:
            try:
                if store.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                    return "the store is not whole"
                count = store.execute("SELECT count(*) FROM entries").fetchone()[0]
            except sqlite3.Error as damage:
                return f"the store is damaged: {damage}"
        return None if count in expected else f"{count} entries in the store"


def spread(numbers, count):
    if count == 0 or len(numbers) <= count:
        return numbers
    return [numbers[round(i * (len(numbers) - 1) / (count - 1))] for i in range(count)]


def make_master(program, folder):
    folder.mkdir()
    shutil.copyfile(PROFILE, folder / "p.out")
    shutil.copyfile(OTHER, folder / "q.out")
    (folder / "old").write_bytes(OLD)
    for store, commit in (("store.db", "a"), ("two.db", "a"), ("two.db", "b"), ("used.db", "a")):
        words = ["history", "add", "--store", store, "--series", "s", "--commit", commit * 40, "--time", "2026-01-01T00:00:00Z", "q.out"]
        subprocess.run([program, *words], cwd=folder, check=True, capture_output=True)
    with contextlib.closing(sqlite3.connect(folder / "used.db")) as store:  # killed, so that a log is left
        store.execute("UPDATE entries SET branch = 'main'")
        store.commit()
        kept = {path: path.read_bytes() for path in folder.glob("used.db*")}
    for path, content in kept.items():
        path.write_bytes(content)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("executable", type=pathlib.Path)
    parser.add_argument("--points", type=int, default=5)
    parser.add_argument("--only")
    options = parser.parse_args()
    program = options.executable.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        record = preload.compiled("record", scratch)
        master = pathlib.Path(scratch) / "master"
        make_master(program, master)
        trials = Trials(program, record, master, options.points)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for done in [pool.submit(trials.command, name) for name in COMMANDS if options.only in (None, name)]:
                done.result()
    print(*trials.failures, f"power_loss: {trials.count} states, {len(trials.failures)} failed", sep="\n")
    return 1 if trials.failures else 0


if __name__ == "__main__":
    sys.exit(main())
