#!/usr/bin/env python3
"""Every figure of every sentence is a figure of a row, and no reason is larger than what it explains.

usage: run.py EXECUTABLE

Takes the summaries of all profiles of tests/profiles and of ./profiles apart, and those of all comparisons of
tests/diff and of ./pairs, in both directions, and looks for each figure in the same answer as JSON. In ./pairs and
./profiles are programs about which wrong reasons are easily given; what is to be said of them is at the end.
"""

import collections
import itertools
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
SHARE = r"(\d+\.\d\d)%"
SPREAD = ", spread over many callees"
STARTS_OF_THREADS = {"clone", "clone3", "__clone", "__clone3", "start_thread", "thread_start", "_pthread_start",
                     "__pthread_start", "execute_native_thread_routine"}
OUTSIDE = {"(idle)", "(garbage collector)", "(program)"}  # of functions
ALL_CONTEXTS = "--contexts=fold"  # as lists and comparisons have them


class Failure(Exception):
    pass


def need(is_right, what):
    if not is_right:
        raise Failure(what)


def matches(shown, name):
    """A name may be shortened and have lost its return type, and what is no character of a text is escaped."""
    pieces = re.split(r"\.\.\.|…|\\x[0-9a-f]{2}|\\[0-9a-z]", shown)
    return re.fullmatch("(?:.* )?" + ".*".join(map(re.escape, pieces)), name, re.DOTALL) is not None


class Command:
    def __init__(self, program):
        self.program = program

    def __call__(self, *arguments, exits=(0,)):
        result = subprocess.run([self.program, *map(str, arguments)], capture_output=True, timeout=300)
        if result.returncode not in exits:
            return None
        return result.stdout.decode()


def sentences_of(text):
    """The paragraph behind the head: a sentence is a line, as nothing is wrapped."""
    paragraphs = text.split("\n\n")
    if len(paragraphs) < 2 or re.match(r" *self |[A-Z][a-z ]+\n |No function's self", paragraphs[1]):
        return []
    return [line for line in paragraphs[1].splitlines() if line.endswith(".")]


# --- of one profile -------------------------------------------------------------------------------------------------

Function = collections.namedtuple("Function", "name file object cycle self inclusive")


class Profile:
    def __init__(self, run, files):
        rows = json.loads(run("top", "--json", "-n0", ALL_CONTEXTS, *files))
        whole = json.loads(run("convert", "--to=json", "-o", "-", ALL_CONTEXTS, *files))
        self.event, total = rows["event"], rows["total"][rows["event"]]
        cycles = json.loads(run("top", "--group=cycle", "--json", "-n0", ALL_CONTEXTS, *files))
        self.cycles = {row["cycle"]: row for row in cycles["rows"]}
        columns = {name: i for i, name in enumerate(whole["functions"]["columns"])}
        cost = lambda row, kind: row[columns[f"{kind}_{self.event}"]]
        self.functions = [Function(row[columns["function"]], whole["files"][row[columns["file"]]],
                                   whole["objects"][row[columns["object"]]], row[columns["cycle"]],
                                   cost(row, "self"), cost(row, "inclusive")) for row in whole["functions"]["rows"]]
        self.total = total or max(function.inclusive for function in self.functions)
        columns = {name: i for i, name in enumerate(whole["arcs"]["columns"])}
        self.arcs = [(row[columns["caller"]], row[columns["callee"]], row[columns[f"inclusive_{self.event}"]])
                     for row in whole["arcs"]["rows"]]
        self.parts = [(part["thread"], part["self"].get(self.event, 0)) for part in whole["parts"]]
        self.callees = collections.defaultdict(lambda: collections.Counter())
        self.received = collections.Counter()
        for caller, callee, spent in self.arcs:
            self.callees[caller][callee] += spent
            if caller != callee:
                self.received[callee] += spent

    def is_share(self, shown, cost):
        return cost is not None and abs(float(shown) - 100 * cost / self.total) < 0.00501

    def named(self, shown):
        return [row for row, function in enumerate(self.functions) if matches(shown, function.name)]

    def one_with(self, shown, share, kind):
        rows = [row for row in self.named(shown) if self.is_share(share, getattr(self.functions[row], kind))]
        need(rows, f"no row {shown} has {share}% {kind}")
        return rows

    def cost_of_threads(self):
        roots = sum(function.inclusive - self.received[row] for row, function in enumerate(self.functions)
                    if function.name in STARTS_OF_THREADS and function.inclusive > self.received[row])
        return roots or sum(cost for thread, cost in self.parts if thread not in (None, 1))

    def check(self, sentence):
        for pattern, method in SENTENCES:
            if found := re.fullmatch(pattern, sentence, re.DOTALL):
                return method(self, *found.groups())
        raise Failure("nobody knows this sentence")

    def threads(self, share, rest):
        need(self.is_share(share, self.cost_of_threads()), f"threads cost {self.cost_of_threads()}")
        starts = [row for row, function in enumerate(self.functions) if function.name in STARTS_OF_THREADS]
        self.where(starts, rest)

    def entry(self, name, only, share, rest):
        begins = self.one_with(name.removesuffix(" (looks like main)"), share, "inclusive")
        if only:
            need(not rest, rest)
        else:
            self.where(begins, rest)

    def where(self, begins, rest):
        ends = begins
        if found := re.fullmatch(r",? (?:which )?is in (cycle .*)|, (nearly )?all of it in (.+), which is in (cycle .*)", rest):
            return self.cycle(found[1] or found[4])
        if rest in ("", SPREAD, ", all of it in its own code"):
            return
        if found := re.fullmatch(rf", nearly all of it in its own code \({SHARE}\)", rest):
            need(any(self.is_share(found[1], self.functions[row].self) for row in begins), rest)
            return
        found = re.match(", (?:nearly )?all of it in ", rest)
        if not found:
            return self.what(ends, rest)
        failures = []
        rest = rest[found.end():]
        for end in [*(found.start() for found in re.finditer(": ", rest)), len(rest.removesuffix(SPREAD))]:
            try:
                return self.what(self.ends(rest[:end]), rest[end:])
            except Failure as failure:
                failures.append(str(failure))
        raise Failure("; ".join(failures))

    def ends(self, text):
        """The functions that all of it is in, named with or without a cost."""
        if found := re.fullmatch(rf"(.+) itself(?: \({SHARE}\))?", text):
            ends = self.one_with(*found.groups(), "self") if found[2] else self.named(found[1])
        else:
            found = re.fullmatch(rf"(.+?)(?: \({SHARE}\))?", text)
            ends = self.one_with(*found.groups(), "inclusive") if found[2] else self.named(found[1])
        need(ends, f"no function {text}")
        return ends

    def what(self, ends, rest):
        """The parts of what one of these functions costs."""
        if rest in ("", SPREAD):
            return
        need(rest.startswith(": "), rest)
        for name, share in items(rest[2:]):
            costs = []
            for end in ends:
                if name == "its own code":
                    costs.append(self.functions[end].self)
                else:
                    rows = self.named(name)
                    costs += [self.callees[end][row] for row in rows if self.callees[end][row]]
                    if self.functions[end].name in STARTS_OF_THREADS:
                        costs += [self.functions[row].inclusive for row in rows]
            need(any(self.is_share(share, cost) for cost in costs), f"{name} {share}%: only {costs}")

    def cycle(self, rest):
        found = re.fullmatch(rf"cycle (\d+): (\d+) functions that call each other, {SHARE}(?:; in it (.+))?", rest)
        need(found, rest)
        number, size, share, inside = found.groups()
        members = [row for row, function in enumerate(self.functions) if function.cycle == int(number)]
        row = self.cycles[int(number)]
        need(len(members) == row["functions"] == int(size), f"{len(members)} members")
        need(self.is_share(share, row["inclusive"][self.event]), f"cycle costs {row['inclusive']}")
        for name, share in items(inside or ""):
            costs = [self.functions[row].self for row in members if matches(name, self.functions[row].name)]
            costs += [sum(self.callees[member][row] for member in members) for row in self.named(name)
                      if row not in members]
            need(any(self.is_share(share, cost) for cost in costs), f"{name} {share}%: only {costs}")

    def most_expensive(self, rest):
        for name, share in items(rest):
            self.one_with(name, share, "self")

    def nothing_stands_out(self, name, share, of, number):
        self.one_with(name, share, "self")
        outside = [function.self for function in self.functions if function.name in OUTSIDE]
        need(name not in OUTSIDE, f"{name} is no function")
        left, functions = (self.total - (sum(outside) if of == "rest" else 0)) / 2, 0
        for function in sorted(self.functions, key=lambda function: -function.self):
            if function.name in OUTSIDE:
                continue
            if left <= 0:
                break
            left -= function.self
            functions += 1
        need(functions == int(number), f"half is in {functions}")

    def spent(self, rest, program, own):
        shares = items(rest)
        need(sum(float(share) for _, share in shares) + float(own or 0) <= 100.05, "more than everything")
        for name, share in shares + ([(program, own)] if own else []):
            file_name = lambda path: re.split(r"[/\\]", path)[-1]
            of_object = sum(function.self for function in self.functions if file_name(function.object) == name)
            if name == "dynamic linking":
                of_object = sum(function.self for function in self.functions if re.match(r"ld-|ld\.so", file_name(function.object)))
                need(self.is_share(share, of_object), f"{of_object} in the loader")
            elif name == "built-in functions":
                built_in = sum(function.self for function in self.functions
                               if re.match(r"php::|~?[<{](built-in |method )|<slot wrapper", function.name))
                need(self.is_share(share, built_in), f"{built_in} in built-in functions")
            elif name not in ("memory allocation", "the C library", "the C++ library"):
                need(float(share) <= 100 * of_object / self.total + 0.005, f"{of_object} in {name}")

    def missing(self, sentence):
        for part in re.split(r"(?<=[.]) (?=\d|Callees)", sentence):
            if found := re.fullmatch(rf"{SHARE} is in functions without names: .*", part):
                cost = sum(function.self for function in self.functions if re.fullmatch("0x[0-9a-fA-F]+", function.name))
                need(self.is_share(found[1], cost), f"{cost} without names")
            elif found := re.fullmatch(rf"{SHARE} is in code without debug information: compile it with -g .*", part):
                known = {function.object for function in self.functions if function.file != "???"}
                cost = sum(function.self for function in self.functions
                           if function.object not in known and not re.fullmatch("0x[0-9a-fA-F]+", function.name))
                need(self.is_share(found[1], cost), f"{cost} without debug information")
            else:
                found = re.fullmatch(rf"Callees of (.+) that cost {SHARE} were not recorded\.", part)
                need(found and self.named(found[1]), part)


SENTENCES = [
    (rf"Threads cost {SHARE}(.*)\.", Profile.threads),
    (rf"(.+?) costs( only)? {SHARE}(.*)\.", Profile.entry),
    (r"()(.+?) is in (cycle .+)\.", lambda profile, _, name, rest: profile.cycle(rest)),
    (r"Inclusive costs are above the total in this profile, so they say little\.", lambda profile: None),
    (r"Outside of functions: (.+)\.", Profile.most_expensive),
    (r"Most expensive by (?:itself|themselves): (.+)\.", Profile.most_expensive),
    (rf"No function stands out by itself: the most expensive one, (.+), has {SHARE}; half of the (cost|rest) is in (\d+) functions?\.",
     Profile.nothing_stands_out),
    (rf"Spent in (.+?)(?:; in (.+?) itself {SHARE})?\.", Profile.spent),
    (rf"((?:{SHARE} is in|Callees of) .*)", lambda profile, sentence, _: profile.missing(sentence)),
]


def items(text):
    return re.findall(rf"(.+?) {SHARE}(?:, |$)", text)


def check_profiles(run, failures):
    sets = [[path] for path in sorted((TESTS / "profiles").rglob("*")) if path.is_file()]
    sets += [[path] for path in sorted((HERE / "profiles").glob("*.gz"))]
    sets += [[path] for path in sorted((TESTS / "imports").glob("*.cpuprofile"))]
    sets += [sorted((HERE / "profiles").glob(f"{name}-parts-*.gz")) for name in ("pthread", "std")]
    number = 0
    for files in sets:
        text = run("top", "--raw", "-n1", "--color=never", ALL_CONTEXTS, *files)
        sentences = sentences_of(text) if text else []
        profile = Profile(run, files) if sentences else None
        for sentence in sentences:
            number += 1
            try:
                profile.check(sentence)
            except Failure as failure:
                failures.append(f"{files[0].relative_to(TESTS)}: {sentence}\n    {failure}")
    return number


# --- of two profiles ------------------------------------------------------------------------------------------------

class Comparison:
    def __init__(self, report):
        self.report = report
        self.functions, self.arcs = report["functions"], report["arcs"]

    @staticmethod
    def rows(rows, key, shown):
        return [row for row in rows if matches(shown, row[key])]

    @staticmethod
    def bounded(effect, *limits):
        for limit in limits:
            need((effect > 0) == (limit > 0) and abs(effect) <= abs(limit), f"{effect} is not a part of {limit}")

    def one(self, rows, check, what):
        """That for one of the rows, as names may be shortened, the check holds."""
        need(rows, f"no row for {what}")
        errors = []
        for row in rows:
            try:
                return check(row)
            except Failure as failure:
                errors.append(str(failure))
        raise Failure("; ".join(errors))

    def how_many(self, sentence):
        deltas = [row["self"]["delta"] for row in self.functions if row["self"]["delta"] and row["function"] not in OUTSIDE]
        found = re.findall(r"(\d+) functions?(?: costs?)? (more|less)(?:, ([+-]\d+))?", sentence)
        for number, way, together in found:
            of_way = [delta for delta in deltas if (delta > 0) == (way == "more")]
            need(len(of_way) == int(number), f"{len(of_way)} cost {way}")
            need(not together or sum(of_way) == int(together), f"{sum(of_way)} {way}")

    def calls(self, sentence):
        for part in re.split(r"(?<=[+-]\d)(?=;)|(?<=\d); ", sentence.removesuffix(".")):
            found = re.fullmatch(r"(.+) (\d+) instead of (\d+) times: ([+-]\d+)", part)
            need(found, part)
            names, after, before, effect = found[1], int(found[2]), int(found[3]), int(found[4])
            has = lambda row: row["calls"]["before"] == before and row["calls"]["after"] == after
            if names.endswith(" is called"):
                rows = [row for row in self.rows(self.functions, "function", names.removesuffix(" is called")) if has(row)]
                self.one(rows, lambda row: self.check_calls(row, row["inclusive"], row, effect), names)
                continue
            rows = [row for row in self.arcs if has(row) and any(
                matches(names[:at], row["caller"]) and matches(names[at + 7:], row["callee"])
                for at in (found.start() for found in re.finditer(" calls ", names)))]
            self.one(rows, lambda row: self.check_arc(row, effect), names)

    def check_arc(self, arc, effect):
        callees = self.rows(self.functions, "function", arc["callee"])
        self.one(callees, lambda callee: self.check_calls(arc, arc["inclusive"], callee, effect), arc["callee"])

    def check_calls(self, row, cost, callee, effect):
        calls, all_calls = row["calls"], callee["calls"]
        need((calls["after"] > calls["before"]) == (all_calls["after"] > all_calls["before"]) and
             all_calls["after"] != all_calls["before"], f"called {all_calls} in all")
        self.bounded(effect, cost["delta"], callee["inclusive"]["delta"])
        figures = {cost["delta"], callee["inclusive"]["delta"], (row["because"] or {}).get("calls")}
        need(effect in figures, f"no row has {effect}: {figures}")

    def per_call(self, sentence):
        for name, effect in re.findall(r"(.+?) ([+-]\d+)(?:; |\.)", sentence):
            def check(row):
                self.bounded(int(effect), row["self"]["delta"])
                figures = {row["self"]["delta"], (row.get("self_because") or {}).get("cost_per_call")}
                need(int(effect) in figures, f"no row has {effect}: {figures}")
            self.one(self.rows(self.functions, "function", name), check, name)

    def new_and_removed(self, sentence):
        inlined = [row["function"] for row in self.report["inlinings"]]
        sums = collections.Counter()
        for row in self.functions:
            if row["match"] == "unmatched" and row["function"] not in inlined:
                sums[row["function"]] += row["self"]["delta"]
        for name, effect in re.findall(r"(.+?) ([+-]\d+)(?:; |\.)", sentence):
            found = [sums[one] for one in sums if matches(name, one)]
            need(int(effect) in found, f"{name} {effect}: {found}")

    def inlined(self, sentence):
        for part in re.split(r"(?<=\d); ", sentence.removesuffix(".")):
            if re.fullmatch(r"and \d+ more", part):
                continue
            found = re.fullmatch(r"(.+) was (inlined into|outlined from) (.+?)( \(its source lines are there\))?, together ([+-]\d+)", part)
            need(found, part)
            rows = self.rows(self.report["inlinings"], "function", found[1])
            def check(row):
                callers = ", ".join(row["callers"][:3])
                if len(row["callers"]) > 3:
                    callers += f" and {len(row['callers']) - 3} more"
                need(callers == found[3] or any("->" in text for text in (found[1], found[3])), f"{callers} is not {found[3]}")
                need(row["together"]["delta"] == int(found[5]), f"together {row['together']}")
            self.one(rows, check, found[1])

    def check(self, sentence):
        if re.match(r"\d+ functions?(?: costs?)? ", sentence):
            return self.how_many(sentence)
        for beginning, method in (("Outside of functions: ", self.per_call), ("Cost per call changed: ", self.per_call),
                                  ("New and removed: ", self.new_and_removed), ("Inlined? ", self.inlined)):
            if sentence.startswith(beginning):
                return method(sentence.removeprefix(beginning))
        return self.calls(sentence)


def compared(run, before, after):
    options = ("diff", "--force", "--github=never")
    report = json.loads(run(*options, "--json", before, after))
    text = run(*options, "--raw", "--color=never", "-n1", before, after)
    return Comparison(report), sentences_of(text)


def pairs():
    recorded = TESTS / "diff" / "recorded"
    for other in ("twice", "inlined", "inlined-and-more", "renamed"):
        yield recorded / "words.out.gz", recorded / f"{other}.out.gz"
    for name in ("lambda", "cached"):
        yield recorded / f"{name}-before.out.gz", recorded / f"{name}-after.out.gz"
    yield from itertools.combinations(sorted((TESTS / "diff" / "baselines").glob("*.gz")), 2)
    for after in sorted((HERE / "pairs").glob("*-after.out.gz")):
        yield after.with_name(after.name.replace("-after", "-before")), after
    for name in ("diff-renamed-file/before.out", "diff-folded-stacks/before.folded"):
        before = TESTS / "golden" / name
        yield before, before.with_name(before.name.replace("before", "after"))
    profiles = TESTS / "profiles"
    yield profiles / "callgrind" / "default.out", profiles / "callgrind" / "stl-O2-instr-jumps.out"
    yield profiles / "xdebug" / "plain.cachegrind.out", profiles / "xdebug" / "killed.cachegrind.out"


def check_comparisons(run, failures):
    number = 0
    for pair in pairs():
        for before, after in (pair, pair[::-1]):
            comparison, sentences = compared(run, before, after)
            for sentence in sentences:
                number += 1
                try:
                    comparison.check(sentence)
                except Failure as failure:
                    failures.append(f"{before.relative_to(TESTS)} -> {after.name}: {sentence}\n    {failure}")
    return number


# --- what was said wrongly ------------------------------------------------------------------------------------------

def check_known(run, failures):
    def expect(what, sentences, wanted=(), unwanted=()):
        text = "\n".join(sentences)
        failures.extend(f"{what}: no {one!r} in:\n{text}" for one in wanted if one not in text)
        failures.extend(f"{what}: {one!r} in:\n{text}" for one in unwanted if one in text)

    def difference(name):
        return compared(run, *(HERE / "pairs" / f"{name}-{side}.out.gz" for side in ("before", "after")))[1]

    def summary(*files):
        return sentences_of(run("top", "--raw", "-n1", "--color=never", ALL_CONTEXTS, *files))

    expect("moved", difference("moved"), ["Cost per call changed: serve +22004"], ["calls format", "instead of"])
    expect("first", difference("first"), ["work +2400"], ["instead of", "report -"])
    expect("fell", difference("fell"), ["Cost per call changed: evaluate -146400; parse +49000."], ["instead of"])
    expect("inlined", difference("inlined"),
           ["mix was inlined into first, second, third (its source lines are there), together -275058."])
    for name, leaf in (("pthread", "worker (76.83%): blur 76.47%"), ("std", "worker(int, unsigned long&) (")):
        for files in ([f"{name}.out.gz"], [f"{name}-parts-0{i}.out.gz" for i in range(1, 5)]):
            expect(files[0], summary(*(HERE / "profiles" / file for file in files)),
                   ["Threads cost ", leaf, "main costs "], ["compile it with -g"])
    expect("coroutine", summary(TESTS / "profiles" / "pyprof2calltree" / "cprofile.callgrind"),
           ["Spent in built-in functions 62.58%."], ["main costs"])


def main():
    run = Command(sys.argv[1])
    failures = []
    numbers = check_profiles(run, failures), check_comparisons(run, failures)
    check_known(run, failures)
    for failure in failures:
        print(failure)
    print(f"{numbers[0]} sentences about profiles, {numbers[1]} about comparisons, {len(failures)} wrong")
    return bool(failures) or min(numbers) < 50


if __name__ == "__main__":
    sys.exit(main())
