"""What `run`, `scoreboard`, `check-writer` and `make-archive` share: the files with their expectations, how a reader is run,
and how its answer is judged. README.md documents both kinds of JSON.
"""

import gzip
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Beside the suite in its archive, in tests/ of the project.
PROFILES = next((folder for folder in (HERE / "profiles", HERE.parent / "tests/profiles") if folder.is_dir()), None)
if PROFILES is None:
    sys.exit(f"{HERE}: the suite has no folder of profiles; conformance/make-archive makes a copy that is whole")
MODULUS = 2**64
SECONDS = 60
MEMORY = 4 * 2**30
OUTPUT = 2**29
TABLES = ("functions", "arcs", "lines", "sites", "jumps", "parts", "events", "roots")
COSTS = ("self", "inclusive")
NAMES = ("name", "file", "object", "context", "caller", "callee", "caller_file", "callee_file", "caller_object", "callee_object", "function",
         "target_function", "target_file")
# What tells one row of a table from another; the other members are its figures.
KEYS = {"functions": NAMES, "arcs": NAMES, "lines": (*NAMES, "line", "address"), "sites": (*NAMES, "line", "address"),
        "jumps": (*NAMES, "line", "address"), "parts": ("part", "thread", "pid"), "events": ("name",), "roots": ("name",)}
FIELDS = {"name": "", "rules": [], "why": "", "made": "by hand", "packed": False, "decided_by": None, "expect": {}}


class Entry:
    """A file and what is expected of it."""

    def __init__(self, path, fields):
        unknown = fields.keys() - FIELDS.keys()
        if unknown:
            raise ValueError(f"{path}: unknown members: {', '.join(sorted(unknown))}")
        self.path = path
        for name, default in FIELDS.items():
            setattr(self, name, fields.get(name, default))

    def deciding(self):
        """The parts of which one at least has to be shown, or nothing can be said: rows if there are any."""
        return self.decided_by or [part for part in self.expect if part in TABLES or part in ("cycles", "metadata")] or list(self.expect)

    def unpacked(self, folder):
        """Where the file is for a reader: one that is too large to be kept is packed only in the suite."""
        if not self.packed:
            return self.path
        path = pathlib.Path(folder) / self.path.stem
        path.write_bytes(gzip.decompress(self.path.read_bytes()))
        return path


def entries():
    """Of the rules first, then real and hostile files."""
    for path in sorted((HERE / "rules").glob("*.json"), key=rule_order):
        fields = json.loads(path.read_text("utf-8"))
        beside = (p for p in path.parent.glob(f"{path.stem}.*") if p.suffix in (".out", ".gz"))
        yield Entry(min(beside, key=lambda p: len(p.name)), {"name": f"rules/{path.stem}"} | fields)
    expected = HERE / "expected.json"
    for name, fields in json.loads(expected.read_text("utf-8")).items() if expected.exists() else ():
        yield Entry(PROFILES / name, {"name": name} | fields)


def rule_order(path):
    letter, number = path.stem[0], path.stem[1:].partition("-")[0]
    return "FCW".index(letter), int(number), path.stem


class Answer:
    """What a reader said about a file: its JSON, or the reason why there is none."""

    def __init__(self, shown, refusal=None, failure=None):
        self.shown, self.refusal, self.failure = shown, refusal, failure


def limit(memory):
    def apply():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT, OUTPUT))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def ask(command, path, seconds=SECONDS, memory=MEMORY):
    """Runs a reader, with {file} replaced in its command. Whatever it does is an answer."""
    words = [word.replace("{file}", str(path)) for word in command]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, preexec_fn=limit(memory))
        except OSError as error:
            return Answer({}, failure=f"cannot be run: {error}")
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # and what it has started
            except ProcessLookupError:
                pass
            process.wait()
        out.seek(0)
        errors.seek(0)
        text, message = out.read(), errors.read(2000).decode("utf-8", "replace").strip()
    if status is None:
        return Answer({}, failure=f"no answer after {seconds} s")
    if status < 0:
        return Answer({}, failure=f"ended by signal {-status}")
    try:
        shown = json.loads(text.decode("utf-8")) if text.strip() else {}
        if not isinstance(shown, dict):
            raise ValueError("not an object")
        problem = malformed(shown)
        if problem:
            raise ValueError(problem)
    except (ValueError, RecursionError) as error:
        return Answer({}, failure=f"no JSON as documented: {error}")
    if shown.get("refused"):
        return Answer({}, refusal=str(shown["refused"]))
    if status:
        return Answer({}, failure=f"exit status {status}: {message[-200:]}")
    return Answer(shown)


def malformed(shown):
    for table in TABLES:
        rows = shown.get(table)
        if rows is not None and not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
            return f'"{table}" is no list of objects'
        for row in rows or ():
            for member in COSTS:
                if not isinstance(row.get(member, {}), (dict, type(None))):
                    return f'"{member}" in "{table}" is no object of costs'
    return None if isinstance(shown.get("totals", {}), dict) else '"totals" is no object of costs'


def same(expected, seen):
    """Whether two values agree: numbers modulo 2^64, costs by those event types that both have; a number is within bounds [least, most]."""
    if isinstance(expected, dict) and isinstance(seen, dict):
        return all(same(expected[name], seen[name]) for name in expected.keys() & seen.keys())
    if isinstance(expected, list) and isinstance(seen, (int, float)) and not isinstance(seen, bool):
        return expected[0] <= seen <= expected[1]
    if any(isinstance(value, (bool, str, list, type(None))) for value in (expected, seen)):
        return expected == seen and isinstance(expected, bool) == isinstance(seen, bool)
    if isinstance(seen, float) and not seen.is_integer():
        return False
    return (int(expected) - int(seen)) % MODULUS == 0


def sum_of(rows):
    """Rows of one thing as one row; what cannot be added is dropped."""
    total = {}
    for row in rows:
        for member, value in row.items():
            if isinstance(value, dict):
                costs = total.setdefault(member, {})
                for event, cost in value.items():
                    costs[event] = cost if isinstance(cost, list) else costs.get(event, 0) + (cost or 0)
            elif isinstance(value, int) and not isinstance(value, bool):
                total[member] = total.get(member, 0) + value
    return total


def brief(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "..."


def judge_table(table, expected, rows, omits_zero):
    keys = KEYS[table]
    by_name = {}
    first = keys[0]
    for row in rows:
        by_name.setdefault(row.get(first), []).append(row)
    for wanted in expected:
        same_name = by_name.get(wanted[first], []) if first in wanted and table != "sites" else rows
        found = [row for row in same_name if all(same(wanted[key], row[key]) for key in keys if key in wanted and key in row)]
        figures = {member: value for member, value in wanted.items() if member not in keys}
        if not found:
            if not (omits_zero and not any((wanted.get("self") or {}).values())):
                yield f"{table}: no row {brief({key: wanted[key] for key in keys if key in wanted})}"
        else:
            added = sum_of(found)
            wrong = [member for member, value in figures.items()
                     if not any(same(value, row[member]) for row in (*found, added) if member in row) and any(member in row for row in found)]
            if wrong:
                name = brief({key: wanted[key] for key in keys if key in wanted})
                yield f"{table}: {name} has {brief({member: found[0].get(member) for member in wrong})}, not {brief({member: figures[member] for member in wrong})}"


def judge_list(what, expected, shown):
    missing, surplus = sorted(set(expected) - set(shown)), sorted(set(shown) - set(expected))
    if missing:
        yield f"{what}: {', '.join(missing)} not reported"
    if surplus:
        yield f"{what}: {', '.join(surplus)} reported without reason"


def judge_text(dialect, expected, text):
    """Line by line, but for what says who has written it."""
    lines, wanted = ([line for line in part.split("\n") if not line.startswith(("creator:", "desc:"))] for part in (text, expected))
    if lines != wanted:
        place = next((i for i, (a, b) in enumerate(zip(lines, wanted)) if a != b), min(len(lines), len(wanted)))
        yield f"written as {dialect}: {brief(lines[place:place + 1])}, not {brief(wanted[place:place + 1])}"


def shown_as(what):
    return "diagnostics" if what == "diagnostics_include" else what


def judge_part(what, expected, shown):
    """Yields what is wrong in one part of the answer."""
    part = shown_as(what)
    if what in TABLES:
        yield from judge_table(what, expected, shown[what], bool(shown.get("omits_zero")))
    elif what == "totals":
        for event, cost in expected.items():
            seen = shown["totals"].get(event, None if shown.get("one_event") else 0)
            if seen is not None and not same(cost, seen):
                yield f"totals: {event} is {seen}, not {cost}"
    elif what == "cycles":
        cycles = [sorted(map(str, cycle)) for cycle in shown["cycles"]]
        if sorted(cycles) != sorted(sorted(cycle) for cycle in expected):
            yield f"cycles: {brief(sorted(cycles))}, not {brief(expected)}"
    elif what == "metadata":
        for name, value in expected.items():
            if name in shown["metadata"] and shown["metadata"][name] != value:
                yield f"metadata: {name} is {brief(shown['metadata'][name])}, not {brief(value)}"
    elif what in ("diagnostics", "checks"):
        yield from judge_list(what, expected, shown[what])
    elif what in ("reports", "diagnostics_include"):  # at least these
        missing = sorted(set(expected) - set(shown[part]))
        if missing:
            yield f"{part}: {', '.join(missing)} not reported"
    elif what == "written":
        for dialect, name in expected.items():
            if shown[what].get(dialect) is not None:
                yield from judge_text(dialect, (HERE / "rules" / name).read_text("utf-8"), shown[what][dialect])
    elif not same(expected, shown[what]):
        yield f"{what}: {brief(shown[what])}, not {brief(expected)}"


class Verdict:
    """passed, failed (with the reasons), or not shown: the reader prints nothing that decides."""

    def __init__(self, entry, faults, decided):
        self.entry, self.faults = entry, faults
        self.word = "failed" if faults else "passed" if decided else "not shown"


def ask_about(entry, command, seconds=SECONDS, memory=MEMORY):
    with tempfile.TemporaryDirectory() as folder:
        return judge(entry, ask(command, entry.unpacked(folder), seconds, memory))


def judge(entry, answer):
    expect = entry.expect
    if answer.failure:
        return Verdict(entry, [answer.failure], True)
    if expect.get("refused"):
        # Which diagnostic a refusal has is of interest only where ids are known.
        wrong = [] if answer.refusal else [f"read, though there is no profile in it: {brief(answer.shown.get('totals'))}"]
        return Verdict(entry, wrong, True)
    if answer.refusal:
        return Verdict(entry, [f"refused: {answer.refusal}"], True)
    shown = [what for what in expect if what != "refused" and answer.shown.get(shown_as(what)) is not None]
    try:
        faults = [fault for what in shown for fault in judge_part(what, expect[what], answer.shown)]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return Verdict(entry, [f"not the JSON that README.md documents: {error}"], True)
    return Verdict(entry, faults, any(what in map(shown_as, shown) for what in map(shown_as, entry.deciding())))


def installed(reader):
    """The command of a reader: one of readers/ by its name, or a command of its own."""
    adapter = HERE / "readers" / reader
    return [str(adapter), "{file}"] if adapter.is_file() else None


def adapters():
    return sorted(path.name for path in (HERE / "readers").iterdir() if path.is_file() and not path.suffix and os.access(path, os.X_OK))


def version(adapter):
    """What `ADAPTER --version` says; None if what it adapts is not installed."""
    done = subprocess.run([str(HERE / "readers" / adapter), "--version"], capture_output=True, timeout=SECONDS)
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None


def program(variable, name):
    """The program that an adapter runs: that of the environment variable, or of PATH."""
    return os.environ.get(variable) or shutil.which(name)
