#!/usr/bin/env python3
"""A callcost that was built without the page, which needs neither Node.js nor clang: only 'view' and 'report' miss it, and
say how to make it.

    without_page.py EXECUTABLE
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROFILE = ROOT / "tests/profiles/callgrind/default.out"
MESSAGE = "error: this callcost was built without the web page\n"
HINT = "./dev build"


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for command in (["view", PROFILE], ["report", PROFILE, "-o", folder / "report.html"]):
            done = run(program, *command)
            if done.returncode == 0 or MESSAGE not in done.stderr or HINT not in done.stderr or done.stdout:
                sys.exit(f"{command[0]}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        if any(folder.iterdir()):
            sys.exit("a report was written without the page")
        if run(program, "top", PROFILE).returncode:
            sys.exit("top needs no page")

        done = run("cmake", "--preset", "release", "-S", ROOT, "-B", folder / "build", "-DCALLCOST_PAGE_FILE=/no/page.html")
        if done.returncode or "'callcost view' and 'report' will not work ('./dev page' makes it)" not in done.stdout:
            sys.exit(f"cmake: exit status {done.returncode}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
