#!/usr/bin/env python3
"""Asks two builds of the command, one of them for another processor, the same of every profile of tests/profiles:
what they print, how they end and the files that they write must be equal, byte for byte.

    foreign.py NATIVE FOREIGN
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROFILES = pathlib.Path(__file__).resolve().parent / "profiles"
SECONDS = 600
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", "GIT_DIR": "/nonexistent"}
# To a store that both have from the native one: by its hash it is known that this profile is in it already.
ADDING = ["history", "add", "--store", "{out}.both", "--series", "{file}", "--machine", "m", "--time", "2026-01-01", "{file}"]
QUESTIONS = [  # {file}: a profile; {out}: a file to be written
    ["top", "--json", "{file}"],
    ["check", "--json", "{file}"],
    ["info", "--json", "{file}"],
    ["tree", "--json", "{file}"],
    ["lines", "--json", "{file}"],
    *(["convert", "--to", form, "{file}", "-o", "{out}"]
      for form in ("portable", "compact", "strict", "cachegrind", "pprof", "speedscope", "firefox", "folded", "dot", "json", "csv")),
    ["merge", "{file}", "{file}", "-o", "{out}"],
    ["diff", "--json", "{file}", "callgrind/default.out"],
    # The store itself is a database with random bytes in it; what it holds comes out as a profile again.
    ["history", "add", "-q", "--store", "{out}.db", "--series", "{file}", "--commit", "c", "--machine", "m", "--time", "2026-01-01", "{file}"],
    ADDING,
    ["history", "export", "{file}@c", "--store", "{out}.db", "-o", "{out}"],
]  # fmt: skip


def answer(program, question, file, folder):
    words = [word.replace("{file}", file).replace("{out}", f"{folder}/out") for word in question]
    done = subprocess.run([program, *words], capture_output=True, cwd=PROFILES, env=ENVIRONMENT, timeout=SECONDS)
    written = pathlib.Path(folder, "out")
    data = written.read_bytes() if written.exists() else b""
    written.unlink(missing_ok=True)
    return done.returncode, *(text.replace(folder.encode(), b"") for text in (done.stdout, done.stderr)), data


def differences(native, foreign, file):
    with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
        answer(native, ADDING, file, ours)
        if os.path.exists(f"{ours}/out.both"):
            shutil.copy(f"{ours}/out.both", theirs)
        for question in QUESTIONS:
            expected, found = answer(native, question, file, ours), answer(foreign, question, file, theirs)
            for what, wanted, actual in zip(("exit status", "stdout", "stderr", "file"), expected, found):
                if wanted != actual:
                    at = next((i for i, (a, b) in enumerate(zip(wanted, actual)) if a != b), None) if what != "exit status" else None
                    shown = (wanted[at : at + 60], actual[at : at + 60]) if at is not None else (str(wanted)[-200:], str(actual)[-200:])
                    yield f"{' '.join(question)} {file}: {what}: {shown[0]!r} and {shown[1]!r}"


def main():
    native, foreign = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:3])
    files = sorted(str(path.relative_to(PROFILES)) for path in PROFILES.rglob("*")
                   if path.is_file() and path.suffix not in (".md", ".tsv", ".py") and "sources" not in path.parts)  # fmt: skip
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [line for lines in pool.map(lambda file: list(differences(native, foreign, file)), files) for line in lines]
    print(*wrong, f"{len(files)} files, {len(QUESTIONS)} questions each: {len(wrong)} differences", sep="\n")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
