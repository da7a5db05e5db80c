#!/usr/bin/env python3
""".ci/run counts what ctest reports, and runs failed tests once more: those that pass then are flaky, and are named.

    ci_run.py
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRESETS = ("dev", "asan", "tsan")
FLAKY = "test -e marker || { touch marker; exit 1; }"
FLAKY_AMONG = FLAKY.replace("exit", "echo 'failed: A.first'; echo 'failed: B.second'; exit")  # as tests/unit/run.py does
# Tests of each preset, then the last lines, then the exit status.
CASES = {
    "all pass": (({"a": "true", "b": "true"}, {"a": "true"}, {"a": "true"}), ["4 passed, 0 failed"], 0),
    "one is flaky": (({"a": "true", "slow test": FLAKY}, {"a": "true"}, {"a": "true"}), ["flaky, passed when run alone: dev: slow test", "4 passed, 0 failed"], 0),
    "two of several are flaky": (({"unit tests": FLAKY_AMONG}, {"a": "true"}, {"a": "true"}), ["flaky, passed when run alone: dev: unit tests (A.first, B.second)", "3 passed, 0 failed"], 0),
    "one is flaky, one fails": (
        ({"a": "false", "b": FLAKY}, {"a": FLAKY}, {"a": "true"}),
        ["flaky, passed when run alone: dev: b", "2 passed, 2 failed"],  # a race that is seen once is a race
        1,
    ),
    "clang found something, and a test is flaky": (({"a": "true", "slow test": FLAKY}, {"a": "true"}, {"a": "true"}), ["flaky, passed when run alone: dev: slow test", "4 passed, 1 failed"], 1),
    "many fail": (({f"t{i}": FLAKY.replace("marker", f"marker{i}") for i in range(11)}, {"a": "true"}, {"a": "true"}), ["2 passed, 11 failed"], 1),
}
# Of an earlier run: the tests of this one were not even begun.
STALE = ("a test failed before, now the build does", ["2 passed, 1 failed"], 1)
DEV = """#!/bin/sh
case $1 in
test) cmake --preset dev >/dev/null && ctest --preset dev && test ! -e found || { test ! -e found || echo './dev: clang found something'; exit 1; };;
esac
"""


def make_project(folder, tests):
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", folder / ".ci/run")
    (folder / "dev").write_text(DEV)
    (folder / "dev").chmod(0o755)
    for name in ("tests/install/run.py", "bench/gate.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    lines = ["cmake_minimum_required(VERSION 3.25)", "project(some NONE)", "enable_testing()"]
    for preset, named in zip(PRESETS, tests):
        lines += [f"if(PRESET STREQUAL {preset})"]
        lines += [f'add_test(NAME "{name}" COMMAND sh -c [[{command}]])' for name, command in named.items()]
        lines += ["endif()"]
    (folder / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    of_all = [{"name": preset, "configurePreset": preset} for preset in PRESETS]
    steps = [{"type": kind} for kind in ("configure", "build", "test")]
    presets = {
        "version": 6,
        "configurePresets": [{"name": preset, "generator": "Ninja", "binaryDir": f"${{sourceDir}}/build/{preset}", "cacheVariables": {"PRESET": preset}} for preset in PRESETS],
        "buildPresets": of_all,
        "testPresets": [{**preset, "output": {"outputOnFailure": True}} for preset in of_all],
        "workflowPresets": [{"name": preset, "steps": [step | {"name": preset} for step in steps]} for preset in PRESETS],
    }
    (folder / "CMakePresets.json").write_text(json.dumps(presets))


def check(what, folder, ending, status):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("CTEST_")}
    done = subprocess.run([folder / ".ci/run"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    last = [line for line in done.stdout.splitlines() if re.match(r"flaky|\d+ passed", line)]
    if (last, done.returncode) != (ending, status):
        sys.exit(f"{what}: exit status {done.returncode}, {last} instead of {status}, {ending}\n{done.stdout}")


def main():
    for what, (tests, ending, status) in CASES.items():
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            make_project(folder, tests)
            if what.startswith("clang"):
                (folder / "found").touch()
            check(what, folder, ending, status)
            if what == "one is flaky":
                (folder / "build/dev/Testing/Temporary/LastTestsFailed.log").write_text("2:slow test\n")
                (folder / "dev").write_text("#!/bin/sh\n[ $1 != test ]\n")
                check(*STALE[:1], folder, *STALE[1:])
    print(f"ci_run: {len(CASES) + 1} cases")


if __name__ == "__main__":
    main()
