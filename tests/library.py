#!/usr/bin/env python3
"""The programs of docs/library.md are those of examples/, to the letter, and print what the page shows.

usage: library.py FOLDER   (with the compiled examples: example_NAME)
"""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    failures = []
    page = (ROOT / "docs/library.md").read_text("utf-8")
    shown = re.findall(
        r"^\[(\w+\.cp{0,2})\][^\n]*\n\n```cp{0,2}\n(.*?)```\n\n```console\n\$ (.*?[^\\])\n(.*?)```", page, re.S | re.M
    )
    if len(shown) < 5 or len(shown) != page.count("```cpp\n") + page.count("```c\n"):
        failures.append("a program of docs/library.md is without a name or without its output")
    for name, program, line, output in shown:
        if program != (ROOT / f"examples/{name}").read_text("utf-8"):
            failures.append(f"the program {name} of docs/library.md is not examples/{name}")
        command, *arguments = shlex.split(line.replace("\\\n", " "))
        run = subprocess.run(
            [f"{sys.argv[1]}/example_{command}", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60
        )
        if run.stdout != output:
            failures.append(f"{line}: printed\n{run.stdout}{run.stderr}\ninstead of\n{output}")
    print("\n".join(failures) or f"docs/library.md: {len(shown)} programs as promised")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
