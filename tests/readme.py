#!/usr/bin/env python3
"""The README's program is examples/top_functions.cpp, to the letter, and prints what it should; the example of
docs/compare.md is the output of a golden test; the README is short.

usage: readme.py EXECUTABLE   (the compiled example)
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROFILE = ROOT / "tests/profiles/hostile/cycle-entered-late.out"


def main():
    failures = []
    readme = (ROOT / "README.md").read_text()
    shown = re.search(r"```cpp\n(.*?)```", readme, re.S).group(1)
    if shown != (ROOT / "examples/top_functions.cpp").read_text():
        failures.append("the C++ block of README.md is not examples/top_functions.cpp")
    run = subprocess.run([sys.argv[1], PROFILE], capture_output=True, text=True, timeout=60)
    lines = run.stdout.splitlines()
    selfs = [int(line.split()[0]) for line in lines]
    names = {line.split(" ", 2)[2]: tuple(map(int, line.split()[:2])) for line in lines}
    # The figures of tests/profiles/hostile/MANIFEST.tsv.
    wanted = {"self_only": 5, "both_root_and_called": 100, "zmain": 80, "caller": 21}
    for name, inclusive in wanted.items():
        if names.get(name, (0, None))[1] != inclusive:
            failures.append(f"{name}: inclusive {names.get(name)}, expected {inclusive}")
    if sum(selfs) != 186 or selfs != sorted(selfs, reverse=True):
        failures.append(f"self costs {selfs} do not add up to 186 in descending order")
    missing = subprocess.run([sys.argv[1], "/nonexistent"], capture_output=True, text=True, timeout=60)
    if (missing.returncode, missing.stderr) != (1, "/nonexistent: error: cannot be opened: No such file or directory [cannot-open]\n"):
        failures.append(f"a missing file gives exit status {missing.returncode} and {missing.stderr!r}")
    compare = (ROOT / "docs/compare.md").read_text()
    comparison = re.search(r"```console\n\$ callcost diff [^\n]*\n(.*?)```", compare, re.S).group(1).replace("\n...\n", "\n")
    if not set(comparison.splitlines()) <= set((ROOT / "tests/golden/diff-readme/stdout").read_text().splitlines()):
        failures.append("the comparison in docs/compare.md is not that of tests/golden/diff-readme")
    for text in ("./dev demo", "./dev test"):
        if text not in "\n".join(readme.splitlines()[:50]):
            failures.append(f"{text} is not in the first screen of README.md")
    if len(readme.splitlines()) > 120:
        failures.append("README.md has more than 120 lines")
    print("\n".join(failures) or "README: as promised")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
