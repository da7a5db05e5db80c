#!/usr/bin/env python3
"""The steps of docs/tutorial.md work, one after the other, and show what it says that they show.

usage: tutorial.py EXECUTABLE
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

TEXT = (pathlib.Path(__file__).resolve().parent.parent / "docs/tutorial.md").read_text("utf-8")
# After the step of a section, what its output has. Figures differ from machine to machine.
SHOWN = {
    "2": (r"^1000 different words$", r"^main costs 9\d\.\d+%, nearly all of it in is_known", r"is_known\(.*\)  /.*/words\.cpp"),
    "3": (r"^ *[\d.,]+ +[\d.]+% +12 .*for \(const std::string& one : known\)", r"<- main ", r"83\.\d+% .*=> .*operator==.*\(inlined\)"),
    "4": (r"^1000 different words$", r"^costs less: .*\(-8\d\.\d\d%\)"),
    "5": (r"^1 rule passed", r"^regression: 1 of 1 rule failed"),
}


def run(step, place, environment):
    """(status, output, the directory at the end)"""
    end = "\nend of step in "
    done = subprocess.run(["bash", "-ec", f"{step}\nprintf '{end}%s' \"$PWD\""], cwd=place, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, check=False)  # fmt: skip
    output, _, place_at_end = done.stdout.partition(end)
    return done.returncode, output, place_at_end or place


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(program, pathlib.Path(folder, "callcost"))
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        place = folder
        for number, section in re.findall(r"^## (\d)\..*?\n(.*?)(?=^## |\Z)", TEXT, re.M | re.S):
            shown = ""
            for step in re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S):
                status, output, place = run(step, place, environment)
                shown += output
                if status != 0:
                    failures.append(f"step {number} fails with {status}: {output}")
            failures += [f"step {number} does not show {pattern}: {shown}" for pattern in SHOWN.get(number, ()) if not re.search(pattern, shown, re.M)]
        steps = len(re.findall(r"^```sh$", TEXT, re.M))
    if steps < 6:
        failures.append(f"only {steps} steps")
    print("\n".join(failures) or f"tutorial: {steps} steps work")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
