#!/usr/bin/env python3
"""Fails when callcost needs more, or fewer, instructions than the checked-in figures say, by more than 2 %.

    python3 bench/gate.py --build build/release             exit status 1 if a figure is outside
    python3 bench/gate.py --build build/release --update    writes bench/instruction_counts.json

Instructions are counted by Callgrind and read from its profile by callcost itself. They do not depend on the
load of the machine, but on compiler, flags and C library: compare only release builds made as the figures
were. A figure that became better also fails, so that the gain is written down and kept.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE / "instruction_counts.json"
TOLERANCE = 0.02

COMMANDS = (
    "top callgrind/python-instr-jumps.out",
    "info callgrind/python-instr-jumps.out",
    "annotate callgrind/python-instr-jumps.out",
    "info callgrind/cachesim-branch.out",
    "top callgrind/stl-O2-instr-jumps.out --json --limit 0",
    "top callgrind/threads-separate-combined-every-bb.out",
    "top cachegrind/default.out",
    "top xdebug/plain.cachegrind.out",
    "info xdebug/plain.cachegrind.out.gz",
)

# A small environment, always the same; the C library takes its plainest string functions on every CPU.
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C",
    "COLUMNS": "80",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM",
}


def compiler():
    version = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True)
    return "g++ " + version.stdout.strip() if version.returncode == 0 else "unknown"


def count_instructions(callcost, command, profiles):
    """Total Ir of one command, run in the folder of the profiles so that the folder's path does not count."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}"]
        measured = [*valgrind, callcost, *command.split(), "--threads", "1"]
        surroundings = {"cwd": profiles, "env": ENVIRONMENT, "stdin": subprocess.DEVNULL}
        done = subprocess.run(measured, capture_output=True, **surroundings)
        if done.returncode != 0:
            sys.stderr.buffer.write(done.stderr)
            sys.exit(f"bench/gate.py: status {done.returncode} from: callcost {command}")
        info = subprocess.run([callcost, "info", "--json", profile], capture_output=True, check=True)
        return json.loads(info.stdout)["self"]["Ir"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", required=True, metavar="DIR", help="release build, with callcost in it")
    profiles = HERE.parent / "tests" / "profiles"
    parser.add_argument("--profiles", metavar="DIR", default=profiles, help="where the inputs are")
    parser.add_argument("--update", action="store_true", help="write the figures instead of comparing")
    arguments = parser.parse_args()
    callcost = pathlib.Path(arguments.build).resolve() / "callcost"
    if not os.access(callcost, os.X_OK):
        sys.exit(f"bench/gate.py: no {callcost}")

    expected = json.loads(FIGURES.read_text()) if FIGURES.exists() else {"compiler": None, "instructions": {}}
    counts, outside = {}, 0
    print(f"{'command':56} {'expected':>14} {'counted':>14}  change")
    for command in COMMANDS:
        counts[command] = count = count_instructions(callcost, command, arguments.profiles)
        before = expected["instructions"].get(command)
        change = None if before is None else count / before - 1
        bad = change is None or abs(change) > TOLERANCE
        outside += bad
        word = "new" if change is None else f"{100 * change:+.2f} %" + (" OUTSIDE" if bad else "")
        print(f"{command:56} {before or '-':>14} {count:>14}  {word}", flush=True)

    if arguments.update:
        document = {"compiler": compiler(), "instructions": counts}
        FIGURES.write_text(json.dumps(document, indent=2) + "\n")
        print(f"written: {FIGURES.name}")
    elif outside:
        if expected["compiler"] not in (None, compiler()):
            print(f"the figures were made with {expected['compiler']}, this is {compiler()}")
        off = f"{outside} of {len(COMMANDS)} are new or more than {100 * TOLERANCE:g} % off"
        sys.exit(f"bench/gate.py: {off}; if that is meant: --update")


if __name__ == "__main__":
    main()
