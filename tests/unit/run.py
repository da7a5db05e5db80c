#!/usr/bin/env python3
"""Runs every Nth test of a GoogleTest program in one process: with a sanitizer, each process takes long to start.

    run.py EXECUTABLE I/N
    run.py --self-test

Failed tests are named first, then comes what each printed. One that ends or stops the process has failed; those behind
it run in another process.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SECONDS = 300  # that nothing is printed
FAILED = "exit status 1"  # GoogleTest's
RUN = re.compile(r"\[ RUN      \] (\S+)$")
RESULT = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] (\S+?)(, where .*)? \(\d+ ms\)$")


def names_of(executable):
    listed = subprocess.run([executable, "--gtest_list_tests"], capture_output=True, text=True, timeout=SECONDS)
    if listed.returncode:
        sys.exit(f"{executable} --gtest_list_tests: exit status {listed.returncode}\n{listed.stdout}{listed.stderr}")
    names, suite = [], ""
    for line in listed.stdout.splitlines():
        word = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(suite + word.strip())
        elif word.endswith("."):
            suite = word
    return [name for name in names if "DISABLED_" not in name]


def output_of(executable, names, seconds):
    """(all that is printed, how the process ended; nothing if as it should)"""
    with tempfile.TemporaryFile() as file:
        command = [executable, f"--gtest_filter={':'.join(names)}", "--gtest_color=no"]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
        printed, ending = -1, ""
        while process.returncode is None:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                size = file.seek(0, 2)
                if size == printed:
                    process.kill()
                    ending = f"nothing was printed for {seconds} seconds"
                printed = size
        status = process.returncode
        if status and not ending:
            ending = f"exit status {status}" if status > 0 else f"signal {-status}"
        file.seek(0)
        return file.read().decode("utf-8", "replace"), ending


def blocks_of(output):
    """[name, "OK" | "FAILED" | "SKIPPED" | nothing, lines] of each test that was begun, and the lines behind the last one."""
    blocks, lines = [], []
    for line in output.splitlines():
        if begun := RUN.search(line):
            lines = [line]
            blocks.append([begun[1], "", lines])
            continue
        lines.append(line)
        if (ended := RESULT.search(line)) and blocks and ended[2] == blocks[-1][0]:
            blocks[-1][1] = ended[1]
            lines = []
    return blocks, lines


def run(executable, names, seconds=SECONDS):
    """[(what failed, what it printed)]"""
    failures = []
    while names:
        output, ending = output_of(executable, names, seconds)
        blocks, rest = blocks_of(output)
        failures += [(name, lines) for name, result, lines in blocks if result == "FAILED"]
        if blocks and not blocks[-1][1]:
            name, _, lines = blocks[-1]
            failures.append((f"{name} ({ending})", lines))
            names = names[names.index(name) + 1 :]
            continue
        missing = sorted(set(names) - {name for name, *_ in blocks})
        if missing:
            failures.append((f"{', '.join(missing)}: not run", rest or output.splitlines()))
        elif ending and (ending != FAILED or all(result != "FAILED" for _, result, _ in blocks)):
            failures.append((f"the end of the process ({ending})", rest))  # as by leaked memory
        break
    return failures


def report(executable, names, failures):
    print(f"{len(names)} tests of {pathlib.Path(executable).name}, {len(failures)} failures")
    for what, _ in failures:
        print(f"failed: {what}")
    for what, lines in failures:
        print(f"==== {what}", *lines, sep="\n")


# A program that does what the names of its tests say.
PROGRAM = """#!{python}
import os, sys, time
names = ["A.passes", "A.fails", "A.skips", "B.leaks", "B.DISABLED_fails", "C/D.fails/0", "E.aborts", "E.hangs", "F.fails", "F.prints"]
if "--gtest_list_tests" in sys.argv:
    suite = ""
    for name in names:
        of, _, test = name.partition(".")
        if of != suite:
            print(of + ".")
        suite = of
        print("  " + test + ("  # GetParam() = 0" if "/" in name else ""), flush=True)
    sys.exit()
chosen = sys.argv[1].removeprefix("--gtest_filter=").split(":")
print("Note: Google Test filter = ...")
failed = leaked = False
for name in [name for name in names if name in chosen]:
    print("[ RUN      ] " + name, flush=True)
    if "aborts" in name:
        print("==1==ERROR: AddressSanitizer: heap-use-after-free", file=sys.stderr, flush=True)
        os.abort()
    if "hangs" in name:
        time.sleep(600)
    if "prints" in name:
        print("[       OK ] of another, and no end of line: ", end="")
    leaked |= "leaks" in name
    failed |= "fails" in name
    if "fails" in name:
        print("x.cpp:1: Failure of " + name)
    result = "[  FAILED  ]" if "fails" in name else "[  SKIPPED ]" if "skips" in name else "[       OK ]"
    print(result, name + (", where GetParam() = 0" if "/" in name and "fails" in name else ""), "(3 ms)", flush=True)
print("[----------] Global test environment tear-down")
if leaked:
    print("LeakSanitizer: detected memory leaks", file=sys.stderr)
sys.exit(23 if leaked else failed)
"""
# Tests that are run together, then what is said to have failed.
CASES = {
    "A.passes": [],
    "A.passes A.skips F.prints": [],
    "A.passes A.fails F.fails": ["A.fails", "F.fails"],
    "C/D.fails/0 A.passes": ["C/D.fails/0"],
    "A.passes B.leaks": ["the end of the process (exit status 23)"],
    "A.fails B.leaks": ["A.fails", "the end of the process (exit status 23)"],
    "A.fails E.aborts F.fails F.prints": ["A.fails", "E.aborts (signal 6)", "F.fails"],
    "E.hangs F.fails": ["E.hangs (nothing was printed for 1 seconds)", "F.fails"],
    "A.passes G.is_missing": ["G.is_missing: not run"],
}
SAID = {"A.fails": "x.cpp:1: Failure of A.fails", "E.aborts (signal 6)": "==1==ERROR: AddressSanitizer: heap-use-after-free", "the end of the process (exit status 23)": "LeakSanitizer: detected memory leaks"}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "program")
        program.write_text(PROGRAM.replace("{python}", sys.executable))
        program.chmod(0o755)
        names = names_of(program)
        if len(names) != 9 or sorted(sum((share(names, f"{i}/4") for i in range(1, 5)), [])) != sorted(names):
            sys.exit(f"names of the tests: {names}")
        for case, expected in CASES.items():
            failures = run(program, case.split(), seconds=1)
            if [what for what, _ in failures] != expected:
                sys.exit(f"{case}: {failures}, expected {expected}")
            for what, lines in failures:
                if what in SAID and SAID[what] not in lines:
                    sys.exit(f"{case}: {what} printed {lines}")
    print(f"unit/run.py: {len(CASES)} cases")


def share(names, part):
    first, step = map(int, part.split("/"))
    return names[first - 1 :: step]


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    executable, part = sys.argv[1:]
    names = share(names_of(executable), part)
    failures = run(executable, names)
    report(executable, names, failures)
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main())
