#!/usr/bin/env python3
"""Writes conformance/expected.json: what is expected of the real files and the hostile ones of tests/profiles.

    make_expected.py

Nothing in it comes from callcost. Totals are those of MANIFEST.tsv; rows, cycles and diagnostics are what reader.py, a slow reader
that was written from docs/format.md, makes of the file. Where its totals, numbers of calls or sums of calls are not those of the
manifest, this stops.
"""

import concurrent.futures
import csv
import fractions
import json
import pathlib
import sys

sys.dont_write_bytecode = True
import reader  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROFILES = ROOT / "tests/profiles"
ROWS = 5
# Features and oddities of the manifests, and the rules that they are about.
RULES = {
    "crlf": "F1", "nul": "F1", "no_final_newline": "F1", "line_over_4096": "F1", "non_ascii": "F2", "not_utf8": "F2", "magic": "F5", "indented": "F6",
    "cost_line_multiple_blanks": "F6", "unrecognised_line": "F8", "version_in_body": "F22", "summary_in_body": "F25", "totals_with_equals": "F26",
    "totals_unparsable": "F26", "event:": "F27", "unknown_header": "F28", "ids": "F29", "id_redefined": "F31", "undefined_id": "F32", "empty_name": "F34",
    "nested_compressed_name": "F36", "hexpos": "F37", "short_position": "F37", "rel": "F38", "negative_position": "F39", "omitted_costs": "F43", "no_costs_line": "F43",
    "extra_costs": "F43", "negative_cost": "F44", "cost_ge_2^63": "F44", "hex_cost": "F44", "fraction_cost": "F44", "bad_cost": "F44", "cost_before_fn": "F48",
    "fi=": "F52", "fe=": "F52", "cfi_after_cfn": "F53", "cfl=": "F53", "cob=": "F54", "cfi=": "F54", "dangling_cfn": "F55", "calls_zero": "F57", "rcalls": "F57",
    "bad_calls": "F57", "calls_without_target": "F58", "calls_target": "F58", "calls_without_cost_line": "F59", "calls_without_cfn": "F60", "jcnd": "F62", "jump=": "F62",
    "jfi=": "F64", "undocumented": "F65", "summary_differs": "F70", "direct_recursion": "F75", "line0": "F79", "duplicate_event_name": "F14",
    "positions_order": "F15", "utf8_bom": "F2",
}


def rows(path):
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8", newline="") as table:
        yield from csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)


def rules(row):
    marks = f"{row.get('features') or ''} {row['oddities'] or ''}".split()
    found = {rule for mark in marks for beginning, rule in RULES.items() if mark.startswith(beginning)}
    found |= {"F81"} if int(row["parts"]) > 1 else set()
    found |= {"F85"} if row["path"].endswith(".gz") else set()
    return sorted(found | {"F70"}, key=lambda rule: int(rule[1:]))


def columns(text):
    return {name: fractions.Fraction(value) for name, value in (word.rsplit("=", 1) for word in text.split())}


def differs(stated, seen):
    """Modulo 2^64; of fractions, each was rounded."""
    for event, cost in stated.items():
        distance = (cost - seen.get(event, 0)) % reader.MODULUS
        if min(distance, reader.MODULUS - distance) > (0 if cost.denominator == 1 else 3):
            return f"{event}: the manifest has {cost}, the reader {seen.get(event, 0)}"
    return None


def checked(path, row, answer):
    counts = {"call_count": sum(arc["calls_at_least"] for arc in answer["arcs"])}
    incl = {}
    for arc in answer["arcs"]:
        for event, cost in arc["inclusive"].items():
            incl[event] = incl.get(event, 0) + cost
    additive = {event["name"] for event in answer["events"] if event["additive"]}  # others have no total
    stated = {event: cost for event, cost in columns(row["self_totals"]).items() if event in additive}
    problem = differs(stated, answer["totals"]) or differs(columns(row["inclusive_sum"]), incl)
    if not problem and counts["call_count"] != int(row["call_count"]):
        problem = f"call_count: the manifest has {row['call_count']}, the reader {counts['call_count']}"
    if problem:
        raise ValueError(f"{path}: {problem}")


def most(rows_, cost, members):
    """Those of the highest cost by the first event type that has any; none whose names another row has, too."""
    events = list(dict.fromkeys(event for row in rows_ for event, value in row[cost].items() if value))
    if not events:
        return []
    names = [tuple(row[member] for member in members) for row in rows_]
    seen, twice = set(), set()
    for name in names:
        (twice if name in seen else seen).add(name)
    single = [(row, name) for row, name in zip(rows_, names) if name not in twice]
    single.sort(key=lambda pair: (-reader.signed(pair[0][cost].get(events[0], 0)), *map(str, pair[1])))
    return [row for row, _ in single[:ROWS]]


def expected(path, row):
    answer = reader.answer(PROFILES / path)
    if "refused" in answer:
        return {"refused": answer["refused"]}
    checked(path, row, answer)
    functions = [{member: function[member] for member in ("name", "file", "object", "self", "inclusive")}
                 for function in most(answer["functions"], "self", ("name", "file", "object"))]
    arcs = [{member: arc[member] for member in ("caller", "callee", "caller_file", "callee_file", "calls", "inclusive")}
            for arc in most(answer["arcs"], "inclusive", ("caller", "callee", "caller_file", "callee_file"))]
    located = {}
    for line in answer["lines"]:
        costs = located.setdefault((line["file"], line["line"]), {"file": line["file"], "line": line["line"], "self": {}})["self"]
        for event, cost in line["self"].items():
            costs[event] = costs.get(event, 0) + cost
    return {"totals": {event: cost for event, cost in answer["totals"].items() if event in row["events"].split()},
            "function_count": answer["function_count"], "arc_count": answer["arc_count"], "part_count": answer["part_count"],
            "functions": functions, "arcs": arcs, "lines": most(list(located.values()), "self", ("file", "line")),
            "cycle_sizes": sorted(map(len, answer["cycles"])), "diagnostics": answer["diagnostics"]}


def entry(job):
    folder, row = job
    made = "by hand" if folder else f"{row['producer']}, {row['version']}: {row['command']}"
    return folder + row["path"], {"rules": rules(row), "why": row.get("what") or "", "made": made, "expect": expected(folder + row["path"], row)}


def text(entries):
    """A row on a line, so that changes can be read."""
    pieces = []
    for path, fields in entries.items():
        expect = fields.pop("expect")
        lines = [f' "{name}": {line(value)}' for name, value in fields.items()]
        parts = [f'  "{name}": {rows_of(value)}' for name, value in expect.items()]
        joined = ",\n".join(parts)
        pieces.append(f"{line(path)}: {{\n" + ",\n".join([*lines, ' "expect": {\n' + joined + "\n }"]) + "\n}")
    return "{\n" + ",\n".join(pieces) + "\n}\n"


def line(value):
    return json.dumps(value, ensure_ascii=False)


def rows_of(value):
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n   " + ",\n   ".join(map(line, value)) + "\n  ]"
    return line(value)


def main():
    # What generate.py makes is too large to be kept.
    jobs = [(folder, row) for folder in ("", "hostile/") for row in rows(PROFILES / folder / "MANIFEST.tsv") if not row["path"].startswith("generate.py")]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        entries = dict(pool.map(entry, jobs))
    (ROOT / "conformance/expected.json").write_text(text(entries), encoding="utf-8")


if __name__ == "__main__":
    main()
