#!/usr/bin/env python3
"""Desktops and file(1) know profiles by their content, by the rules of packaging/callcost.xml and .magic.

usage: file_type.py   (needs update-mime-database, gio and file)

Every real profile of tests/profiles is asked about, under a name that says nothing, and what else lies in this
checkout, which must not be taken for one.
"""

import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROFILES = ROOT / "tests/profiles"
TYPE = "application/x-kcachegrind"
OTHERS = ("*.md", "*.txt", "docs/**/*.md", "man/*", "include/**/*.hpp", "src/**/*.cpp", "tools/*.py", "packaging/*")


def run(*command, **environment):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=120, env=os.environ | environment
    )
    if done.returncode:
        sys.exit(f"{command[0]}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def types_by_desktop(home, paths):
    text = run("gio", "info", "-a", "standard::content-type", *paths, XDG_DATA_HOME=str(home), LC_ALL="C.UTF-8")
    return re.findall(r"standard::content-type: (.*)", text)


def types_by_file(paths):
    return run("file", "-m", ROOT / "packaging/callcost.magic", "-b", "--mime-type", *paths).splitlines()


def main():
    failures = []
    with (PROFILES / "MANIFEST.tsv").open() as manifest:
        names = [row["path"] for row in csv.DictReader(manifest, delimiter="\t", quoting=csv.QUOTE_NONE)]
    profiles = [PROFILES / name for name in names]
    profiles = [path for path in profiles if path.stat().st_size > 0 and path.suffix != ".gz"]
    others = sorted(path for pattern in OTHERS for path in ROOT.glob(pattern) if path.is_file())
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        (home / "mime/packages").mkdir(parents=True)
        shutil.copy(ROOT / "packaging/callcost.xml", home / "mime/packages")
        run("update-mime-database", home / "mime", XDG_DATA_HOME=str(home))
        (home / "nameless").mkdir()
        nameless = []
        for number, path in enumerate(profiles + others):
            nameless.append(home / f"nameless/{number}")
            shutil.copy(path, nameless[-1])
        by_name = home / "callgrind.out.4711"
        by_name.write_text("nothing but the name\n")

        wanted = [True] * len(profiles) + [False] * len(others)
        for tool, types in (("gio", types_by_desktop(home, nameless)), ("file", types_by_file(nameless))):
            if len(types) != len(wanted):
                sys.exit(f"{tool} told {len(types)} types of {len(wanted)} files")
            for path, is_profile, found in zip(profiles + others, wanted, types):
                if (found == TYPE) != is_profile:
                    failures.append(f"{tool}: {path.relative_to(ROOT)} is {found}")
        if types_by_desktop(home, [by_name]) != [TYPE]:
            failures.append(f"gio: {by_name.name} is not known by its name")
    described = run("file", "-m", ROOT / "packaging/callcost.magic", "-b", PROFILES / "callgrind/default.out")
    if described != "Callgrind profile, by callgrind-3.19.0, events Ir\n":
        failures.append(f"file: {described}")

    print("\n".join(failures) or f"{len(profiles)} profiles are known for what they are, {len(others)} other files as well")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
