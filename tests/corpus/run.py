#!/usr/bin/env python3
"""Compares `callcost info --json` with the figures of tests/profiles/MANIFEST.tsv and hostile/MANIFEST.tsv, and with an
independent summation of every file, tests/oracle/sum_costs.py.

    run.py EXECUTABLE [--skip-large] [PATH...]

Sums and counts must be equal, modulo 2^64. The manifests count functions and arcs as they are written; a model links
callees that are written sloppily, and drops names that nothing is said about. Where the numbers differ for such a
reason, DIFFERENCES says which and why.
"""

import argparse
import concurrent.futures
import csv
import fractions
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROFILES = TESTS / "profiles"
sys.path.insert(0, str(TESTS / "oracle"))
sys.dont_write_bytecode = True
import sum_costs  # noqa: E402

SECONDS = 300
LARGE = 5_000_000  # bytes; the oracle is too slow for more

# path: (functions, arcs, why they are not those that are written)
ONE_FILE_KEY = "written with fi= alone before fn=: the functions' file as well (F49), so callee and function are one"
LINKED = "callees are written with another file than their functions and linked to them by name (F61)"
DICTIONARY = "begins with a dictionary of fn= lines; names without records are no functions (F47)"
BASE_FILE = "an fi= before a call holds for that call only (F51)"
KEPT_CALLS = "a call whose cost line is missing is kept with its count (F59)"
DIFFERENCES = {
    "breezy/callgrind.out.brz": (1023, 1800, ONE_FILE_KEY),
    "mercurial/hg-log.callgrind": (1621, 3016, ONE_FILE_KEY),
    "remake/process-1.callgrind": (6, 5, LINKED),
    "remake/process-2.callgrind": (3, 2, LINKED),
    "stackprof/cpu.callgrind": (15, 17, f"{LINKED}; one fn= has no record (F47)"),
    "stackprof/object.callgrind": (45, 52, f"{LINKED}; fn= without record (F47)"),
    "yappi/cpu.callgrind": (439, 739, DICTIONARY),
    "yappi/wall.callgrind": (125, 158, DICTIONARY),
    "callgrind/compress-mangled-sepcallers.out": (618, 678, "names put together from IDs are taken apart (F36)"),
    "callgrind/unloaded-library.out": (279, 413, BASE_FILE),
    "callgrind/unloaded-library-nocompress.out": (279, 413, BASE_FILE),
    "hostile/dangling-calls.out": (7, 6, KEPT_CALLS),
    "hostile/truncated-after-calls.out": (2, 1, KEPT_CALLS),
    "hostile/truncated-mid-calls.out": (2, 1, KEPT_CALLS),
}


def columns(text):
    """"Ir=1 Dr=2.5" as {"Ir": 1, "Dr": Fraction(5, 2)}."""
    return {name: fractions.Fraction(value) for name, value in (word.rsplit("=", 1) for word in text.split())}


def same_costs(expected, actual):
    """Whether the costs are equal modulo 2^64; a fraction may have been rounded, each by less than one."""
    for name in expected.keys() | actual.keys():
        wanted = fractions.Fraction(expected.get(name, 0))
        slack = 0 if wanted.denominator == 1 else 3
        distance = (actual.get(name, 0) - wanted) % 2**64
        if min(distance, 2**64 - distance) > slack:
            return False
    return True


def info(executable, path):
    result = subprocess.run([executable, "info", "--json", "--contexts", "keep", "--quiet", "--force", path], cwd=PROFILES, capture_output=True, timeout=SECONDS)
    if result.returncode != 0:
        raise RuntimeError(f"exit status {result.returncode}: {result.stderr.decode('utf-8', 'replace')}")
    return json.loads(result.stdout.decode("utf-8"))


def declared(part_costs):
    """The numbers of a `summary:` or `totals:` line, as the manifest writes them."""
    return None if part_costs is None else list(part_costs.values())


def check_manifest(row, profile):
    """Yields what is different from the row."""
    def compare(what, expected, actual):
        if expected != actual:
            yield f"{what}: the manifest has {expected}, callcost {actual}"

    if not same_costs(columns(row["self_totals"]), profile["self"]):
        yield f"self: the manifest has {row['self_totals']}, callcost {profile['self']}"
    if not same_costs(columns(row["inclusive_sum"]), profile["inclusive_sum"]):
        yield f"inclusive_sum: the manifest has {row['inclusive_sum']}, callcost {profile['inclusive_sum']}"
    yield from compare("call_records", int(row["call_records"]), profile["call_records"])
    yield from compare("call_count", int(row["call_count"]), profile["call_count"])
    yield from compare("parts", int(row["parts"]), len(profile["parts"]))
    yield from compare("positions", row["positions"].split(), profile["positions"])
    raw_events = [event["name"] for event in profile["events"] if event["formula"] is None]
    yield from compare("events", row["events"].split(), raw_events)
    for line in ("summary", "totals"):
        written = row.get(f"declared_{line}")
        if written is not None:
            yield from check_declared(line, written, profile)


def check_declared(line, written, profile):
    """Compares what parts declare: "1 2|3 4" in the manifest, one piece per line of the file."""
    pieces = [piece.split() for piece in written.split("|")] if written.strip(" |") else []
    pieces = [[int(number) % 2**64 for number in piece] for piece in pieces if all(is_number(word) for word in piece) and piece]
    shown = [[cost % 2**64 for cost in part[line].values()] for part in profile["parts"] if part[line] is not None]
    width = max((len(costs) for costs in shown), default=0)
    pieces = [(piece + [0] * width)[:width] for piece in pieces]
    if pieces != shown:
        yield f"{line}: the manifest has {pieces}, callcost {shown}"


def is_number(word):
    return word.lstrip("+-").isdigit()


def check_written(path, row, oracle, profile):
    """Yields what is different from what the file says literally, beyond DIFFERENCES."""
    functions, arcs, why = DIFFERENCES.get(path, (None, None, None))
    written_functions = len(oracle.fids) if oracle else int(row["functions"])
    written_arcs = len({(site[0:3], site[3:6]) for site in oracle.sites}) if oracle else int(row["arcs"])
    for what, written, listed in (("functions", written_functions, functions), ("arcs", written_arcs, arcs)):
        expected = written if listed is None else listed
        if profile[what] != expected:
            yield f"{what}: {written} are written, {expected} expected{f' ({why})' if why else ''}, callcost has {profile[what]}"


def check_oracle(oracle, profile):
    """Yields what is different from the independent summation."""
    for what, exact in (("self", oracle.total), ("inclusive_sum", oracle.incl)):
        exact = {name.decode("latin1"): cost for name, cost in exact.items()}
        if not same_costs(exact, profile[what]):
            yield f"{what}: the oracle has {exact}, callcost {profile[what]}"
    for what, exact in (("call_records", oracle.records), ("call_count", oracle.ncalls)):
        if exact != profile[what]:
            yield f"{what}: the oracle has {exact}, callcost {profile[what]}"


def read_with_oracle(path):
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = sum_costs.gzip.decompress(data)
    reader = sum_costs.Reader()
    reader.feed(data)
    return reader


def check(executable, path, row):
    """(path, what is wrong with it)"""
    wrong = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            file = PROFILES / path
            if path.startswith("hostile/generate.py "):
                file = pathlib.Path(folder, "generated.out")
                with file.open("wb") as target:
                    subprocess.run([sys.executable, PROFILES / "hostile/generate.py", path.split()[1]], stdout=target, check=True)
                if "bomb" in path:
                    wrong += check_refused(executable, file)
            if row.get("lines") == "0" or file.stat().st_size == 0:
                return path, list(check_empty(executable, path))
            profile = info(executable, file if file.is_absolute() and str(folder) in str(file) else path)
            wrong += check_manifest(row, profile)
            oracle = read_with_oracle(file) if file.stat().st_size <= LARGE and "bomb" not in path else None
            if oracle:
                wrong += check_oracle(oracle, profile)
            wrong += check_written(path, row, oracle, profile)
    except (RuntimeError, ValueError, subprocess.SubprocessError) as error:
        wrong.append(str(error))
    return path, wrong


def check_refused(executable, path):
    """Compressed data that expand enormously are not read without --force."""
    result = subprocess.run([executable, "info", path], capture_output=True, timeout=SECONDS)
    if result.returncode != 1 or b"[too-large]" not in result.stderr:
        yield f"a bomb: exit status {result.returncode}: {result.stderr.decode('utf-8', 'replace')}"


def check_empty(executable, path):
    result = subprocess.run([executable, "info", path], cwd=PROFILES, capture_output=True, timeout=SECONDS)
    if result.returncode != 1 or b"[empty-file]" not in result.stderr:
        yield f"an empty file: exit status {result.returncode}: {result.stderr.decode('utf-8', 'replace')}"


def rows():
    """(path, row of its manifest) for every profile."""
    csv.field_size_limit(sys.maxsize)
    for manifest, folder in ((PROFILES / "MANIFEST.tsv", ""), (PROFILES / "hostile/MANIFEST.tsv", "hostile/")):
        with manifest.open(encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield folder + row["path"], row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("executable", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--skip-large", action="store_true", help="leave out the generated files of 2 MB to 1 GB")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="as in the manifests; all without any")
    options = parser.parse_args()
    chosen = [(path, row) for path, row in rows() if not options.paths or path in options.paths]
    if options.skip_large:
        chosen = [(path, row) for path, row in chosen if "generate.py" not in path]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, [options.executable] * len(chosen), *zip(*chosen)))
    failed = [(path, wrong) for path, wrong in results if wrong]
    for path, wrong in failed:
        print(f"==== {path}")
        for line in wrong:
            print(f"  {line[:2000]}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
