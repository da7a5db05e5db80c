#!/usr/bin/env python3
"""Programs that were changed, really compiled and profiled: what `callcost diff` finds is what was changed.

usage: run.py EXECUTABLE [C++ COMPILER]
"""

import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

PAIRS = pathlib.Path(__file__).resolve().parent / "pairs"
FORMATS = ["text", "json", "csv", "md", "junit", "github", "openmetrics", "benchmark-action", "folded"]


class Test:
    def __init__(self, program, compiler, directory):
        self.program, self.compiler, self.directory = program, compiler, directory
        self.failures = []
        self.checks = 0

    def profile(self, pair):
        """Both sides under one path, so that only the change is one; `moved` is built elsewhere."""
        for side in ("before", "after"):
            place = self.directory / pair / (f"{side}/lib" if pair == "moved" else "src")
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(PAIRS / pair / f"{side}.cpp", place / "program.cpp")
            binary = self.directory / pair / "program"
            subprocess.run([self.compiler, "-O2", "-g", "-o", binary, place / "program.cpp"], check=True, timeout=300)
            subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={side}.out", "./program"],
                           cwd=self.directory / pair, check=True, timeout=300, stdout=subprocess.DEVNULL)

    def run(self, *arguments, exit_code=0, cwd=None):
        result = subprocess.run([self.program, "diff", "--github=never", *map(str, arguments)], capture_output=True,
                                timeout=300, cwd=cwd)
        self.check(result.returncode == exit_code, f"{arguments}: exit {result.returncode}: {result.stderr.decode()}")
        return result.stdout.decode()

    def sides(self, pair, backwards=False):
        sides = [self.directory / pair / f"{side}.out" for side in ("before", "after")]
        return sides[::-1] if backwards else sides

    def diff(self, pair, *options):
        return Found(json.loads(self.run("--json", *options, *self.sides(pair))))

    def check(self, is_right, what):
        self.checks += 1
        if not is_right:
            self.failures.append(what)

    def expect(self, pair, **facts):
        for what, (found, wanted) in facts.items():
            self.check(found == wanted, f"{pair}: {what} is {found!r}, not {wanted!r}")


class Found:
    """The findings about the functions of program.cpp."""

    def __init__(self, report):
        self.report = report
        self.functions = {row["function"]: row for row in report["functions"] if row["file"].endswith("program.cpp")}

    def function(self, piece):
        rows = [row for name, row in self.functions.items() if piece in name]
        return rows[0] if len(rows) == 1 else {"match": f"{len(rows)} functions with {piece}"}

    def arc(self, caller, callee):
        rows = [row for row in self.report["arcs"] if caller in row["caller"] and callee in row["callee"]]
        return rows[0] if len(rows) == 1 else {}

    def delta(self, name):
        return self.function(name).get("self", {}).get("delta")


def renamed(test):
    found = test.diff("renamed")
    row = found.function("weigh_all")
    test.expect("renamed", match=(row["match"], "anchors"), before=(row.get("name_before", "")[:8], "measure("),
                callees=(row.get("callees"), {"common": 3, "all": 3}), own=(found.delta("weigh_all"), 0))
    text = test.run(*test.sides("renamed"))
    test.check("Renamed?" in text and "3 of 3 callees" in text, "renamed: the text has no evidence")
    exact = test.diff("renamed", "--match=exact")
    test.expect("renamed, exact", match=(exact.function("weigh_all")["match"], "unmatched"))


def recounted_lambdas(test):
    found = test.diff("lambda")
    sort = [row for row in found.report["functions"] if "__introsort_loop" in row["function"]]
    test.expect("lambda", sorts=(len(sort), 1))
    test.expect("lambda", match=(sort[0]["match"] in ("ordinal", "canonical"), True),
                both=(min(sort[0]["self"]["before"], sort[0]["self"]["after"]) > 0, True))
    # The function templates that the two other lambdas are in cost what they cost: none is taken for another.
    runs = [row for row in found.report["functions"] if row["function"].startswith("int run<")]
    test.check(all(row["self"]["delta"] == 0 for row in runs), f"lambda: {runs}")
    exact = test.diff("lambda", "--match=exact")
    runs = [row for row in exact.report["functions"] if row["function"].startswith("int run<")]
    test.check(any(row["self"]["delta"] != 0 for row in runs), "lambda: names alone were enough: the pair proves nothing")


def changed_template_argument(test):
    found = test.diff("template")
    for name in ("work()", "find(int)", "insert(int)", "sum()"):
        row = found.function(f"Table<61>::{name}")
        test.expect(f"template, {name}", match=(row["match"], "signature"),
                    before=(row.get("name_before", "")[:len("Table<64>::" + name)], "Table<64>::" + name))
    test.expect("template", find=(found.delta("::find"), 8000), insert=(found.delta("::insert"), 8000))


def inlined(test):
    found = test.diff("inlined")
    row = found.report["inlinings"][0]
    test.expect("inlined", count=(len(found.report["inlinings"]), 1), function=(row["function"][:7], "hash_of"),
                kind=(row["kind"], "inlined into"), into=([name[:8] for name in row["callers"]], ["measure("]),
                lines=(row["has_lines"], True), gone=(found.function("hash_of").get("added"), False))
    test.check(abs(row["together"]["delta"]) < 0.05 * row["together"]["before"],
               f"inlined: together {row['together']}")
    back = Found(json.loads(test.run("--json", *test.sides("inlined", backwards=True))))
    row = back.report["inlinings"][0]
    test.expect("outlined", kind=(row["kind"], "taken out of"), lines=(row["has_lines"], True))


def little_inlined(test):
    found = test.diff("small")
    rows = found.report["inlinings"]
    test.check(len(rows) == 1, f"small: {rows}")
    row = rows[0] if rows else {"function": "", "callers": [], "has_lines": None, "together": {"before": 0}}
    test.expect("small", function=(row["function"][:4], "turn"), into=([name[:4] for name in row["callers"]], ["seed"]),
                lines=(row["has_lines"], True))
    total = found.report["totals"][0]["cost"]["before"]
    test.check(found.function("turn").get("self", {"before": total})["before"] < 0.001 * total, "small: turn is not small")


def recursive_calls(test):
    found = test.diff("recursive")
    arcs = {(row["caller"][:5], row["callee"][:5]): row for row in found.report["arcs"] if row["callee"][:5] in ("visit", "grow(")}
    marks = {names: row.get("recursive") for names, row in arcs.items()}
    test.expect("recursive", marks=(marks, {("main", "visit"): False, ("main", "grow("): False, ("visit", "visit"): True, ("grow(", "grow("): True}))
    inner = arcs["visit", "visit"]["inclusive"]["after"]
    test.check(inner > found.report["totals"][0]["cost"]["after"], f"recursive: {inner} is not above the total: the pair proves nothing")
    lines = test.run(*test.sides("recursive")).split("\nCall counts\n")[1].split("\n\n")[0].splitlines()[1:]
    marked = [line.endswith("(recursive)") for line in lines]
    test.check(marked == sorted(marked) and marked.count(True) == 2, f"recursive: the calls are {lines}")
    markdown = test.run("--format=md", *test.sides("recursive"))
    test.check("`visit(Node const*)` (recursive) |" in markdown, "recursive: Markdown does not mark them")
    rows = list(csv.DictReader(io.StringIO(test.run("--csv", *test.sides("recursive")))))
    in_table = {(row["caller"][:5], row["name"][:5]): row.get("recursive") for row in rows if row["kind"] == "arc"}
    wanted = {names: "yes" if mark else "no" for names, mark in marks.items() if names in in_table}
    test.check(list(wanted.values()).count("yes") == 2, f"recursive: CSV has the calls {sorted(in_table)}")
    test.expect("recursive, CSV", arcs=({names: in_table[names] for names in wanted}, wanted),
                others=({row.get("recursive") for row in rows if row["kind"] != "arc"}, {""}))


def no_wider_than_a_log(test):
    for pair in ("lambda", "small", "inlined"):
        sides = test.sides(pair)
        rules = ["--fail-if=any fn self.Ir > +1 or fn(/" + "x" * 150 + "/) self.Ir > 0", "--exit-zero"]
        widest = max(map(len, test.run(*rules, *sides).splitlines()))
        test.check(widest <= 120, f"{pair}: {widest} columns")
        raw = max(map(len, test.run("--raw", *rules, *sides).splitlines()))
        test.check(raw > 150, f"{pair}: --raw has {raw} columns")


def moved(test):
    found = test.diff("moved")
    test.expect("moved", functions=(found.functions, {}), arcs=(found.report["arcs"], []))
    exact = test.diff("moved", "--match=exact")
    test.expect("moved, exact", functions=(exact.functions, {}))
    prefix = [test.directory / "moved/before/lib", test.directory / "moved/after/lib"]
    mapped = test.diff("moved", "--match=exact", f"--path-prefix={prefix[0]}={prefix[1]}")
    test.expect("moved, with --path-prefix", functions=(mapped.functions, {}))


def changed_constant(test):
    found = test.diff("constant")
    row = found.function("hash_of")
    test.expect("constant", match=(row["match"], "exact"), delta=(found.delta("hash_of"), -14400),
                because=(row.get("because"), {"calls": 0, "cost_per_call": -14400}),
                others=(sorted(name[:4] for name in found.functions), ["hash", "main", "meas"]))
    lines = [(line["line_before"], line["line_after"], line["self"]["delta"]) for line in found.report["lines"]]
    test.expect("constant", lines=(lines, [(9, 9, -14400)]))


class Versions:
    """The program of a pair before and after, each in a folder and in a commit of a repository."""

    def __init__(self, test, pair):
        self.test, self.pair = test, pair
        self.folders = [test.directory / f"texts-{pair}" / side for side in ("before", "after")]
        self.repository = test.directory / f"repository-{pair}"
        self.lines = [(PAIRS / pair / f"{side}.cpp").read_text().splitlines() for side in ("before", "after")]
        self.git("init", "-q", str(self.repository), cwd=test.directory)
        for folder in self.folders:
            for place in (folder, self.repository):
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(PAIRS / pair / f"{folder.name}.cpp", place / "program.cpp")
            self.git("add", "-A")
            self.git("commit", "-q", "--allow-empty", "-m", folder.name)

    def git(self, *words, cwd=None):
        names = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *names, *words], check=True, timeout=60, cwd=cwd or self.repository)

    def rows(self, *options):
        report = json.loads(self.test.run("--json", "--limit=0", *options, *self.test.sides(self.pair), cwd=self.repository))
        return [row for row in report["lines"] if row["file"].endswith("program.cpp")]

    def is_right(self, row):
        """A line is the one of the same text; there is none only if there is no such text, or it says little."""
        before, after = (None if number is None else self.lines[side][number - 1].split()
                         for side, number in enumerate((row["line_before"], row["line_after"])))
        if before is not None and after is not None:
            return before == after
        words = before if after is None else after
        counts = [sum(line.split() == words for line in lines) for lines in self.lines]
        return counts != [1, 1] or sum(map(str.isalnum, "".join(words))) < 20


def lines_by_their_texts(test, pairs):
    all_rows, wrong = 0, []
    for pair in pairs:
        versions = Versions(test, pair)
        old, new = (f"--{side}-source={folder}" for side, folder in zip(("old", "new"), versions.folders))
        rows = versions.rows(old, new)
        test.check(all(row["matched_by"] == "text" for row in rows), f"{pair}: guessed although the texts are known")
        all_rows += len(rows)
        wrong += [(pair, row) for row in rows if not versions.is_right(row)]
        test.check(rows == versions.rows("--old-commit=HEAD~1", "--new-commit=HEAD"), f"{pair}: commits say otherwise")
        test.check(rows == versions.rows("--old-commit=HEAD~1", new), f"{pair}: a commit and a folder say otherwise")
        if pair != "moved":  # whose sides have folders of their own: the program on disk is the one after
            guesses = versions.rows()
            test.check(all(row["matched_by"] == "guess" for row in guesses), f"{pair}: a file was taken for both versions")
    test.check(all_rows > 30, f"only {all_rows} lines changed: the pairs prove nothing")
    test.check(len(wrong) <= 0.05 * all_rows, f"{len(wrong)} of {all_rows} lines are wrong: {wrong}")


def commits_that_are_none(test):
    for commit in ("HEAD~9", "no-such-branch", "HEAD:program.cpp"):
        test.run(f"--old-commit={commit}", *test.sides("constant"), exit_code=1, cwd=test.directory / "repository-constant")
    test.run("--old-commit=HEAD", *test.sides("constant"), exit_code=1, cwd="/")
    test.run("--old-commit=--help", *test.sides("constant"), exit_code=2)


def twice_as_often(test):
    found = test.diff("twice")
    arc = found.arc("main", "measure(")
    test.expect("twice", calls=(arc.get("calls"), {"before": 400, "after": 800}))
    because = arc.get("because", {})
    test.check(because.get("calls") == arc["inclusive"]["before"], f"twice: {because}")
    test.expect("twice", sum=(sum(because.values()), arc["inclusive"]["delta"]))
    text = test.run(*test.sides("twice"))
    row = next((line for line in text.split("\nSelf cost\n")[-1].splitlines() if "measure(" in line), "")
    test.check("400 -> 800 calls" in row, f"twice: {row!r}")


def self_is_empty(test, pair):
    """A profile has not changed since itself, whatever it is written as."""
    same = [test.sides(pair)[1]] * 2
    outputs = {name: test.run(f"--format={name}", *same) for name in FORMATS}
    report = json.loads(outputs["json"])
    for rows in ("objects", "files", "functions", "arcs", "lines", "inlinings", "rules"):
        test.check(report[rows] == [], f"{pair} with itself: {rows}: {report[rows]}")
    test.check(outputs["text"].startswith("no change: ") and outputs["text"].count("\n") == 3, f"{pair}: {outputs['text']}")
    test.check(len(list(csv.reader(io.StringIO(outputs["csv"])))) == 1, f"{pair}: csv {outputs['csv']}")
    test.check("<details>" not in outputs["md"] and "no change" in outputs["md"], f"{pair}: {outputs['md']}")
    test.check(xml.etree.ElementTree.fromstring(outputs["junit"]).get("failures") == "0", f"{pair}: {outputs['junit']}")
    test.check(outputs["github"] == "", f"{pair}: {outputs['github']}")
    test.check('callcost_change{comparison="callcost",event="Ir"} 0\n' in outputs["openmetrics"], f"{pair}: {outputs['openmetrics']}")
    test.check(all(row["extra"] == f"before: {row['value']}" for row in json.loads(outputs["benchmark-action"])),
               f"{pair}: {outputs['benchmark-action']}")
    stacks = [line.rsplit(" ", 2) for line in outputs["folded"].splitlines()]
    test.check(stacks and all(before == after for _, before, after in stacks), f"{pair}: folded")


def backwards_is_the_opposite(test, pair):
    def rows(report, names, sign):
        found = {}
        for row in report["functions"]:
            key = tuple(sorted((row["function"], row.get("name_before", row["function"]))))
            found.setdefault(key, []).append((sign * row["self"]["delta"], sign * row["inclusive"]["delta"], row["match"]))
        return {key: sorted(values) for key, values in found.items()}

    there = json.loads(test.run("--json", *test.sides(pair)))
    back = json.loads(test.run("--json", *test.sides(pair, backwards=True)))
    test.check(rows(there, 0, 1) == rows(back, 1, -1), f"{pair}: the other way round is not the opposite")
    totals = [report["totals"][0]["cost"]["delta"] for report in (there, back)]
    test.check(totals[0] == -totals[1], f"{pair}: totals {totals}")
    arcs = [sum(row["inclusive"]["delta"] for row in report["arcs"]) for report in (there, back)]
    test.check(arcs[0] == -arcs[1], f"{pair}: arcs {arcs}")


def rules(test):
    """Exit statuses."""
    sides, same = test.sides("twice"), [test.sides("twice")[0]] * 2
    for rule, status in [("Ir > +0.5%", 3), ("Ir > +80%", 0), ("total.Ir > 400_000", 3), ("ir=5%|2000000", 3),
                         ("ir=80%|2000000", 0), ("ir=80%|1000000", 3), ("@all=80%,ir=90%", 0),
                         ("any fn self.Ir > +1% of total and > 10000", 3), ("any fn self.Ir > +1% of total and > 1e9", 0),
                         ("fn(/^hash_of/) self.Ir > +2% and > 10000", 3), ("fn(hash_of) calls > 2400", 0),
                         ("calls(fn(\"hash_of\")) > 2399", 3), ("new fn self.Ir > 1%", 0), ("Nope > 1", 2), ("Ir >", 2),
                         ("Ir > 80% or fn(main) incl.Ir > 50%", 3)]:
        test.run(f"--fail-if={rule}", *sides, exit_code=status)
    test.run("--fail-if=Ir > 0", *same)
    test.run("--fail-if=Ir > 0", "--exit-zero", *sides)
    backwards = test.sides("twice", backwards=True)
    test.run("--fail-if=Ir < -5%", *backwards)
    test.run("--fail-if=Ir < -5%", "--fail-on-improvement", *backwards, exit_code=5)
    test.run("--fail-if=ir=-5%", *backwards, exit_code=3)
    accepted = test.directory / "accept"
    accepted.write_text("# agreed\nIr < +80% until 2026-12-31 because measured twice on purpose\n")
    test.run("--fail-if=Ir > +0.5%", f"--accept={accepted}", "--today=2026-12-31", *sides)
    test.run("--fail-if=Ir > +0.5%", f"--accept={accepted}", "--today=2027-01-01", *sides, exit_code=3)
    accepted.write_text("Ir < +60% until 2026-12-31 because less than it is\n")
    test.run("--fail-if=Ir > +0.5%", f"--accept={accepted}", "--today=2026-12-31", *sides, exit_code=3)
    other = test.directory / "other.out"
    other.write_text("cmd: ./other\nevents: Ir\nfl=a.c\nfn=f\n1 10\n")
    test.run(sides[0], other, exit_code=4)
    test.run("--force", sides[0], other)
    other.write_text("cmd: ./program\nevents: Samples\nfl=a.c\nfn=f\n1 10\n")
    test.run(sides[0], other, exit_code=4)
    test.run(sides[0], test.directory / "missing", exit_code=1)


def main():
    compiler = sys.argv[2] if len(sys.argv) > 2 else "g++"
    with tempfile.TemporaryDirectory() as directory:
        test = Test(str(pathlib.Path(sys.argv[1]).resolve()), compiler, pathlib.Path(directory))
        pairs = sorted(path.name for path in PAIRS.iterdir())
        for pair in pairs:
            test.profile(pair)
        for prove in (renamed, recounted_lambdas, changed_template_argument, inlined, little_inlined, recursive_calls,
                      no_wider_than_a_log, moved, changed_constant, twice_as_often, rules):
            prove(test)
        lines_by_their_texts(test, pairs)
        commits_that_are_none(test)
        for pair in pairs:
            self_is_empty(test, pair)
            backwards_is_the_opposite(test, pair)
        print("\n".join(test.failures))
        print(f"{test.checks} checks, {len(test.failures)} failures")
        return 1 if test.failures or test.checks < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
