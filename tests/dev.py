#!/usr/bin/env python3
"""./dev says at once, once and completely what a command needs and looks again at what changed; every test has a label.

    dev.py BUILD
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LABELS = {"unit", "golden", "corpus", "programs", "page", "install"}
BESIDES = {"valgrind"}
NEEDED = {  # some of what each command needs; nothing of what it must not need
    "check": ({"g++", "clang-format-14", "libgtest-dev", "python3"}, {"clang-14", "npm", "nodejs", "valgrind", "binaryen"}),
    "demo": ({"g++", "clang-14", "binaryen", "valgrind"}, {"npm", "nodejs", "python3"}),
    "build": ({"g++", "clang-14", "binaryen"}, {"npm", "nodejs", "valgrind"}),
    "package": ({"g++", "dpkg-dev", "file", "pybind11-dev"}, {"npm", "nodejs", "valgrind", "emscripten"}),
    "npm": ({"clang-14", "npm", "nodejs"}, {"g++", "valgrind"}),
    "page": ({"clang-14", "binaryen", "cmake"}, {"npm", "nodejs", "valgrind"}),
    "test": ({"g++", "python3-dev", "python3-pytest", "clickhouse-server", "nodejs", "npm", "chromium-headless-shell", "file", "valgrind", "clang-tidy-14"}, set()),
    "format": ({"clang-format-14"}, {"g++"}),
    "lint": ({"g++", "clang-tidy-14"}, {"npm", "valgrind"}),
    "fuzz": ({"clang-14", "libclang-rt-14-dev"}, {"npm", "valgrind"}),
    "faults": ({"g++", "python3"}, {"npm", "valgrind"}),
    "bench": ({"g++", "npm", "valgrind"}, set()),
    "pictures": ({"g++", "npm", "valgrind", "chromium-headless-shell"}, {"clang-tidy-14"}),
    "html": ({"cmark-gfm", "python3"}, {"g++", "npm"}),
    "peers": ({"g++", "kcachegrind"}, {"npm"}),
    "release": ({"g++", "mmdebstrap", "g++-aarch64-linux-gnu", "pybind11-dev", "cmark-gfm", "npm", "mandoc"}, {"valgrind", "g++-s390x-linux-gnu", "g++-arm-linux-gnueabihf"}),
    "test-foreign": ({"g++", "mmdebstrap", "g++-s390x-linux-gnu", "g++-arm-linux-gnueabihf", "qemu-user-static", "libgtest-dev"}, {"npm", "valgrind"}),
}
SIMULATED = {  # a system without packages and root, with an old Node.js
    "dpkg-query": "exit 1",
    "node": "exit 1",
    "id": "echo 1000",
    "sudo": "exit 9",
    "apt-get": "exit 9",
    "cmake": "echo cmake was called; exit 9",
}


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, expected {wanted!r}")


def run_dev(command, folder):
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "DEV_NO_INSTALL": "1"}
    done = subprocess.run([ROOT / "dev", command], capture_output=True, text=True, timeout=60, env=environment)
    return done.returncode, done.stdout, done.stderr


def check_packages(folder):
    for name, text in SIMULATED.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    for command, (some, unwanted) in NEEDED.items():
        status, printed, message = run_dev(command, folder)
        expect(f"{command}: exit status", status, 1)
        expect(f"{command}: output", printed, "")
        lists = re.findall(rf"^\./dev: \./dev {command} needs these Debian packages: (.*)$", message, re.M)
        expect(f"{command}: lists of packages", len(lists), 1)
        named = lists[0].split()
        expect(f"{command}: named twice", sorted(named), sorted(set(named)))
        expect(f"{command}: not named", some - set(named), set())
        if page_is_current():
            expect(f"{command}: named without need", unwanted & set(named), set())
    commands = set(re.findall(r"^  ([\w-]+) ", run_dev("help", folder)[1], re.M)) - {"help"}
    expect("commands", commands, set(NEEDED))


def page_is_current():
    return subprocess.run(["sh", ROOT / "web/build/page.sh", "is-current"], capture_output=True).returncode == 0


def check_labels(build):
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    for test in json.loads(listed.stdout)["tests"]:
        labels = {label for entry in test["properties"] if entry["name"] == "LABELS" for label in entry["value"]}
        if len(labels & LABELS) != 1 or labels - LABELS - BESIDES:
            sys.exit(f"{test['name']}: labels {sorted(labels)}, expected one of {sorted(LABELS)}")


def check_lint_hash(folder):
    """Equal for equal files in any checkout; another one if a file, a name or the rules change."""
    source = re.search(r"^lint_hash\(\) \{.*?^\}", (ROOT / "dev").read_text(), re.M | re.S).group()

    def of(checkout, names=("a.cpp", "a.hpp"), rules="1", header="int a;\n"):
        where = folder / checkout
        where.mkdir(exist_ok=True)
        (where / "a.cpp").write_text(f'#include "{where}/a.hpp"\n')
        (where / "a.hpp").write_text(header)
        (where / "b.cpp").write_text(f'#include "{where}/a.hpp"\n')
        script = f"lint_rules={rules}\n{source}\nlint_hash {' '.join(names)}"
        return subprocess.run(["bash", "-c", script], cwd=where, capture_output=True, text=True, check=True).stdout

    first = of("one")
    expect("hash of lint elsewhere", of("two"), first)
    for change in ({"names": ("b.cpp", "a.hpp")}, {"rules": "2"}, {"header": "int b;\n"}):
        if of("one", **change) == first:
            sys.exit(f"hash of lint: the same in spite of {change}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_packages(pathlib.Path(folder))
        check_lint_hash(pathlib.Path(folder))
    check_labels(sys.argv[1])


if __name__ == "__main__":
    main()
