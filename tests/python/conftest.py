"""What the tests share: the profiles of tests/profiles, and the command, whose figures must be the same."""

import csv
import json
import os
import pathlib
import subprocess

import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROFILES = TESTS / "profiles"


def rows(name):
    with open(PROFILES / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


REAL = [row["path"] for row in rows("MANIFEST.tsv")]
HOSTILE = sorted(path.relative_to(PROFILES).as_posix() for path in (PROFILES / "hostile").glob("*.out"))


@pytest.fixture(scope="session")
def ask():
    """What the command says as JSON; None if it fails."""

    def run(*arguments):
        command = [os.environ["CALLCOST"], *map(str, arguments), "--json", "--quiet"]
        done = subprocess.run(command, cwd=PROFILES, capture_output=True, timeout=120)
        return json.loads(done.stdout) if done.stdout else None

    return run
