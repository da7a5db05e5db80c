#!/usr/bin/env python3
"""What the page is told must be what the command says: for every profile of tests/profiles, the functions, groups and calls that
`answer_lines` answers with are those of `callcost ... --json`, and every question gets an answer that is JSON.

usage: answers.py CALLCOST ANSWER_LINES [BYTES]

Of profiles of at most so many bytes (default: 2,000,000).
"""

import contextlib
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

PROFILES = pathlib.Path(__file__).parent / "profiles"
COMMANDS = pathlib.Path(__file__).parent.parent / "web/tests/unit/model/commands.tsv"  # views of the page and the same as commands
NO_PROFILES = {".md", ".tsv", ".gz", ".xz", ".zst", ".bz2", ".c", ".cpp", ".py", ".php"}
MOST_BYTES = 2_000_000  # larger ones take long to be listed whole
OTHERS = (
    {"ask": "functions", "sort": "per_call", "search": "a", "cycles": False},
    {"ask": "functions", "focus": ["a"], "hide": ["/b$/"], "ignore": ["object:z"], "file": ["."]},
    {"ask": "groups", "by": "file"},
    {"ask": "groups", "by": "directory"},
    {"ask": "groups", "by": "namespace"},
    {"ask": "groups", "by": "cycle"},
    {"ask": "find", "name": "main"},
    {"ask": "tree", "frames": 2000},
    {"ask": "tree", "frames": 2000, "direction": "callers", "recursion": "unfold"},
    {"ask": "call_tree", "unfold": "hottest"},
    {"ask": "call_tree", "direction": "callers", "unfold": "matches", "search": "a"},
    {"ask": "call_tree", "direction": "callers", "offset": 2, "limit": 3, "search": "a"},
    {"ask": "call_tree", "paths": ["", ""]},
    {"ask": "graph"},
    {"ask": "functions", "level": "object"},
    {"ask": "functions", "level": "namespace", "focus": ["a"], "show": ["b"]},
    {"ask": "tree", "level": "file", "frames": 2000},
    {"ask": "call_tree", "level": "directory", "unfold": "hottest", "ignore": ["a"]},
    {"ask": "graph", "level": "object"},
    {"ask": "parts"},
    {"ask": "search", "text": "a"},
    {"ask": "summary"},
    {"ask": "summary", "focus": ["a"]},
    {"ask": "files", "search": "a"},
)
failures = []


def check(what, found, expected):
    if found != expected:
        failures.append(f"{what}: {str(found)[:300]} instead of {str(expected)[:300]}")


def cost(value):
    """A cost of either side: large ones are text for the page."""
    return int(value) if isinstance(value, str) else value


def check_sanitizer(what, errors):
    """A program that a sanitizer ends has printed nothing, as one that cannot read its file."""
    if b"Sanitizer" in errors or b"runtime error: " in errors:
        failures.append(f"{what}:\n{errors.decode('utf-8', 'replace')}")


class Page:
    """Answers of one process, which has read the profile."""

    def __init__(self, answer_lines, path):
        self.path, self.errors = path, tempfile.TemporaryFile()
        self.process = subprocess.Popen([answer_lines, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)

    def __enter__(self):
        return self

    def ask(self, *questions):
        """Nothing if one is not answered."""
        answers = []
        for question in questions:
            try:
                self.process.stdin.write(json.dumps(question).encode() + b"\n")
                self.process.stdin.flush()
            except BrokenPipeError:
                return None
            line = self.process.stdout.readline()
            if not line.endswith(b"\n"):
                return None
            answers.append(json.loads(line))
        return answers

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        status = self.process.wait(300)
        self.errors.seek(0)
        errors = self.errors.read()
        self.errors.close()
        is_no_profile = status == 1 and errors.count(b"\n") == 1 and errors.startswith(f"{self.path}: ".encode())
        if status and not is_no_profile:
            failures.append(f"{self.path}: answer_lines: exit status {status}\n{errors.decode('utf-8', 'replace')}")


def command(callcost, *arguments):
    done = subprocess.run([callcost, *arguments], capture_output=True, timeout=300)
    check_sanitizer(shlex.join([callcost, *arguments]), done.stderr)
    return json.loads(done.stdout) if done.stdout else None


def identity(function, file, object_, context):
    return function, file, object_, context or ""


def compare_functions(what, page, listed, event):
    check(f"{what}: total", [cost(of) for of in page["total"]], [listed["total"][event]])
    check(f"{what}: sum of the rows", [cost(of) for of in page["listed_self"]], [listed["total"][event]])
    rows = {}
    for row in page["rows"]:
        rows[identity(row["name"], row["file"], row["object"], row.get("context"))] = (
            cost(row["self"][0]),
            cost(row["inclusive"][0]),
            row["called"],
            row.get("cycle"),
        )
    expected = {}
    for row in listed["rows"]:
        expected[identity(row["function"], row["file"], row["object"], row["context"])] = (
            row["self"][event],
            row["inclusive"][event] if row.get("inclusive") else None,
            row["called"],
            row["cycle"],
        )
    check(f"{what}: functions", sorted(rows.items()), sorted(expected.items()))


def compare_peek(callcost, asked, path, name):
    """The callers and callees of the costliest function."""
    (found,) = asked.ask({"ask": "find", "name": name})
    (page,) = asked.ask({"ask": "function", "id": found["id"], "limit": 5000, "sites": True})
    peeked = command(callcost, "peek", "--json", "--limit", "0", f"/^{name}$/", path)
    rows = [row for row in peeked["functions"] if row["function"] == page["function"]["name"]] if peeked else []
    if len(rows) != 1:
        return
    event = peeked["event"]
    for side in ("callers", "callees"):
        expected = [(row["function"], row["count"], row["inclusive"][event]) for row in rows[0][side]]
        check(f"{path}: {side} of {name}", [(row["name"], row["count"], cost(row["cost"][0])) for row in page[side]["rows"]], expected)


def compare_tree(callcost, asked, path):
    """The first level of the call tree, and that below its first function, are those of `callcost tree`."""
    for direction, options, level in (
        ("callees", [], "function"),
        ("callers", ["--inverted"], "function"),
        ("callees", ["--group=object"], "object"),
        ("callers", ["--inverted", "--group=namespace"], "namespace"),
    ):
        listed = command(callcost, "tree", "--json", "--depth", "2", "--limit", "20000", *options, path)
        if listed is None or any(frame["kind"] == "not_expanded" and frame["level"] == 1 for frame in listed["frames"]):
            continue
        (page,) = asked.ask({"ask": "call_tree", "direction": direction, "level": level, "limit": 5000})
        expected = [frame for frame in listed["frames"] if frame["level"] == 1]
        rows = page["levels"][0]["rows"]
        check(f"{path}: {direction} by {level}", [row.get("name") for row in rows], [frame["function"] for frame in expected])
        for row, frame in zip(rows, expected):
            costs = [cost(row["inclusive"]), *(cost(bound) for bound in row.get("inclusive_bounds", []))]
            of = frame["inclusive"]
            if abs(costs[0] - of["estimate"]) > 0.6 or len(costs) > 1 and costs[1:] != [of["least"], of["most"]]:
                failures.append(f"{path}: {direction}: {frame['function']}: {costs} instead of {of}")


def compare_lines(callcost, asked, path, event):
    """The hottest lines, and what source and machine code of the costliest function add up to."""
    (page,) = asked.ask({"ask": "lines", "limit": 50})
    listed = command(callcost, "lines", "--json", "--limit", "50", path)
    if listed is None:
        return
    # The command lists lines that cost something by any event type.
    expected = [(row["source_file"], row["line"], row["self"][event]) for row in listed["rows"] if row["self"][event]]
    rows = [(row["file"]["name"], cost(row["line"]), cost(row["self"][0])) for row in page["rows"]]
    check(f"{path}: lines", rows[: len(expected)], expected)
    check(f"{path}: other lines", [cost(of) for of in page["omitted_self"]], [listed["omitted"]["self"].get(event, 0)])
    (functions,) = asked.ask({"ask": "functions", "limit": 1})
    for row in functions["rows"]:
        self = cost(row["self"][0])
        source, code = asked.ask({"ask": "source", "function": row["id"]}, {"ask": "instructions", "id": row["id"]})
        check(f"{path}: files of {row['name']}", sum(cost(file["self"]) for file in source["files"]) % 2**64, self % 2**64)
        check(f"{path}: instructions of {row['name']}", sum(cost(of["self"][0]) for of in code["rows"]) % 2**64, self % 2**64)
        known = sum(cost(of["self"][0]) for of in code["rows"] if of["address"] != "0x0")
        check(f"{path}: blocks of {row['name']}", sum(cost(of["self"][0]) for of in code["blocks"]) % 2**64, known % 2**64)


def compare_commands(callcost, answer_lines):
    """What "Copy as command" gives lists what the page lists."""
    path = str(PROFILES / "callgrind/cachesim-branch.out")
    with Page(answer_lines, path) as asked:
        for line in COMMANDS.read_text().splitlines():
            if line.startswith("#"):
                continue
            _, text, *question = line.split("\t")
            words = shlex.split(text)[1:]
            of = str(PROFILES / "callgrind/combined-instr-jumps-cache.out") if words[0] == "asm" else path  # has addresses
            words = [of if word == "PROFILE" else word for word in words]
            done = subprocess.run([callcost, *words], capture_output=True, timeout=300)
            check(f"{text}: status and errors", (done.returncode, done.stderr), (0, b""))
            if not question:
                continue
            listed = command(callcost, *words, "--json", "--limit", "0")
            (page,) = asked.ask({**json.loads(question[0]), "limit": 5000})
            event = listed["event"]
            rows = [(row["function"], row["context"] or "", row["self"][event], row["inclusive"][event]) for row in listed["rows"]]
            shown = [(row["name"], row.get("context", ""), cost(row["self"][0]), cost(row["inclusive"][0])) for row in page["rows"]]
            check(text, sorted(shown), sorted(rows))
            if not rows:
                failures.append(f"{text}: nothing is listed")


def compare(callcost, asked, path):
    """(whether the page can be asked, whether its answers were compared with the command's)"""
    questions = [{"ask": "profile"}, {"ask": "functions", "limit": 5000}, *OTHERS]
    answers = asked.ask(*questions)
    if answers is None:
        return False, False
    for question, answer in zip(questions, answers):
        if "error" in answer and question["ask"] != "groups":  # by what does not add up there are none
            failures.append(f"{path}: {question}: {answer['error']}")
    listed = command(callcost, "top", "--json", "--limit", "0", path)
    profile, page = answers[:2]
    if listed is None or page["matching"] > 5000:
        return True, False
    check(f"{path}: event", profile["event"], listed["event"])
    compare_functions(path, page, listed, listed["event"])
    compare_lines(callcost, asked, path, listed["event"])
    compare_tree(callcost, asked, path)
    if page["rows"] and page["rows"][0]["name"].replace("_", "").isalnum():
        compare_peek(callcost, asked, path, page["rows"][0]["name"])
    return True, True


def main():
    callcost, answer_lines, *limit = sys.argv[1:]
    most_bytes, least_compared = (int(limit[0]), 50) if limit else (MOST_BYTES, 100)
    compare_commands(callcost, answer_lines)
    profiles = compared = 0
    for path in sorted(PROFILES.rglob("*")):
        if not path.is_file() or path.suffix in NO_PROFILES or path.stat().st_size > most_bytes:
            continue
        with Page(answer_lines, str(path)) as asked:
            was_asked, was_compared = compare(callcost, asked, str(path))
            profiles += was_asked
            compared += was_compared
    print(f"{profiles} profiles asked, {compared} compared with the command, {len(failures)} failures")
    for failure in failures[:40]:
        print(failure)
    return 1 if failures or compared < least_compared else 0


sys.exit(main())
