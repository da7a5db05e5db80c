#!/usr/bin/env python3
"""Holds the JSON of every command, on every profile of tests/profiles, to the shapes that docs/json.md describes, and
its CSV to RFC 4180 and to the rows of the JSON.

    shapes.py EXECUTABLE [PATH...]

A shape has exactly the members that are described, each once.
"""

import argparse
import concurrent.futures
import csv
import functools
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROFILES = TESTS / "profiles"
SECONDS = 300
LARGEST = 150_000  # bytes: larger ones have the same shapes

# What is asked (without the file), and the title of its shape in docs/json.md.
QUESTIONS = (
    (["info"], "callcost.info/1"),
    (["top", "--limit", "0"], "callcost.top/1"),
    (["top", "--focus", "a", "--hide", "/^b/"], "callcost.top/1"),
    *((["top", "--group", by], "callcost.top/1 with --group") for by in ("object", "file", "directory", "namespace", "cycle")),
    (["annotate"], "callcost.annotate/1"),
    (["annotate", "--tree", "both", "--auto", "no"], "callcost.annotate/1"),
    (["annotate", "--focus", "a", "--hide", "/^b/", "--auto", "no"], "callcost.annotate/1"),
    (["peek", "--limit", "20", "/./"], "callcost.peek/1"),
    (["tree", "--limit", "300"], "callcost.tree/1"),
    (["tree", "--limit", "100", "--inverted", "--root", "a"], "callcost.tree/1"),
    (["lines", "--limit", "200"], "callcost.lines/1"),
    (["lines", "--ignore", "a", "--limit", "20"], "callcost.lines/1"),
    (["info", "--parts"], "callcost.parts/1"),
    (["info", "--events"], "callcost.events/1"),
)


@functools.cache
def shapes():
    """title: shape"""
    text = (TESTS.parent / "docs/json.md").read_text("utf-8")
    found = re.findall(r"^### (.*?)\n.*?```json\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    return {title.replace("`", ""): json.loads(shape) for title, shape in found}


# The same about two profiles: this one, and the one before it in the manifest.
RULES = ["--fail-if", "any fn self.Ir > +1% and > 10 or calls(any fn) < 0", "--fail-if", "@all=1%|1000"]
# W7 spells a name otherwise.
# Without lines there are no single calls, as Xdebug's files have, only the sums that Xdebug rounded.
UNLIKE_WITHOUT_LINES = ("hostile/nul-byte.out", *(f"xdebug/{name}" for name in ("killed.cachegrind.out", "append-two-runs.cachegrind.out", "plain.cachegrind.out", "plain.cachegrind.out.gz", "space-in-path.cachegrind.out")))
COMPARISONS = (["diff", "--force", "--limit", "20"], ["diff", "--force", "--match", "canonical", "--no-lines", "--exit-zero", *RULES])


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


TYPES = {
    "string": lambda value: isinstance(value, str),
    "integer": is_integer,
    "number": lambda value: is_integer(value) or isinstance(value, float),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "bounds": lambda value: isinstance(value, dict) and all(len(pair) == 2 and is_integer(pair[0]) and is_integer(pair[1]) and pair[0] <= pair[1] for pair in value.values()),
    "units": lambda value: isinstance(value, dict) and all(sorted(unit) == ["base_unit", "scale", "unit"] for unit in value.values()),
    "costs": lambda value: isinstance(value, dict) and all(cost is None or is_integer(cost) for cost in value.values()),
}


def differences(value, shape, where=""):
    """Yields where `value` is not as `shape` says."""
    if shape == "profile":
        shape = shapes()["profile"]
    if isinstance(shape, str):
        if not any(TYPES[name](value) for name in shape.split("|")):
            yield f"{where} is {json.dumps(value)[:80]}, not {shape}"
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{where} is no array"
            return
        for i, item in enumerate(value):
            yield from differences(item, shape[0], f"{where}[{i}]")
    elif value is None and "?" in shape:  # an object that may be null
        return
    elif not isinstance(value, dict):
        yield f"{where} is no object"
    else:
        members = {name.rstrip("?"): (name, inner) for name, inner in shape.items() if name != "?"}
        for name in value.keys() - members.keys():
            yield f"{where}.{name} is not described"
        for name, (described, inner) in members.items():
            if name in value:
                yield from differences(value[name], inner, f"{where}.{name}")
            elif not described.endswith("?"):
                yield f"{where}.{name} is missing"


def without_duplicates(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError(f"a member occurs twice in {names}")
    return dict(pairs)


def run(executable, arguments, *paths):
    result = subprocess.run([executable, *arguments, "--quiet", *paths], cwd=PROFILES, capture_output=True, timeout=SECONDS)
    return result.returncode, result.stdout.decode("utf-8")


def check_csv(executable, arguments, paths, answer):
    """Rows of CSV are as many as those of JSON, and the header fits all of them."""
    status, text = run(executable, [*arguments, "--csv"], *paths)
    if status != 0:
        yield f"CSV: exit status {status}"
    if text.count("\r\n") != text.count("\n") or text.count("\r") != text.count("\n"):
        yield "CSV: a row does not end in CR LF"
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    if any(len(row) != len(header) for row in rows):
        yield "CSV: rows are not as long as the header"
    listed = answer.get("rows", answer.get("event_types"))
    if listed is not None and "--limit" in arguments and len(listed) != len(rows):
        yield f"CSV: {len(rows)} rows, JSON has {len(listed)}"
    columns = [i for i, title in enumerate(header) if title.startswith(("self_", "inclusive_")) and not title.endswith("_is_exact")]
    if arguments[0] == "tree":  # its costs are estimates, but for their bounds
        columns = [i for i in columns if "_at_least_" in header[i] or "_at_most_" in header[i]]
    for row in rows:
        if not all(re.fullmatch(r"-?[0-9]*", row[i]) for i in columns):
            yield f"CSV: a cost is no integer: {row}"


def check_without_lines(executable, path, known):
    """A profile is like what is written of it without lines."""
    with tempfile.TemporaryDirectory() as folder:
        small = f"{folder}/small.callgrind.zst"
        status, _ = run(executable, ["convert", "--without-lines", "-o", small], path)
        if status != 0:
            return  # it cannot be read
        status, text = run(executable, ["diff", "--force", small, "--json"], path)
        if status != 0:
            yield f"diff: exit status {status}"
            return
        answer = json.loads(text, object_pairs_hook=without_duplicates)
        for text in differences(answer, known["callcost.diff/1"]):
            yield f"diff: {text}"
        if answer.get("functions") and path not in UNLIKE_WITHOUT_LINES:
            yield f"a profile is not like itself without lines: {answer['functions'][0]}"


def check(executable, path, previous, known):
    """(path, what is wrong)"""
    wrong = []
    try:
        wrong += list(check_without_lines(executable, path, known))[:5]
    except (ValueError, csv.Error, subprocess.SubprocessError) as error:
        wrong.append(f"without lines: {str(error)[:500]}")
    comparisons = [(arguments, "callcost.diff/1", [previous, path]) for arguments in COMPARISONS if previous]
    for arguments, title, files in [*((arguments, title, [path]) for arguments, title in QUESTIONS), *comparisons]:
        asked = " ".join(arguments)
        try:
            status, text = run(executable, [*arguments, "--json"], *files)
            if status != 0:
                if text:
                    wrong.append(f"{asked}: exit status {status}, and something is written")
                continue
            answer = json.loads(text, object_pairs_hook=without_duplicates)
            wrong += [f"{asked}: {text}" for text in differences(answer, known[title])][:5]
            if answer["schema"] != title.split()[0]:
                wrong.append(f"{asked}: the schema is {answer['schema']}")
            if arguments[0] not in ("info", "annotate"):
                wrong += [f"{asked}: {text}" for text in check_csv(executable, arguments, files, answer)][:5]
        except (ValueError, csv.Error, subprocess.SubprocessError) as error:
            wrong.append(f"{asked}: {str(error)[:500]}")
    return path, wrong


def paths():
    csv.field_size_limit(sys.maxsize)
    for manifest, folder in ((PROFILES / "MANIFEST.tsv", ""), (PROFILES / "hostile/MANIFEST.tsv", "hostile/")):
        with manifest.open(encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
                path = folder + row["path"]
                if not row["path"].startswith("generate.py") and (PROFILES / path).stat().st_size <= LARGEST:
                    yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("executable", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("paths", nargs="*", metavar="PATH", help="as in the manifests; all without any")
    options = parser.parse_args()
    known = shapes()
    chosen = [path for path in paths() if not options.paths or path in options.paths]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        previous = [None, *chosen[:-1]]
        results = list(pool.map(lambda path, other: check(options.executable, path, other, known), chosen, previous))
    failed = [(path, wrong) for path, wrong in results if wrong]
    for path, wrong in failed:
        print(f"==== {path}")
        for line in wrong:
            print(f"  {line}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
