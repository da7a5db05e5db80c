#!/usr/bin/env python3
"""The manual pages say all that the command's help says, and nothing of options that it does not have.

usage: manual.py EXECUTABLE
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ROOT / "man"


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout


def commands(program):
    return re.findall(r"^  ([a-z]+) ", help_of(program).split("Commands:\n")[1].split("\n\n")[0], re.M)


def options(program, command):
    """Of the command's help: --long, -s."""
    rows = re.findall(r"^  (-\w, )?(--[a-z-]+)", help_of(program, command, "--all"), re.M)
    return {name.rstrip(", ") for row in rows for name in row if name}


def described(page):
    """The options that a page has a paragraph about."""
    lines = (PAGES / page).read_text("utf-8").splitlines()
    return {name for line in lines if line.startswith("*-") for name in re.findall(r"(?<![\w-])--?[a-z][a-z-]*|-[A-Z]", line)}


def main():
    program = sys.argv[1]
    failures = []
    general = described("callcost.1.scd")
    for command in commands(program):
        page = f"callcost-{command}.1.scd"
        if not (PAGES / page).is_file():
            failures.append(f"man/{page} is missing")
            continue
        real, own = options(program, command), described(page)
        failures += [f"man/{page}: {name} of `callcost {command} --help` is missing" for name in sorted(real - own - general)]
        failures += [f"man/{page}: `callcost {command}` has no option {name}" for name in sorted(own - real)]
        if f"*callcost-{command}*(1)" not in (PAGES / "callcost.1.scd").read_text("utf-8"):
            failures.append(f"man/callcost.1.scd does not name callcost-{command}(1)")

    # callcost-format(5) lists the checks and diagnostics of docs/format.md.
    text = (ROOT / "docs/format.md").read_text("utf-8")
    page = (PAGES / "callcost-format.5.scd").read_text("utf-8")
    names = re.findall(r"^\| `([a-z0-9-]+)` \| (?:fatal|error|warning|note)", text, re.M) + re.findall(r'<a id="c\d+"></a>(C\d+)', text)
    failures += [f"man/callcost-format.5.scd: {name} is missing" for name in names if f"*{name}*" not in page]
    if len(names) < 60:
        failures.append(f"only {len(names)} checks and diagnostics found in docs/format.md")

    headers = (PAGES / "callcost.3.scd").read_text("utf-8")
    for header in (ROOT / "include/callcost").glob("*.hpp"):
        if f"callcost/{header.name}*" not in headers:
            failures.append(f"man/callcost.3.scd: callcost/{header.name} is missing")

    print("\n".join(failures) or f"{len(list(PAGES.glob('*.scd')))} manual pages: nothing is missing")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
