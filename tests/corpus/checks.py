#!/usr/bin/env python3
"""Compares what `check` says about every profile with what is known to be right.

    checks.py EXECUTABLE [--update]

../profiles/CHECKS.tsv has a line per file: exit status, producer, checks that are broken and that its producer's sound
files break ("usual"), diagnostics of severity error and warning, and what each other reader would make of it. A check that
is broken in a real file is either a fault of the file, as the file's own folder says, or one of ours.
Where it says that callgrind_annotate reads a file right, the real one is asked for its costs, if it is installed.
Besides, SARIF has to have the members that its standard demands, and GitHub's commands the form that it understands.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

PROFILES = pathlib.Path(__file__).resolve().parent.parent / "profiles"
EXPECTED = PROFILES / "CHECKS.tsv"
COLUMNS = "path exit producer broken usual diagnostics kcachegrind callgrind_annotate speedscope".split()
# Its lines fall below 0, which no trait tells.
NOT_READ_RIGHT = ["hostile/jump-to-zero.out"]
COMMAND = re.compile(r"::(?:error|warning|notice) file=([^,:\r\n]+)(,line=\d+(,col=\d+)?)?,title=[^,:\r\n]+::[^\r\n]+")


def output(executable, form, *paths):
    command = [executable, "check", f"--format={form}", *paths]
    return subprocess.run(command, cwd=PROFILES, capture_output=True, timeout=120)


def row(executable, path):
    result = output(executable, "json", path)
    file = json.loads(result.stdout)["files"][0]
    checks = {v: [c["number"] for c in file["checks"] if c["verdict"] == v] for v in ("broken", "expected")}
    ids = sorted({f["id"] for f in file["findings"] if f["severity"] != "note" and not re.match(r"C\d", f["id"])})
    usual = [number for number in checks["expected"] if number != "C22"]
    readers = [reader["verdict"] for reader in file["readers"]] or ["-"] * 3
    fields = [path, str(result.returncode), file["producer"] or "-"]
    return fields + [" ".join(words) or "-" for words in (checks["broken"], usual, ids)] + readers


def faults_of_other_formats(executable, paths):
    """Of all files at once."""
    named, in_sarif = [], []
    for line in output(executable, "github", *paths).stdout.decode("utf-8").splitlines():
        found = COMMAND.fullmatch(line)
        if found:
            named.append(found[1])
        else:
            yield f"no workflow command: {line}"
    run = json.loads(output(executable, "sarif", *paths).stdout)["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    if len(set(rules)) != len(rules):
        yield "SARIF has a rule twice"
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"] or not result["message"]["text"]:
            yield f"SARIF result without rule or text: {result}"
        place = result["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        if not re.fullmatch(r"[-._~/%A-Za-z0-9]+", uri):
            yield f"no URI: {place}"
        in_sarif.append(urllib.parse.unquote(uri))
        if result["level"] not in ("note", "warning", "error") or place.get("region", {}).get("startLine", 1) < 1:
            yield f"SARIF level or region: {result}"
    if sorted(named) != sorted(in_sarif) or len(set(named)) < 50:
        yield f"findings by file: {sorted(named)} as workflow commands, {sorted(in_sarif)} in SARIF"


def number(text):
    return 0 if text == "." else int(text.replace(",", ""))


def faults_of_annotate(executable, path):
    """callgrind_annotate's total and the sum of its functions, against our total; small files only."""
    file = PROFILES / path
    if file.stat().st_size > 1_000_000 or path in NOT_READ_RIGHT:
        return
    command = ["callgrind_annotate", "--threshold=100", "--auto=no", "--show-percs=no", str(file)]
    result = subprocess.run(command, capture_output=True, timeout=120)
    program, _, functions = result.stdout.decode("latin-1").partition("file:function\n")
    total = re.search(r"^ *([-\d.,]+).*PROGRAM TOTALS", program, re.M)
    if result.returncode or not total:
        yield f"{path}: callgrind_annotate does not read it"
        return
    shown = sum(number(cost) for cost in re.findall(r"^ *(-?[\d.,]+) ", functions, re.M))
    top = subprocess.run([executable, "top", "--json", "--limit=1", str(file)], capture_output=True, timeout=120)
    answer = json.loads(top.stdout)
    ours = answer["total"][answer["event"]] or 0
    if not number(total[1]) == shown == ours:
        yield f"{path}: callgrind_annotate says {total[1]}, its functions cost {shown}, ours {ours}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("executable", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--update", action="store_true", help="write what comes out as what is expected")
    options = parser.parse_args()
    manifest = (PROFILES / "MANIFEST.tsv").read_text("utf-8").splitlines()[1:]
    paths = [line.split("\t")[0] for line in manifest]
    paths += [f"hostile/{path.name}" for path in sorted((PROFILES / "hostile").glob("*.out"))]
    rows = [row(options.executable, path) for path in paths]
    text = "\n".join("\t".join(fields) for fields in [COLUMNS, *rows]) + "\n"
    if options.update:
        EXPECTED.write_text(text, "utf-8")
    expected = EXPECTED.read_text("utf-8").splitlines()
    actual = text.splitlines()
    wrong = [f"expected {a}\n     got {b}" for a, b in zip(expected, actual) if a != b]
    if len(expected) != len(actual):
        wrong.append(f"{len(expected)} lines expected, {len(actual)} came")
    wrong += faults_of_other_formats(options.executable, paths)
    if shutil.which("callgrind_annotate"):
        right = [fields[0] for fields in rows if fields[COLUMNS.index("callgrind_annotate")] == "right"]
        wrong += [fault for path in right for fault in faults_of_annotate(options.executable, path)]
    print("\n".join([*wrong, f"{len(paths)} files, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
