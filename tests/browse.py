#!/usr/bin/env python3
"""`callcost browse` in a real terminal: tmux, at 80 x 24 and 200 x 60.

usage: browse.py EXECUTABLE
"""

import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROFILES = ROOT / "tests/profiles"
PATIENCE = 20  # seconds


class Terminal:
    """A program in a window of a tmux server of its own."""

    def __init__(self, folder, words, columns=80, rows=24, variables=None):
        self.socket = tempfile.mktemp(prefix="tmux-", dir=folder)  # of its own: the server before may still be ending
        self.folder = folder
        environment = {"HOME": str(folder), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh", **(variables or {})}
        shell = "trap : INT; printf 'before\\n'; " + " ".join(f"'{word}'" for word in words) + "; echo \"status=$?\"; exec sleep 600"
        subprocess.run(["tmux", "-f", "/dev/null", "-S", self.socket, "new-session", "-d", "-x", str(columns), "-y", str(rows), shell],
                       env=environment, check=True, timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], check=False, timeout=PATIENCE)

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout

    def press(self, *keys):
        for key in keys:
            self.tmux("send-keys", key)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def click(self, column, row):
        """The left button, as terminals of TERM=screen report it."""
        place = f"{chr(33 + column)}{chr(33 + row)}"
        self.type(f"\x1b[M {place}\x1b[M#{place}")

    def lines(self):
        return self.tmux("capture-pane", "-p").split("\n")[:-1]

    def raw(self):
        return self.tmux("capture-pane", "-p", "-e")

    def wait(self, pattern, what=""):
        """The lines, as soon as one of them matches."""
        end = time.monotonic() + PATIENCE
        while True:
            lines = self.lines()
            if any(re.search(pattern, line) for line in lines):
                return lines
            if time.monotonic() > end:
                shown = "\n".join(lines)
                sys.exit(f"{what or pattern}: not on the screen:\n{shown}")
            time.sleep(0.02)

    def wait_until(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition(self.lines()):
            if time.monotonic() > end:
                shown = "\n".join(self.lines())
                sys.exit(f"{what}:\n{shown}")
            time.sleep(0.02)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))


def expect(condition, what, lines=()):
    if not condition:
        shown = "\n".join(lines)
        sys.exit(f"{what}:\n{shown}")


def first_function(program, profile, *options):
    top = subprocess.run([program, "top", "-n1", "--json", *options, profile], capture_output=True, text=True, check=True, timeout=PATIENCE)
    return json.loads(top.stdout)["rows"][0]["function"]


def check_functions(program, folder, columns, rows):
    profile = PROFILES / "callgrind/default.out"
    hottest = first_function(program, profile)
    with Terminal(folder, [program, "browse", str(profile)], columns, rows) as terminal:
        lines = terminal.wait(r"\*self +inclusive +called +function")
        expect(len(lines) == rows, "the screen has not all rows", lines)
        expect(hottest in lines[3], f"{hottest} is not the first function", lines)
        expect("default.out" in lines[0] and "Ir" in lines[0], "the title is not complete", lines)
        terminal.press("o")
        lines = terminal.wait(r"\*inclusive")
        expect(first_function(program, profile, "--inclusive") in lines[3], "the first function by inclusive cost is another one", lines)
        terminal.press("%")
        lines = terminal.wait_until(lambda now: "%" not in now[3], "% does not show numbers")
        terminal.press("o", "o", "%")
        terminal.wait(r"\*function")
        terminal.press("/")
        terminal.type("main")
        terminal.wait(r"^/main")
        terminal.press("Enter")
        terminal.wait_until(lambda now: not now[-1].startswith("/"), "the prompt is still there")
        terminal.press("End")
        terminal.press("n")
        terminal.type("/no such function")
        terminal.press("Enter")
        terminal.wait(r"'no such function' is in no row")
        terminal.type("H")
        terminal.type("main")
        terminal.press("Enter")
        lines = terminal.wait(r"hide 'main'")
        expect(not any(re.search(r"%.*\bmain\b", line) for line in lines[3:]), "main is not hidden", lines)
        terminal.press("R")
        terminal.wait_until(lambda now: "hide" not in now[0], "the filter is still there")
        terminal.type("F")
        terminal.type("/(/")
        terminal.press("Enter")
        terminal.wait(r"invalid pattern")
        check_sizes(terminal, columns, rows)
        terminal.press("q")
        lines = terminal.wait(r"status=0")
        expect(lines[0] == "before", "the screen is not as it was", lines)


def check_lists(program, folder, columns, rows):
    """Callers and callees, call tree, source, event types, keys, the mouse."""
    words = [program, "browse", str(PROFILES / "callgrind/all-events.out"), "-I", str(PROFILES / "sources")]
    with Terminal(folder, words, columns, rows) as terminal:
        terminal.wait(r"\*self")
        terminal.press("Enter")
        lines = terminal.wait(r"inclusive +calls +function")
        expect(re.search(r"% +1,763 +<- _dl_relocate_object", lines[3]), "the callers are not those of peek", lines)
        expect(any(re.search(r"-> do_lookup_x", line) for line in lines), "there are no callees", lines)
        terminal.press("End", "Enter")
        terminal.wait(r"^ +32.75% +1,799 +do_lookup_x")
        terminal.press("BSpace", "BSpace")
        terminal.wait(r"\*self")
        terminal.type("t")
        lines = terminal.wait(r"between +self +function, its callees below")
        expect("- 0x000000000001ab70" in lines[3], "the hottest root is not open", lines)
        terminal.press("Enter")
        terminal.wait_until(lambda now: "+ 0x000000000001ab70" in now[3], "Enter does not close the branch")
        terminal.press("Right")
        terminal.wait(r"- _dl_start")
        terminal.type("v")
        terminal.wait(r"function, its callers below")
        terminal.type("f")
        terminal.wait(r"\*self")
        terminal.type("/fib")
        terminal.press("Enter")
        terminal.type("s")
        lines = terminal.wait(r"sources/small.cpp")
        expect(any(re.search(r"=> fib\(int\) \(1,214x, recursive\)", line) for line in lines), "calls of lines are missing", lines)
        expect(any(re.search(r"0\.25% +15 .*long fib", line) for line in lines), "costs of lines are missing", lines)
        terminal.type("e")
        terminal.wait(r"475,590 +Dr +Data reads")
        terminal.press("Down", "Enter")
        terminal.wait(r"^Dr 475,590")
        terminal.type("?")
        terminal.wait(r"callers and callees of the selected function")
        terminal.press("BSpace")
        terminal.wait(r"long fib")
        terminal.click(0, 1)
        terminal.wait(r"\*self")
        terminal.click(10, 5)
        terminal.wait(r"^3/")
        terminal.click(10, 5)
        terminal.wait(r"inclusive +calls +function")
        terminal.type("q")
        terminal.wait(r"status=0")


def check_difference(program, folder, columns, rows):
    words = [program, "browse", str(PROFILES / "callgrind/cachesim-branch.out"), "--diff", str(PROFILES / "callgrind/default.out")]
    with Terminal(folder, words, columns, rows) as terminal:
        terminal.wait(r"\*self")
        terminal.type("d")
        lines = terminal.wait(r"before +after +change +relative +function")
        expect(re.search(r"_int_malloc", lines[3]), "the greatest change is not the first", lines)
        expect(any("(new)" in line for line in lines), "new functions are not marked", lines)
        terminal.wait(r"total 1,962,662 before, 1,962,804 after")
        terminal.press("Enter")
        terminal.wait(r"inclusive +change +calls +function")
        terminal.type("q")
        terminal.wait(r"status=0")


def check_sizes(terminal, columns, rows):
    for size in ((40, 10), (20, 3), (1, 1), (columns + 20, rows + 10), (columns, rows)):
        terminal.resize(*size)
        terminal.press("Down")
        terminal.wait_until(lambda now, rows=size[1]: len(now) == rows, f"the screen is not of {size}")
    terminal.wait(r"function")


def check_signals(program, folder):
    profile = PROFILES / "callgrind/default.out"
    with Terminal(folder, [program, "browse", str(profile)]) as terminal:
        terminal.wait(r"\*self")
        terminal.press("C-c")
        lines = terminal.wait(r"status=130")
        expect(lines[0] == "before", "the screen is not as it was after Ctrl-C", lines)
    with Terminal(folder, ["bash", "--norc", "-ic", f"{program} browse {profile}; echo stopped=$?; fg"]) as terminal:
        terminal.wait(r"\*self")
        terminal.press("C-z")
        terminal.wait_until(lambda now: any("*self" in line for line in now) and not any("stopped" in line for line in now),
                            "the screen is not back after Ctrl-Z and fg")
        terminal.press("q")
        terminal.wait(r"stopped=148")


def check_names(program, folder):
    """Control characters of names never reach the terminal, and wide characters take two columns."""
    profile = folder / "odd.out"
    profile.write_bytes(b"events: Ir\nfn=\x1b]0;title\x07\x1b[2Jevil\n1 100\nfn=" + "漢字漢字".encode() * 40 + b"\n1 50\nfn=plain\n1 10\n")
    with Terminal(folder, [program, "browse", str(profile)]) as terminal:
        lines = terminal.wait(r"\\x1b\]0;title\\x07\\x1b\[2Jevil")
        expect("plain" in lines[5], "a wide name takes more than its line", lines)
        terminal.press("q")
        terminal.wait(r"status=0")


def check_refusals(program, folder):
    profile = str(PROFILES / "callgrind/default.out")
    done = subprocess.run([program, "browse", profile], capture_output=True, text=True, timeout=PATIENCE)
    expect(done.returncode == 1 and "standard output is no terminal" in done.stderr and "callcost top" in done.stderr, "no terminal", [done.stderr])
    for name, words in (("nosuch", "TERM=nosuch is not known here"), ("dumb", "TERM=dumb has no full screen")):
        with Terminal(folder, ["env", f"TERM={name}", program, "browse", profile]) as terminal:
            terminal.wait(words)
            terminal.wait("callcost top")
            terminal.wait("status=1")
    with Terminal(folder, ["sh", "-c", f"cat {profile} | {program} browse -"]) as terminal:
        terminal.wait(r"\*self", "a profile from standard input")
        terminal.press("q")
        terminal.wait("status=0")


def check_gone(program):
    """It ends with its terminal, also where SIGHUP is ignored."""
    for ignored in ("", "trap '' HUP; "):
        process, terminal = pty.fork()
        if process == 0:
            words = f"{ignored}exec '{program}' browse '{PROFILES}/callgrind/default.out'"
            os.execve("/bin/sh", ["sh", "-c", words], {"TERM": "xterm", "PATH": os.environ["PATH"]})
        shown = b""
        while b"_dl_fixup" not in shown:
            shown += os.read(terminal, 4096)
        os.close(terminal)
        end = time.monotonic() + PATIENCE
        while os.waitpid(process, os.WNOHANG)[0] == 0:
            if time.monotonic() > end:
                os.kill(process, signal.SIGKILL)
                sys.exit("browse goes on without its terminal")
            time.sleep(0.02)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if shutil.which("tmux") is None:
        print("browse: there is no tmux, nothing was tested")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="callcost-browse-") as name:
        folder = pathlib.Path(name)
        for columns, rows in ((80, 24), (200, 60)):
            check_functions(program, folder, columns, rows)
            check_lists(program, folder, columns, rows)
            check_difference(program, folder, columns, rows)
        check_signals(program, folder)
        check_gone(program)
        check_names(program, folder)
        check_refusals(program, folder)
    print("browse: all as it should be")


if __name__ == "__main__":
    main()
