#!/usr/bin/env python3
"""Runs the command on every case of this folder and compares what it prints, byte for byte.

    run.py EXECUTABLE [--update] [--without FILE] [--part I/N] [CASE...]

A case is a folder with
    args      one argument per line
    stdout, stderr, exit    what must come out; `--update` writes them
and, where it needs them,
    stdin     fed to the command
    cwd       the working directory, relative to the case; without it: tests/profiles
    env       NAME=VALUE lines
    mtimes    "PATH SECONDS" lines: modification times of files, relative to the working directory
    terminal  "COLUMNS ROWS": standard output is a terminal of this size
    out       files that must be written: in `args`, {out} is a new directory
    memory    megabytes of address space; the case is left out where the command cannot even start with it (sanitizers)

Whatever the case expects, output must be valid UTF-8 without control characters (escape sequences are allowed where
the case asks for color), and JSON must be JSON whose costs add up.
"""

import argparse
import concurrent.futures
import csv
import difflib
import fcntl
import fnmatch
import io
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading

CASES = pathlib.Path(__file__).resolve().parent
PROFILES = CASES.parent / "profiles"
SECONDS = 120
SOURCE_TIME = 1_500_000_000  # sources are older than profiles, whenever the checkout was made
PROFILE_TIME = 1_600_000_000


def lines_of(path):
    return path.read_text("utf-8").splitlines() if path.exists() else []


def set_times():
    for path in PROFILES.rglob("*"):
        time = SOURCE_TIME if PROFILES / "sources" in path.parents else PROFILE_TIME
        if path.is_file() and path.stat().st_mtime != time:
            os.utime(path, (time, time))


def environment(case):
    kept = {name: value for name, value in os.environ.items() if name == "PATH" or name.split("_")[0] in ("ASAN", "UBSAN", "TSAN", "LSAN")}
    # No source from elsewhere: what is installed differs from machine to machine.
    return kept | {"LC_ALL": "C.UTF-8", "TZ": "UTC", "CALLCOST_SOURCES": "near"} | dict(line.split("=", 1) for line in lines_of(case / "env"))


def open_terminal(columns, rows):
    """Both ends of a terminal that passes on every byte as it is."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    settings = termios.tcgetattr(theirs)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, settings)
    return ours, theirs


def read_all(descriptor):
    received = bytearray()
    while True:
        try:
            block = os.read(descriptor, 65536)
        except OSError:  # how a terminal says that its other end is closed
            block = b""
        if not block:
            return bytes(received)
        received += block


def with_memory(case):
    """What to put before a command so that it runs in the address space of the case."""
    return ["sh", "-c", f'ulimit -v {int((case / "memory").read_text()) * 1024} && exec "$@"', "sh"]


def can_run(executable, case):
    if not (case / "memory").exists():
        return True
    return subprocess.run([*with_memory(case), executable, "--version"], capture_output=True).returncode == 0


def files_below(folder):
    """{name: content}"""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(executable, case):
    """(stdout, stderr, exit, {name: content} of what is written) as bytes."""
    with tempfile.TemporaryDirectory() as out:
        arguments = [argument.replace("{out}", out) for argument in lines_of(case / "args")]
        output = run_with(executable, case, arguments)
        return *(data.replace(out.encode(), b"{out}") for data in output), files_below(pathlib.Path(out))


def run_with(executable, case, arguments):
    """(stdout, stderr, exit) as bytes."""
    with tempfile.TemporaryDirectory() as temporary:
        work = PROFILES
        if (case / "cwd").exists():
            work = (case / (case / "cwd").read_text("utf-8").strip()).resolve()
        if (case / "mtimes").exists():  # in a copy: cases run side by side
            work = pathlib.Path(shutil.copytree(work, pathlib.Path(temporary) / "work"))
            for line in lines_of(case / "mtimes"):
                path, seconds = line.rsplit(" ", 1)
                os.utime(work / path, (int(seconds), int(seconds)))
        stdin = (case / "stdin").read_bytes() if (case / "stdin").exists() else b""
        command = [executable, *arguments]
        if (case / "memory").exists():
            command = [*with_memory(case), *command]
        options = {"cwd": work, "env": environment(case), "stderr": subprocess.PIPE}
        if not (case / "terminal").exists():
            result = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, timeout=SECONDS, **options)
            return result.stdout, result.stderr, b"%d\n" % result.returncode

        columns, rows = map(int, (case / "terminal").read_text().split())
        ours, theirs = open_terminal(columns, rows)
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=theirs, **options)
        os.close(theirs)
        received = []
        reader = threading.Thread(target=lambda: received.append(read_all(ours)))
        reader.start()
        _, stderr = process.communicate(stdin, timeout=SECONDS)
        reader.join()
        os.close(ours)
        return received[0], stderr, b"%d\n" % process.returncode


def complaints(case, stdout, stderr, exit_status):
    """What is wrong with the output whatever the case expects."""
    arguments = lines_of(case / "args")
    is_colored = any(argument.startswith(("--color", "--hyperlink")) for argument in arguments) or (case / "terminal").exists()
    for name, data in (("stdout", stdout), ("stderr", stderr)):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            yield f"{name} is not UTF-8: {error}"
            continue
        allowed = "\n\x1b" if is_colored else "\n"
        if ("--csv" in arguments or "csv" in arguments) and name == "stdout":
            allowed += "\r"
            yield from wrong_csv(text)
        if "tsv" in arguments and name == "stdout":
            allowed += "\t"
        wrong = sorted({c for c in text if (c < " " or "\x7f" <= c <= "\x9f" or "\u202a" <= c <= "\u202e") and c not in allowed})
        if wrong:
            yield f"{name} has control characters: {wrong}"
    if "--json" in arguments and exit_status == b"0\n":
        try:
            yield from wrong_sums(json.loads(stdout))
        except ValueError as error:
            yield f"stdout is not JSON: {error}"


def wrong_csv(text):
    """RFC 4180: CR LF at the end of every row, as many fields in each as in the header."""
    if text.count("\n") != text.count("\r\n") or text.count("\r") != text.count("\n"):
        yield "a row does not end in CR LF"
    widths = {len(row) for row in csv.reader(io.StringIO(text, newline=""), strict=True)}
    if len(widths) > 1:
        yield f"rows have {sorted(widths)} fields"


def wrong_sums(answer):
    """Self cost shown and left out is the total, always; changes of self cost are that of the total."""
    if answer.get("schema") == "callcost.diff/1":
        total = next(row["cost"]["delta"] for row in answer["totals"] if row["event"] == answer["event"])
        for rows in ("files", "objects") if "filter" in answer else ("functions", "files", "objects"):
            if (sum(row["self"]["delta"] for row in answer[rows]) - total) % 2**64:
                yield f"the changes of {rows} do not add up to {total}"
        return
    rows = answer.get("rows", answer.get("functions"))
    if not isinstance(rows, list):
        return
    for event, total in answer["total"].items():
        shown = sum(row["self"].get(event, 0) for row in rows) if total is not None else None
        left_out = answer["omitted"]["self"].get(event, 0)
        if shown is not None and (shown + left_out - total) % 2**64:
            yield f"{event}: {shown} shown and {left_out} left out are not {total}"
    located = answer.get("located")
    total = answer["total"].get(answer["event"])  # --show may leave it out
    if located and total is not None and (sum(located.values()) - total) % 2**64:
        yield f"what is located adds up to {sum(located.values())}"


def without_machine(stdout):
    """What differs from build to build and from one checkout to the next: the build's id and where links lead to."""
    stdout = re.sub(rb"\(build [0-9a-f]{40}\)", b"(build ID)", stdout)
    return re.sub(rb"file://[^/\x1b]*/[^\x1b]*?/tests/", b"file://HOST/CHECKOUT/tests/", stdout)


def difference(name, expected, actual):
    def text(data):
        return data.decode("utf-8", "backslashreplace").splitlines(keepends=True)

    return "".join(difflib.unified_diff(text(expected), text(actual), f"{name}, expected", f"{name}, actual"))


def write_all(folder, files):
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def check(executable, case, update):
    """The description of what is wrong; empty if nothing is."""
    try:
        actual = run(executable, case)
        actual = (without_machine(actual[0]), *actual[1:])
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} seconds\n"
    *actual, written = actual
    wrong = "".join(f"{complaint}\n" for complaint in complaints(case, *actual))
    if update:
        write_all(case / "out", written)
    expected = files_below(case / "out")
    for name in sorted(expected.keys() | written.keys()):
        if expected.get(name) != written.get(name):
            wrong += difference(f"out/{name}", expected.get(name, b""), written.get(name, b""))
            wrong += "" if name in expected else f"out/{name} is not expected\n"
            wrong += "" if name in written else f"out/{name} is not written\n"
    for name, data in zip(("stdout", "stderr", "exit"), actual):
        path = case / name
        if update:
            path.write_bytes(data)
        else:
            expected = path.read_bytes() if path.exists() else b""
            if expected != data:
                wrong += difference(name, expected, data)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("executable", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--update", action="store_true", help="write what comes out as what is expected")
    parser.add_argument("--without", type=pathlib.Path, metavar="FILE", help="cases to leave out: PATTERN, blanks, why; one a line")
    parser.add_argument("--part", metavar="I/N", default="1/1", help="only every Nth case, from the Ith on")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="names of cases; all without any")
    options = parser.parse_args()
    set_times()
    cases = sorted(path.parent for path in CASES.glob("*/args"))
    if options.cases:
        cases = [CASES / name for name in options.cases]
    if options.without:
        left_out = [line.split()[0] for line in lines_of(options.without) if line and not line.startswith("#")]
        unknown = [name for name in left_out if not fnmatch.filter([case.name for case in cases], name)]
        if unknown:
            sys.exit(f"{options.without}: no case is called {', '.join(unknown)}")
        cases = [case for case in cases if not any(fnmatch.fnmatchcase(case.name, name) for name in left_out)]
    first, step = map(int, options.part.split("/"))
    cases = cases[first - 1 :: step]
    cases = [case for case in cases if can_run(options.executable, case)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda case: check(options.executable, case, options.update), cases))
    failed = [(case.name, wrong) for case, wrong in zip(cases, results) if wrong]
    for name, wrong in failed:
        print(f"==== {name}\n{wrong}")
    print(f"{len(cases) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
