#!/usr/bin/env python3
"""What examples/tracing_profiler.cpp measures of examples/traced_program.cpp: calls exactly, and time that adds up.

usage: tracing.py TRACED_PROGRAM CALLCOST
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# fibonacci(n) is called 2 * F(n + 1) - 1 times, F(13) = 233, once by main; is_even(144) goes down to is_even(0).
CALLED = {"main": 0, "greet()": 1, "fibonacci(int)": 465, "is_even(int)": 73, "is_odd(int)": 72}
PRINTED = "fibonacci(12) is\n144, which is even\n"


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nexit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def failures_of(profile, callcost):
    top = json.loads(run(callcost, "top", "--json", "--limit=0", profile))
    called = {row["function"]: row["called"] for row in top["rows"]}
    if called != CALLED:
        yield f"called {called}, expected {CALLED}"
    total = top["total"]["ns"]
    inclusive = {row["function"]: row["inclusive"]["ns"] for row in top["rows"]}
    if inclusive.get("main") != total or max(inclusive.values()) > total:
        yield f"inclusive {inclusive} of {total}"

    check = json.loads(run(callcost, "check", "--json", profile))
    if check["errors"] or check["warnings"]:
        yield f"errors {check['errors']}, warnings {check['warnings']}"
    for one in check["files"][0]["checks"]:
        # Cycles are what some readers always count several times (C22).
        if one["number"] != "C22" and one["verdict"] not in ("holds", "not-applicable"):
            yield f"{one['number']} is {one['verdict']}: {one['first']}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder, "callgrind.out.trace")
        printed = run(sys.argv[1], env=os.environ | {"CALLCOST_TRACE": str(profile)})
        failures = [] if printed == PRINTED else [f"printed {printed!r}, expected {PRINTED!r}"]
        failures += failures_of(profile, sys.argv[2])
    print("\n".join(failures) or "the traced program: as it should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
