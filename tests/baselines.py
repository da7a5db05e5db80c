#!/usr/bin/env python3
"""Of six processes that save one baseline at the same time without --replace, exactly one wins.

usage: baselines.py EXECUTABLE
"""

import json
import pathlib
import subprocess
import sys
import tempfile

PROCESSES = 6
ROUNDS = 10
LINES = 30_000  # of a profile: more than a pipe holds


def profile(cost):
    """A text that tells by its total who has saved it."""
    lines = "".join(f"{line} {cost}\n" for line in range(1, LINES + 1))
    return f"# callgrind format\nversion: 1\ncreator: test\ncmd: x\nevents: Ir\n\nfl=a.c\nfn=main\n{lines}totals: {LINES * cost}\n".encode()


def save_at_once(callcost, directory):
    """All have seen that there is no such baseline, and wait for the rest of their input, before one can write."""
    saves = [
        subprocess.Popen([callcost, "baseline", "save", "v1", "-", "--dir", directory], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(PROCESSES)
    ]
    for cost, save in enumerate(saves, 1):
        save.stdin.write(profile(cost))  # returns when less than a pipe holds is left to read
        save.stdin.flush()
    for save in saves:
        save.stdin.close()
    return [(save.wait(timeout=120), save.stderr.read().decode()) for save in saves]


def check_round(callcost, directory):
    results = save_at_once(callcost, directory)
    winners = [cost for cost, (status, _) in enumerate(results, 1) if status == 0]
    assert len(winners) == 1, f"{len(winners)} winners: {results}"
    for status, message in results:
        assert status == 0 or (status == 1 and "already exists" in message), (status, message)
    files = [path.name for path in pathlib.Path(directory).iterdir()]
    assert len(files) == 1, f"files: {files}"
    saved = subprocess.run([callcost, "info", "--json", pathlib.Path(directory) / files[0]], capture_output=True, timeout=120)
    assert saved.returncode == 0, saved.stderr
    report = json.loads(saved.stdout)
    assert report["diagnostics"] == [] and report["self"] == {"Ir": LINES * winners[0]}, f"process {winners[0]} won: {report}"


def main():
    callcost = str(pathlib.Path(sys.argv[1]).resolve())
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as directory:
            check_round(callcost, directory)
    print(f"{ROUNDS} rounds of {PROCESSES} processes: one wins")
    return 0


if __name__ == "__main__":
    sys.exit(main())
