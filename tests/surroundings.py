#!/usr/bin/env python3
"""Wherever it runs: full and read-only disks, other users, any clock, locale, time zone and environment, closed descriptors.

    surroundings.py EXECUTABLE [--all]     --all: every command everywhere, not some
"""

import argparse
import contextlib
import os
import pathlib
import pty
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading

import preload

HERE = pathlib.Path(__file__).resolve().parent
PROFILES = {"p.out": HERE / "profiles/callgrind/cachesim-branch.out", "q.out": HERE / "profiles/callgrind/default.out"}
NOBODY = 65534
ADD = ["history", "add", "--series", "s", "--commit", "b" * 40, "--time", "2026-01-02T00:00:00Z", "p.out", "--store"]

READERS = [
    *(["top", "p.out", *form] for form in ([], ["--json"], ["--csv"])),
    *(["tree", "p.out", *form] for form in ([], ["--json"])),
    *(["diff", "p.out", "q.out", *form] for form in ([], ["--json"], ["--csv"])),
    *([command, "p.out"] for command in ("annotate", "lines", "info", "check")),
    *(["info", what, "p.out"] for what in ("--parts", "--events")),
    *(["history", *words, "--store", "store.db"] for words in (["list"], ["list", "s", "--json"], ["show", "s"], ["blame", "s"], ["functions", "main"], ["sum"])),
    *(["convert", "p.out", "--to", form, "-o", "-"] for form in ("compact", "json", "csv", "pprof", "dot", "folded", "speedscope", "firefox")),
    ["peek", "main", "p.out"],
    ["top", "--store", "store.db", "history:s"],
    ["completion", "bash"],
    ["--help"],
    ["--version"],
]
# What it says is in the file.
WRITERS = [
    ["convert", "p.out", "--to", "compact", "-o", "old"],
    ["convert", "p.out", "--to", "json", "-o", "new"],
    ["convert", "history:s", "--store", "store.db", "--to", "csv", "-o", "old"],
    ["merge", "p.out", "q.out", "-o", "old"],
    ["filter", "--keep", "main", "p.out", "-o", "old"],
    ["report", "p.out", "-o", "old"],
    ["diff", "p.out", "q.out", "-o", "md=old"],
    ["history", "export", "s", "--store", "store.db", "-o", "old"],
    ["split", "--by", "object", "p.out", "-o", "pieces"],
    ["record", "--init"],
    ["convert", "p.out", "--without-lines", "-o", "new.callgrind.zst"],
    [*ADD, "store.db"],
    [*ADD, "new/store.db"],
    ["history", "prune", "--store", "store.db", "--keep", "0", "s"],
]
VARYING = (".db", "-wal", "-shm", "-journal")  # have the time in them

failures = []
runs = []
everything = False


def some(words, number, share):
    """Of the commands one in `share`, others for each number."""
    return words if everything else words[number % share :: share]


def expect(what, condition, shown=""):
    if not condition:
        failures.append(f"{what}: {shown}"[:1000])


class Place:
    """A directory with what the commands read."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, words, environment=None, **how):
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": str(self.folder), **(environment or {})}
        runs.append(words)
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        return subprocess.run([self.program, *words], cwd=self.folder, timeout=60, env={k: v for k, v in environment.items() if v is not None}, **how)

    def files(self):
        """But those that have the time in them."""
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in self.folder.rglob("*") if path.is_file() and not path.name.endswith(VARYING)}

    def entries(self, store="store.db"):
        with contextlib.closing(sqlite3.connect(self.folder / store)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the store is damaged"
            return database.execute("SELECT count(*) FROM entries").fetchone()[0]


class Places:
    """As many as are needed, all alike."""

    def __init__(self, program, scratch):
        self.program, self.scratch, self.answers = program, scratch, {}
        self.master = Place(program, pathlib.Path(scratch) / "master")
        self.master.folder.mkdir()
        for name, profile in PROFILES.items():
            shutil.copyfile(profile, self.master.folder / name)
        (self.master.folder / "old").write_text("what was there before\n")
        made = self.master.run(["history", "add", "--series", "s", "--commit", "a" * 40, "--time", "2026-01-01T00:00:00Z", "q.out", "--store", "store.db"])
        assert made.returncode == 0, made

    @contextlib.contextmanager
    def new(self, where=None):
        with tempfile.TemporaryDirectory(dir=where or self.scratch) as folder:
            os.chmod(folder, 0o755)
            shutil.copytree(self.master.folder, pathlib.Path(folder) / "here")
            yield Place(self.program, pathlib.Path(folder) / "here")

    def answer(self, words, *variant, where=None, **how):
        """(status, output, errors, files)"""
        with self.new(where) as place:
            done = place.run(words, *variant, **how)
            return done.returncode, done.stdout, done.stderr, place.files()

    def usual(self, words):
        key = tuple(words)
        if key not in self.answers:
            self.answers[key] = self.answer(words)
        return self.answers[key]


def expect_old_or_whole(what, places, words, place, done):
    """No half of anything, and all of it if it says so."""
    whole, before, found = places.usual(words)[3], places.master.files(), place.files()
    for path in sorted(found.keys() | whole.keys()):
        content = found.get(path)
        expect(f"{what}: {path} is whole or as it was", content == whole.get(path) or (done.returncode != 0 and content == before.get(path)), done)
    try:
        expect(f"{what}: the store", place.entries() in (0, 1, 2))
    except (AssertionError, sqlite3.Error) as damage:
        expect(f"{what}: the store", False, damage)


def expect_failure(what, done, *reasons):
    said = done.stderr.decode("utf-8", "replace")
    expect(f"{what}: fails with a reason", done.returncode in (1, 2, 125) and any(reason in said for reason in reasons or [": "]), done)


def limited(size, is_ignored):
    def begin():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN if is_ignored else signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return begin


def test_file_size(places):
    """No file may become larger: an error, or a signal that ends the program."""
    for number, (size, is_ignored) in enumerate(((0, True), (0, False), (4096, True), (40_000, True), (40_000, False))):
        for words in some(WRITERS, number, 2):
            with places.new() as place:
                done = place.run(words, restore_signals=False, preexec_fn=limited(size, is_ignored))
                what = f"{words}, files of {size} bytes, signal {'ignored' if is_ignored else 'as usual'}"
                if done.returncode != 0 and done.returncode != (-signal.SIGXFSZ if not is_ignored else 0):
                    expect_failure(what, done, "File too large", "full", "disk I/O error")
                expect_old_or_whole(what, places, words, place, done)


def test_full_output(places):
    for words in some(READERS + WRITERS, 0, 2):
        with open("/dev/full", "wb") as full, places.new() as place:
            done = place.run(words, stdout=full)
        if places.usual(words)[1]:
            expect_failure(f"{words} > /dev/full", done, "No space left")
        with open("/dev/full", "wb") as full, places.new() as place:
            done = place.run(words, stderr=full)
        expect(f"{words} 2> /dev/full", done.returncode == places.usual(words)[0], done)


def test_closed_descriptors(places):
    """What is opened then does not become the standard output."""
    for number, closed in enumerate(((0,), (1,), (2,), (0, 1, 2))):
        for words in some(READERS + WRITERS, number, 3):
            usual = places.usual(words)
            with places.new() as place:
                done = place.run(words, preexec_fn=lambda: [os.close(file) for file in closed])
                what = f"{words} without {closed}"
                expect(f"{what}: ends", done.returncode in (0, 1, 2), done)
                if 1 not in closed or not usual[1]:
                    expect(f"{what}: as usual", (done.returncode, done.stdout) == usual[:2] or 2 in closed, done)
                else:
                    expect(f"{what}: fails", done.returncode != 0, done)
                expect_old_or_whole(what, places, words, place, done)
                if words[0] != "history" or words[1] not in ("add", "prune"):
                    expect(f"{what}: the store is as it was", (place.folder / "store.db").read_bytes() == (places.master.folder / "store.db").read_bytes())


def test_clocks(places):
    library = str(preload.compiled("clock", places.scratch))
    for seconds in (-(2**33), -1, 0, 2**31 - 1, 2**31, 2**32, 7_258_118_400):
        for step in (0, -1000):
            clock = {"CLOCK": f"{seconds}:{step}", "LD_PRELOAD": library}
            with places.new() as place:
                os.utime(place.folder / "p.out", (seconds, seconds))
                for words in [*some(WRITERS[:-1], len(runs), 4), ["history", "list", "s", "--store", "store.db"], ["history", "add", "--series", "t", "p.out", "--store", "store.db"],
                              ["history", "show", "t", "--store", "store.db"], ["history", "list", "t", "--store", "store.db"], ["top", "p.out"]]:  # fmt: skip
                    done = place.run(words, clock)
                    expect(f"{words} at {seconds}, {step} later each time", done.returncode == 0, done)


def locales(scratch):
    """{name: LOCPATH, or None}: what is installed, or can be made."""
    found = {"C": None, "POSIX": None, "nonsense": None, "": None, "../../etc": None, "x" * 5000: None}
    installed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.lower().split()
    for name in ("de_DE.UTF-8", "tr_TR.UTF-8", "de_DE.ISO-8859-1"):
        made = pathlib.Path(scratch) / "locales"
        made.mkdir(exist_ok=True)
        if name.lower().replace("-", "") in [other.replace("-", "") for other in installed]:
            found[name] = None
        elif subprocess.run(["localedef", "-i", name.split(".")[0], "-f", name.split(".")[1], made / name], capture_output=True, check=False).returncode in (0, 1) and (made / name).is_dir():
            found[name] = str(made)
        else:
            print(f"surroundings: skipped locale {name}, which is not installed and cannot be made")
    return found


def test_environments(places):
    """All of it is written as in any other."""
    variants = [{"LC_ALL": name, "LOCPATH": path} for name, path in locales(places.scratch).items()]
    variants += [{"TZ": zone} for zone in (None, "", ":/etc/passwd", "x" * 100_000, "../../../dev/zero", "<+99>99:99:99", "America/New_York")]
    variants += [{name: None for name in ("PATH", "LC_ALL", "TZ", "HOME")}]
    variants += [{"HOME": home} for home in (None, "", "/nowhere/at/all", "/dev/null", "x" * 5000)]
    variants += [{"TERM": term, "COLUMNS": columns} for term, columns in ((None, "0"), ("\x1b[2J", "-1"), ("dumb", "99999999999"), ("x" * 5000, "80abc"))]
    variants += [{"TMPDIR": "/nowhere", "XDG_CONFIG_HOME": "/dev/null", "XDG_CACHE_HOME": "relative", "PAGER": "/nowhere"}]
    for number, environment in enumerate(variants):
        shown = {name: value and value[:20] for name, value in environment.items()}
        for words in some(READERS + WRITERS, number, 6):
            if words == ["--help"] and "COLUMNS" in environment:
                continue  # it is wrapped at that
            usual, found = places.usual(words), places.answer(words, environment)
            for what, a, b in zip(("status", "output", "errors", "files"), usual, found):
                expect(f"{words} with {shown}: {what}", a == b, (a, b))



def on_terminal(place, words, environment):
    """(status, what was shown)"""
    primary, secondary = pty.openpty()
    shown = b""
    with contextlib.closing(os.fdopen(primary, "rb", 0)) as screen:
        process = subprocess.Popen([place.program, *words], cwd=place.folder, stdin=secondary, stdout=secondary, stderr=secondary,
                                   env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PAGER": "cat", **environment})  # fmt: skip
        os.close(secondary)
        with contextlib.suppress(OSError):  # the other side is closed
            while block := screen.read(65536):
                shown += block
        return process.wait(60), shown


def test_terminals(places):
    with places.new() as place:
        for term in (None, "", "dumb", "xterm", "\x1b[2J", "x" * 5000):
            for columns in (None, "0", "-1", "1", "99999999999", "abc"):
                environment = {name: value for name, value in (("TERM", term), ("COLUMNS", columns)) if value is not None}
                for words in some([["top", "p.out"], ["tree", "p.out"], ["diff", "p.out", "q.out"], ["history", "show", "s", "--store", "store.db"], ["annotate", "p.out"]], len(runs), 5):
                    runs.append(words)
                    status, shown = on_terminal(place, words, environment)
                    expect(f"{words} on a terminal with {str(environment)[:100]}", status == 0 and shown, (status, shown))


def test_special_files(places):
    with places.new() as place, contextlib.closing(socket.socket(socket.AF_UNIX)) as listener:
        os.mkfifo(place.folder / "pipe")
        os.mkfifo(place.folder / "callgrind.out.1")
        listener.bind(os.path.relpath(place.folder / "socket"))
        limits = lambda: "ASAN_OPTIONS" in os.environ or resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        for name in ("/dev/zero", "/dev/urandom", "/dev/full", "/dev/null", "socket", ".", "/proc/self/mem"):
            for words in (["top", name], ["convert", name, "--to", "compact", "-o", "new"], ["diff", "p.out", name], ["history", "list", "--store", name], [*ADD[:-2], name, "--store", "x.db"]):
                expect_failure(f"{words}", place.run(words, preexec_fn=limits))
        expect_failure("a pipe that looks like a profile", place.run(["top"]), "no profile given")
        for command in ("list", "add"):
            expect_failure("a pipe as store", place.run(["history", command, "--store", "pipe", *(["p.out"] if command == "add" else [])]))
        threading.Thread(target=lambda: (place.folder / "pipe").write_bytes((place.folder / "p.out").read_bytes()), daemon=True).start()
        done = place.run(["top", "pipe"])
        expect("a profile from a pipe", done.returncode == 0, done)
        for source in ("pipe", "socket", "/dev/zero", "/dev/stdin"):
            (place.folder / "names.out").write_text(f"events: Ir\nob={source}\nfl={source}\nfn=main\n1 5\n")
            for words in (["annotate", "names.out"], ["report", "names.out", "-o", "new", "--sources=all"], ["asm", "main", "names.out"]):
                expect(f"{words}: source file {source}", place.run(words, preexec_fn=limits).returncode in (0, 1), source)
        os.mkfifo(place.folder / "callcost.toml")
        expect_failure("a pipe as configuration", place.run(["diff", "p.out", "q.out"]), "named pipe")
    with places.new() as place:
        (place.folder / "elsewhere").mkdir()
        shutil.rmtree(place.folder / ".callcost", ignore_errors=True)
        (place.folder / ".callcost").symlink_to("elsewhere")
        for words in (["history", "add", "p.out"], ["history", "list"]):
            expect(f"{words}: directory elsewhere", (done := place.run(words)).returncode == 0, done)
        expect("what is elsewhere", {path.name for path in (place.folder / "elsewhere").iterdir()} >= {"history.db"})


def expect_refusals(place, where, reasons, **who):
    """Nothing can be written there, and all can be read."""
    before = place.files()
    for words in WRITERS:
        expect_failure(f"{words}, {where}", place.run(words, **who), *reasons)
    expect(f"{where}: nothing is changed", place.files() == before)
    for words in READERS:
        done = place.run(words, **who)
        expect(f"{words}, {where}", done.returncode == 0, done)


REFUSALS = ("Permission denied", "Read-only file system", "is read-only")


def test_other_users(places):
    """What belongs to another user, or must not be read."""
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    with places.new() as place:
        os.chmod(places.scratch, 0o755)
        if who:
            place.program = shutil.copy(place.program, place.folder.parent / "callcost")
        for path in [place.folder, *place.folder.rglob("*")]:
            os.chmod(path, 0o555 if path.is_dir() else 0o444)
        expect_refusals(place, "read-only directory", REFUSALS, **who)
        os.chmod(place.folder, 0o755)
        log = place.folder / "store.db-wal"
        for content, is_read in ((b"", True), (b"x" * 4128, False)):
            log.write_bytes(content)
            os.chmod(log, 0o444)
            os.chmod(place.folder, 0o555)
            done = place.run(["history", "list", "--store", "store.db"], **who)
            expect(f"a log of {len(content)} bytes in a read-only directory", (done.returncode == 0) == is_read and (is_read or b"its log" in done.stderr), done)
            os.chmod(place.folder, 0o755)
            log.unlink()
        os.chmod(place.folder, 0o555)
        if who:
            for path in [place.folder, *place.folder.rglob("*")]:
                os.chmod(path, 0o755 if path.is_dir() else 0o644)
            expect_refusals(place, "another user's directory", REFUSALS, **who)
        os.chmod(place.folder, 0o755)
        (place.folder / "closed").mkdir()
        for path in ("p.out", "store.db"):
            shutil.copy(place.folder / path, place.folder / "closed" / path)
            os.chmod(place.folder / path, 0)
        (place.folder / "callcost.toml").write_text("")
        os.chmod(place.folder / "callcost.toml", 0)
        os.chmod(place.folder / "closed", 0)
        for words in (["top", "p.out"], ["top", "closed/p.out"], ["history", "list", "--store", "store.db"], ["history", "list", "--store", "closed/store.db"], [*ADD[:-2], "q.out", "--store", "store.db"],
                      ["convert", "q.out", "--to", "json", "-o", "closed/new"], ["split", "--by", "object", "q.out", "-o", "closed/new"], ["diff", "q.out", "q.out"], ["record", "x"]):  # fmt: skip
            expect_failure(f"{words}: not to be read", place.run(words, **who), "Permission denied")
        os.chmod(place.folder / "closed", 0o755)


def test_mounts(places):
    """A full disk, and one that is read-only; where mounting is allowed."""
    with tempfile.TemporaryDirectory(dir=places.scratch) as disk:
        unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
        script = 'mount -t tmpfs -o size=3m none "$0" && exec "$@"'
        if subprocess.run([*unshare, "sh", "-c", script, disk, "true"], capture_output=True, check=False).returncode != 0:
            print("surroundings: skipped full and read-only disks: mounting is not allowed")
            return
        words = [*unshare, "sh", "-c", script, disk, sys.executable, __file__, places.program, "--in", disk]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        expect("mounts", done.returncode == 0, done.stdout + done.stderr)


def on_mounted(program, disk):
    for words in WRITERS:
        with tempfile.TemporaryDirectory() as scratch:
            places = Places(program, scratch)
            with places.new(disk) as place:
                before = place.files()
                with contextlib.suppress(OSError), open(pathlib.Path(disk) / "filler", "wb", 0) as filler:
                    while filler.write(bytes(4096)):
                        pass
                done = place.run(words)
                if done.returncode != 0 or words != WRITERS[-1]:  # a log of what is removed may fit
                    expect_failure(f"{words} on a full disk", done, "No space left", "disk is full", "disk I/O error")
                expect(f"{words} on a full disk: as it was", place.files() == before, done)
                os.remove(pathlib.Path(disk) / "filler")
                expect(f"{words}: the store", place.entries() in (0, 1, 2), done)
    with tempfile.TemporaryDirectory() as scratch:
        with Places(program, scratch).new(disk) as place:
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
            expect_refusals(place, "read-only disk", REFUSALS)
            subprocess.run(["mount", "-o", "remount,rw", disk], check=True)


def main():
    global everything
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("executable", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--in", dest="disk", help=argparse.SUPPRESS)
    options = parser.parse_args()
    everything, program = options.all, str(options.executable.resolve())
    if options.disk:
        on_mounted(program, options.disk)
    else:
        tests = (test_environments, test_closed_descriptors, test_clocks, test_full_output, test_file_size, test_terminals, test_special_files, test_other_users, test_mounts)
        with tempfile.TemporaryDirectory() as scratch:
            places = Places(program, scratch)
            for test in tests:
                test(places)
    print(*failures, f"surroundings: {len(runs)} runs, {len(failures)} failed", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
