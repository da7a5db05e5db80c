#!/usr/bin/env python3
"""Programs that misuse the library do not compile, for the reason that their first line expects.

usage: run.py COMPILER [FLAG ...]   (the flags that the library's headers need)

Each program is compiled twice: as it is it must compile without a warning, with WRONG defined it must not, and the
compiler's words must hold one of those that `// expected: WORDS | WORDS` names.
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"


def compile_it(path, *flags):
    command = [*sys.argv[1:], "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}", *flags, path]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, env={**os.environ, "LC_ALL": "C"})
    return done.returncode == 0, done.stdout + done.stderr


def main():
    failures = []
    programs = sorted(HERE.glob("*.cpp"))
    for path in programs:
        expected = path.read_text("utf-8").splitlines()[0].removeprefix("// expected: ").split(" | ")
        compiles, said = compile_it(path)
        if not compiles:
            failures.append(f"{path.name} does not compile even if it is right:\n{said}")
        compiles, said = compile_it(path, "-DWRONG")
        if compiles:
            failures.append(f"{path.name} compiles though it is wrong")
        elif not any(words in said for words in expected):
            failures.append(f"{path.name}: none of {expected} is in\n{said}")
    if len(programs) < 5:
        failures.append("the programs are missing")
    print("\n".join(failures) or f"{len(programs)} wrong programs do not compile")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
