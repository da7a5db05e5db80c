#!/usr/bin/env python3
"""How each file of a build is compiled, a line each, without the names of the checkout and of the compiler.

    compile_commands.py BUILD
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    entries = json.loads(pathlib.Path(sys.argv[1], "compile_commands.json").read_text())
    lines = {f"{entry['file']} {re.sub(r'^.*?clang[^ ]* ', '', entry['command'])}".replace(f"{ROOT}/", "") for entry in entries}
    print("\n".join(sorted(lines)))


if __name__ == "__main__":
    main()
