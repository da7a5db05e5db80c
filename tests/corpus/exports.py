#!/usr/bin/env python3
"""Writes every profile of tests/profiles in the other formats and holds the result to what it must be: JSON of the
shape that docs/json.md describes, with the figures of the manifest; CSV and TSV with the same rows; DOT that Graphviz
draws, and nothing but text where the profile has names.

    exports.py EXECUTABLE [PATH...]
"""

import argparse
import collections
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import shapes

PROFILES = shapes.PROFILES
SECONDS = 300
MODULUS = 1 << 64
SVG = "{http://www.w3.org/2000/svg}"
SVG_ELEMENTS = {SVG + name for name in ("svg", "g", "title", "polygon", "polyline", "path", "text", "a", "ellipse")}


def manifest():
    """path: row"""
    rows = {}
    for table, folder in ((PROFILES / "MANIFEST.tsv", ""), (PROFILES / "hostile/MANIFEST.tsv", "hostile/")):
        with table.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                if not row["path"].startswith("generate.py"):
                    rows[folder + row["path"]] = row
    return rows


def figures(text):
    """{"Ir": 5} for "Ir=5 Dr=0"; None if there are figures that are no integers (hostile/numbers.out)."""
    pairs = [item.rpartition("=") for item in (text or "").split()]
    if not all(value.lstrip("-").isdecimal() for _, _, value in pairs):
        return None
    return {name: int(value) % MODULUS for name, _, value in pairs if int(value) % MODULUS}


# What is asked of `callcost convert`.
FORMS = {
    "json": ["--to", "json"],
    "json-strings": ["--to", "json", "--json-int", "string"],
    "functions": ["--to", "csv"],
    "arcs": ["--to", "csv", "--rows", "arcs"],
    "lines": ["--to", "csv", "--rows", "lines"],
    "lines-tsv": ["--to", "tsv", "--rows", "lines"],
    "dot": ["--to", "dot"],
    "svg": ["--to", "svg"],
}


def export(executable, form, path):
    command = [executable, "convert", "--quiet", path, *FORMS[form], "-o", "-"]
    result = subprocess.run(command, cwd=PROFILES, capture_output=True, timeout=SECONDS)
    return result.returncode, result.stdout.decode("utf-8"), result.stderr.decode("utf-8", "replace")


def objects(table):
    """The rows of a table of the JSON as dictionaries."""
    columns = table["columns"]
    for row in table["rows"]:
        if len(row) != len(columns):
            raise ValueError(f"a row is not as long as {columns}: {row}")
    return [dict(zip(columns, row)) for row in table["rows"]]


def sums(rows, kind, events):
    """{"Ir": sum of the columns `self_Ir`}, without zeros."""
    found = {name: sum(int(row[f"{kind}_{name}"] or 0) for row in rows) % MODULUS for name in events}
    return {name: value for name, value in found.items() if value}


def check_json(model, expected):
    """Yields what is wrong with the figures of the model."""
    for text in shapes.differences(model, shapes.shapes()["callcost.profile/1"]):
        yield text
    tables = {name: objects(model[name]) for name in ("functions", "arcs", "lines", "calls", "jumps", "cycles")}
    events = [event["name"] for event in model["events"]]
    additive = [event["name"] for event in model["events"] if event["additive"]]
    for kind, names, column in (("self", ("functions", "lines"), "self_totals"),
                                ("inclusive", ("arcs", "calls"), "inclusive_sum")):
        right = figures(expected[column])
        if right is None:
            continue
        columns = events if kind == "self" else additive
        right = {name: value for name, value in right.items() if kind == "self" or name in additive}
        for name in names:
            if sums(tables[name], kind, columns) != right:
                yield f"{kind} costs of {name} are {sums(tables[name], kind, columns)}, not {right}"
    counted = sum(row["count"] or 0 for row in tables["arcs"])
    if expected["call_count"].isdecimal() and counted != int(expected["call_count"]):
        yield f"{counted} calls, not {expected['call_count']}"
    yield from check_rows(model, tables)


def check_rows(model, tables):
    """Row numbers are those of rows; arcs, calls and functions agree on counts."""
    limits = {"caller": len(tables["functions"]), "callee": len(tables["functions"]), "file": len(model["files"]),
              "object": len(model["objects"]), "target_function": len(tables["functions"]), "target_file": len(model["files"])}
    for name in ("functions", "arcs", "lines", "calls", "jumps"):
        for row in tables[name]:
            for column, limit in limits.items():
                if row.get(column) is not None and not 0 <= row[column] < limit:
                    yield f"{name}: {column} {row[column]} is no row"
    arcs, calls = collections.Counter(), collections.Counter()
    for table, counts in (("arcs", arcs), ("calls", calls)):
        for row in tables[table]:
            counts[row["caller"], row["callee"]] += row["count"] or 0
    if +arcs != +calls and max(arcs.values(), default=0) < MODULUS // 4:
        yield "arcs and calls have different counts"
    called = collections.Counter()
    for (_, callee), count in arcs.items():
        called[callee] += count
    for number, row in enumerate(tables["functions"]):
        if (row["called"] or 0) != called[number] and called[number] < MODULUS // 4:
            yield f"function {number} is called {row['called']} times, by its arcs {called[number]} times"


def check_table(text, dialect, rows, kind, events):
    """CSV or TSV against the rows of the JSON."""
    header, *found = csv.reader(io.StringIO(text, newline=""), dialect, strict=True)
    if any(len(row) != len(header) for row in found):
        yield "rows are not as long as the header"
        return
    if len(found) != len(rows):
        yield f"{len(found)} rows, JSON has {len(rows)}"
    if sums([dict(zip(header, row)) for row in found], kind, events) != sums(rows, kind, events):
        yield "other costs than in JSON"
    bad = [cell for row in found for cell in row if cell[:1] in tuple("=+@") or (cell[:1] == "-" and not cell[1:].isdigit())]
    if bad:
        yield f"a spreadsheet would compute {bad[0]!r}"


def check_svg(text):
    root = xml.etree.ElementTree.fromstring(text)
    for element in root.iter():
        if element.tag not in SVG_ELEMENTS:
            yield f"<{element.tag}> in SVG"
        if any(name.lower().startswith("on") or name.endswith("href") for name in element.attrib):
            yield f"<{element.tag}> does something: {element.attrib}"


def with_numbers(value):
    """The model with integers as strings, as it is with integers."""
    if isinstance(value, dict):
        return {name: with_numbers(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_numbers(inner) for inner in value]
    return int(value) if isinstance(value, str) and value.lstrip("-").isdecimal() and value.isascii() else value


def findings(executable, path, expected):
    status, text, errors = export(executable, "json", path)
    if status != 0 and subprocess.run([executable, "info", path], cwd=PROFILES, capture_output=True).returncode != 0:
        return  # no profile
    if status != 0:
        yield f"JSON: {errors}"
        return
    model = json.loads(text, object_pairs_hook=shapes.without_duplicates)
    for wrong in check_json(model, expected):
        yield f"JSON: {wrong}"
    strings = json.loads(export(executable, "json-strings", path)[1])
    if with_numbers(strings) != with_numbers(model):
        yield "JSON: differs with integers as strings"

    events = [event["name"] for event in model["events"]]
    additive = [event["name"] for event in model["events"] if event["additive"]]
    for form, table, kind, names in (("functions", "functions", "self", events), ("arcs", "arcs", "inclusive", additive),
                                     ("lines", "lines", "self", events), ("lines-tsv", "lines", "self", events)):
        status, text, errors = export(executable, form, path)
        dialect = "excel-tab" if form.endswith("tsv") else "excel"
        for wrong in [errors] if status else check_table(text, dialect, objects(model[table]), kind, names):
            yield f"{form}: {wrong}"

    status, text, errors = export(executable, "dot", path)
    if status != 0 or not text.startswith("digraph") or not text.endswith("}\n"):
        yield f"DOT: {errors or text[-100:]!r}"
    if shutil.which("dot"):
        status, text, errors = export(executable, "svg", path)
        for wrong in [errors] if status or errors else check_svg(text):
            yield f"SVG: {wrong}"


def check(executable, path, expected):
    """(path, what is wrong)"""
    try:
        return path, list(findings(executable, path, expected))[:8]
    except (ValueError, KeyError, csv.Error, subprocess.SubprocessError, xml.etree.ElementTree.ParseError) as error:
        return path, [f"{type(error).__name__}: {str(error)[:500]}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("executable", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("paths", nargs="*", metavar="PATH", help="as in the manifests; all without any")
    options = parser.parse_args()
    csv.field_size_limit(sys.maxsize)
    shapes.shapes()
    chosen = {path: row for path, row in manifest().items() if not options.paths or path in options.paths}
    if not shutil.which("dot"):
        print("Graphviz is not installed: pictures are not looked at")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda item: check(options.executable, *item), chosen.items()))
    failed = [(path, wrong) for path, wrong in results if wrong]
    for path, wrong in failed:
        print(f"==== {path}")
        for line in wrong:
            print(f"  {line}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
