#!/usr/bin/env python3
"""Has real readers add up what callcost writes of every profile of ../profiles/MANIFEST.tsv.

    written.py EXECUTABLE [PATH...]

convert: callgrind_annotate takes every dialect, cg_annotate, cg_diff and cg_merge the Cachegrind files; each has to end
         well, without a word of complaint, with the total of the manifest and functions that add up to it. A portable file
         needs no option for that; callcost names the readers that show wrong costs of it, which are those of 'check'.
merge:   the total is the sum of the manifest's, also by the independent summation of tests/oracle; order and grouping
         do not matter.
split:   the pieces add up to the whole. filter: the total stays.
--canonical: a file and what was written of it become equal, byte for byte.

Left out: files of more than 200 KB, of more than 110 KB for the strict dialect and what the oracle has to add up; compact
files of several parts for callgrind_annotate, which takes the last part's summary for that of all; files with negative costs
for cg_merge, which reads no sign. Outside the portable dialect unknown numbers of calls are written as 1 for
callgrind_annotate (--count-unknown-as-one), as it takes the cost of `calls=0` for self cost; there PROGRAM TOTALS may also be
the summary of the run (W5). The strict dialect refuses odd names of events and negative costs, and has to.
"""

import argparse
import concurrent.futures
import csv
import fractions
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import run as corpus  # noqa: E402

PROFILES = corpus.PROFILES
SECONDS = 120
LARGE = 200_000  # bytes: the Perl and Python programs are too slow for more
ORACLE = 110_000  # bytes
DIALECTS = ("portable", "strict", "compact")

# What the strict dialect refuses (W4, W13), as it says so.
ODD_EVENT_NAME = "has letters and digits only in names of events"
NEGATIVE_COSTS = "has no negative costs"
# Of a ratio there is no sum: merged files do without it (F78).
RATIOS = {"usphit"}


# What cg_merge says while it works.
PROGRESS = re.compile(rb"cg_merge: (parsing|merging|writing) |$")


class Fault(Exception):
    pass


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, timeout=SECONDS, **options)


def callcost(executable, *arguments):
    """Standard error, without notes."""
    result = run(executable, *arguments, cwd=PROFILES)
    errors = result.stderr.decode("utf-8", "replace")
    if result.returncode:
        raise Fault(f"{' '.join(map(str, arguments))}: exit status {result.returncode}: {errors}")
    return errors


def plus(one, other):
    return {name: one.get(name, 0) + other.get(name, 0) for name in one.keys() | other.keys()}


def differ(expected, actual):
    """Whether costs are different; an event without costs may be missing, fractions may have been rounded."""
    return not corpus.same_costs(expected, actual)


def oracle(path):
    """Self totals by the independent summation."""
    return {name.decode("latin1"): cost for name, cost in corpus.read_with_oracle(path).total.items()}


def declared(row):
    """What PROGRAM TOTALS has to be: the summary that is known (W5), else the sum."""
    pieces = [piece.split() for piece in row["declared_summary"].split("|") if piece.strip()]
    events = row["events"].split()
    if not pieces or not all(corpus.is_number(word) for piece in pieces for word in piece):
        return None
    total = {}
    for piece in pieces:
        total = plus(total, dict(zip(events, map(int, piece))))
    return total


def numbers(line, events):
    words = line.split()[:len(events)]
    return {name: 0 if word == "." else fractions.Fraction(word.replace(",", "")) for name, word in zip(events, words)}


def annotated(tool, path):
    """(PROGRAM TOTALS, sum of the functions) as a real tool of Valgrind's tells them."""
    threshold = "--threshold=100" if tool == "callgrind_annotate" else "--threshold=0"
    result = run(tool, threshold, "--auto=no", "--show-percs=no", path)
    text = result.stdout.decode("latin-1")
    shown = re.search(r"^Events shown: +(.*)$", text, re.M)
    total = re.search(r"^ *(.*\S) +PROGRAM TOTALS", text, re.M)
    if result.returncode or result.stderr or not shown or not total:
        raise Fault(f"{tool}: exit status {result.returncode}: {result.stderr.decode('latin-1')[:300]}")
    events = shown[1].split()
    functions = text.partition("file:function\n")[2]
    costs = dict.fromkeys(events, 0)
    for line in re.findall(r"^ *(?:-?[\d,]+|\.) .*$", functions, re.M):
        costs = plus(costs, numbers(line, events))
    return numbers(total[1], events), costs


def check_annotated(tool, path, row, summary=None):
    """Yields what is different from the manifest; `summary` may be the total, too. With equal costs up to the threshold
    functions without the first event are not listed, so the functions are compared by that one."""
    total, functions = annotated(tool, path)
    expected = corpus.columns(row["self_totals"])
    if differ(expected, total) and differ(summary or expected, total):
        yield f"{tool}: PROGRAM TOTALS {total}, not {expected}"
    first = next(iter(total))
    if differ({first: expected.get(first, 0)}, {first: functions[first]}):
        yield f"{tool}: its functions cost {functions[first]} {first}, not {expected.get(first, 0)}"


def why_refused(row):
    """Why the strict dialect has no place for a profile; nothing if it has."""
    if not all(re.fullmatch("[A-Za-z0-9]+", name) for name in row["events"].split()):
        return ODD_EVENT_NAME
    return NEGATIVE_COSTS if "negative_cost=" in row["oddities"] else None


def check_convert(executable, path, row, folder):
    for dialect in DIALECTS:
        if dialect == "strict" and (PROFILES / path).stat().st_size > ORACLE:
            continue
        written = folder / f"{dialect}.out"
        options = ["--to", dialect, "-o", written, *([] if dialect == "portable" else ["--count-unknown-as-one"])]
        try:
            notes = callcost(executable, "convert", path, *options)
        except Fault as fault:
            if dialect != "strict" or not why_refused(row) or why_refused(row) not in str(fault):
                yield f"{dialect}: {fault}"
            continue
        if dialect == "strict" and why_refused(row):
            yield "strict: is not refused"
        if dialect == "compact" and int(row["parts"]) > 1:
            continue  # callgrind_annotate takes the last summary for that of all
        summary = None if dialect == "portable" else declared(row)
        yield from (f"{dialect}: {text}" for text in check_annotated("callgrind_annotate", written, row, summary))
        if dialect == "portable":
            yield from check_named_readers(executable, written, notes)


def check_named_readers(executable, written, notes):
    """Those that callcost names when it writes are those that 'check' finds in what was written."""
    named = set(re.findall(r"note: (\S+) shows wrong costs of this file", notes))
    report = json.loads(run(executable, "check", "--json", written).stdout)
    found = {reader["name"] for reader in report["files"][0]["readers"] if reader["verdict"] in ("wrong", "refuses")}
    if named != found:
        yield f"portable: names {named}, 'check' {found}"
    if found & {"callgrind_annotate"}:
        yield f"portable: 'check' says that callgrind_annotate does not read it"


def check_cachegrind(executable, path, row, folder):
    written = folder / "cachegrind.out"
    callcost(executable, "convert", path, "--to", "cachegrind", "--without-calls", "-o", written)
    yield from check_annotated("cg_annotate", written, row)
    for tool, factor in (("cg_merge", 2), ("cg_diff", 0)):
        if tool == "cg_merge" and "negative_cost=" in row["oddities"]:
            continue  # its reader has no sign
        result = run(tool, written, written)
        complaints = [line for line in result.stderr.splitlines() if not PROGRESS.match(line)]
        if result.returncode or complaints:
            yield f"{tool}: exit status {result.returncode}: {result.stderr.decode('latin-1')[:300]}"
            continue
        (folder / tool).write_bytes(result.stdout)
        if written.stat().st_size > ORACLE:
            continue
        expected = {name: cost * factor for name, cost in oracle(written).items()}
        if differ(expected, oracle(folder / tool)):
            yield f"{tool}: {oracle(folder / tool)}, not {expected}"


def check_split(executable, path, row, folder):
    expected = corpus.columns(row["self_totals"])
    for by in ("part", "thread", "pid", "object"):
        pieces = folder / by
        callcost(executable, "split", path, "--by", by, "-o", pieces)
        total = {}
        for piece in pieces.iterdir():
            total = plus(total, oracle(piece))
        if differ(expected, total):
            yield f"split by {by}: the {len(list(pieces.iterdir()))} pieces cost {total}, not {expected}"


def check_filter(executable, path, row, folder):
    for option in ("--drop", "--keep"):
        callcost(executable, "filter", path, option, "a", "-o", folder / "filter.out")
        if differ(corpus.columns(row["self_totals"]), oracle(folder / "filter.out")):
            yield f"filter {option}: {oracle(folder / 'filter.out')}, not {row['self_totals']}"


def check_canonical(executable, path, row, folder):
    for dialect in ("portable", "compact"):
        if dialect == "portable" and "instr" in row["positions"].split():
            continue  # which leaves the addresses out: there is a record for each all the same
        written, canonical = folder / "again.out", folder / "canonical.out"
        callcost(executable, "convert", path, "--keep-unknown-counts", "--to", dialect, "-o", written)
        forms = []
        for source in (path, written):
            callcost(executable, "convert", source, "--canonical", "--keep-unknown-counts", "--to", dialect, "-o", canonical)
            forms.append(canonical.read_bytes())
        if forms[0] != forms[1]:
            yield f"--canonical: {dialect} differs from the same of what was written as {dialect}"


def check_file(executable, path, row):
    """What is wrong with what is made of one file."""
    size = (PROFILES / path).stat().st_size
    if size == 0 or size > LARGE:
        return []
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        checks = [check_convert(executable, path, row, folder), check_cachegrind(executable, path, row, folder),
                  check_canonical(executable, path, row, folder)]
        if size <= ORACLE:
            checks += [check_split(executable, path, row, folder), check_filter(executable, path, row, folder)]
        for check in checks:
            try:
                wrong += check
            except (Fault, subprocess.SubprocessError, ValueError) as fault:
                wrong.append(str(fault))
    return wrong


def check_merge(executable, paths, rows):
    """What is wrong with sums of three files."""
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def merge(target, *sources):
            callcost(executable, "merge", *sources, "--to", "compact", "-o", folder / target)
            return folder / target

        try:
            kept = {}
            for row in rows:
                kept = plus(kept, corpus.columns(row["self_totals"]))
            expected = {name: cost for name, cost in kept.items() if name not in RATIOS}
            a, b, c = paths
            whole = merge("abc", a, b, c)
            if differ(expected, oracle(whole)):
                wrong.append(f"sum {oracle(whole)}, not {expected}")
            same = {"c b a": merge("cba", c, b, a), "(a b) c": merge("ab_c", merge("ab", a, b), c),
                    "a (b c)": merge("a_bc", a, merge("bc", b, c))}
            wrong += [f"merge {how} differs from a b c" for how, file in same.items() if file.read_bytes() != whole.read_bytes()]
            with_parts = folder / "parts"
            callcost(executable, "merge", a, b, c, "--keep-parts", "--to", "compact", "-o", with_parts)
            if differ(kept, oracle(with_parts)):
                wrong.append(f"--keep-parts: {oracle(with_parts)}, not {kept}")
        except (Fault, subprocess.SubprocessError, ValueError) as fault:
            wrong.append(str(fault))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("executable", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("paths", nargs="*", metavar="PATH", help="as in the manifest; all without any")
    options = parser.parse_args()
    missing = [tool for tool in ("callgrind_annotate", "cg_annotate", "cg_diff", "cg_merge") if not shutil.which(tool)]
    if missing:
        print(f"not installed (Debian's valgrind): {', '.join(missing)}")
        return 1
    csv.field_size_limit(sys.maxsize)
    rows = {path: row for path, row in corpus.rows() if not path.startswith("hostile/")}
    chosen = [path for path in rows if not options.paths or path in options.paths]
    small = [path for path in chosen if 0 < (PROFILES / path).stat().st_size <= ORACLE]
    triples = list(zip(small[0::3], small[1::3], small[2::3]))
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        largest_first = sorted(chosen, key=lambda path: -(PROFILES / path).stat().st_size)
        jobs = {path: pool.submit(check_file, options.executable, path, rows[path]) for path in largest_first}
        for triple in triples:
            jobs[" + ".join(triple)] = pool.submit(check_merge, options.executable, triple, [rows[path] for path in triple])
        failed = {what: job.result() for what, job in jobs.items() if job.result()}
    for what, wrong in failed.items():
        print(f"==== {what}")
        for text in wrong:
            print(f"  {text[:1000]}")
    print(f"{len(jobs) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
