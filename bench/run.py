#!/usr/bin/env python3
"""Measures callcost against its speed and memory targets, and against the programs it replaces.

    python3 bench/run.py --build build/release            minutes; most of them to record a real profile, once
    python3 bench/run.py --build build/release --quick    less than a minute; the ratios are rougher
    python3 bench/run.py --build build/release --million  10 minutes more, for the row of a million functions

All figures are ratios of medians of interleaved runs on this machine, now; absolute times mean little.
DIR of --build has callcost, generate_profile and count_events, at the top or in bench/. Inputs are kept in
DIR/bench-inputs. Memory is what the kernel says (ru_maxrss); never less than this script's own, some 15 MB.
"""

import argparse
import collections
import dataclasses
import gzip
import json
import os
import pathlib
import platform
import random
import shutil
import statistics
import subprocess
import sys
import time
import zlib

import worst

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Target:
    key: str
    figure: str
    sign: str
    limit: float
    unit: str

    def met(self, value):
        return value <= self.limit if self.sign == "<=" else value >= self.limit


TARGETS = (
    Target("events.cpu", "event API with a counting handler, CPU", "<=", 7, "x wc -l"),
    Target("top.cpu", "top, 1 thread, CPU", "<=", 9, "x wc -l"),
    Target("top.memory", "top, 1 thread, memory", "<=", 0.3, "x file size"),
    Target("line.cpu", "top, source lines only, 1 thread, CPU", "<=", 15, "x wc -l"),
    Target("line.memory", "top, source lines only, 1 thread, memory", "<=", 0.7, "x file size"),
    Target("cache.cpu", "top, 13 event types, 1 thread, CPU", "<=", 17, "x wc -l"),
    Target("cache.memory", "top, 13 event types, 1 thread, memory", "<=", 0.3, "x file size"),
    Target("info.cpu", "full model (info), 1 thread, CPU", "<=", 13, "x wc -l"),
    Target("info.memory", "full model (info), 1 thread, memory", "<=", 0.55, "x file size"),
    Target("annotate.cpu", "full model (annotate), 1 thread, CPU", "<=", 13, "x wc -l"),
    Target("annotate.memory", "full model (annotate), 1 thread, memory", "<=", 0.55, "x file size"),
    Target("top.wall2", "top, 2 threads, wall", "<=", 5, "x wc -l"),
    Target("info.wall2", "full model (info), 2 threads, wall", "<=", 6.5, "x wc -l"),
    Target("annotate.wall2", "full model (annotate), 2 threads, wall", "<=", 6.5, "x wc -l"),
    Target("check.cpu", "check, 1 thread, CPU", "<=", 3, "x info"),
    Target("diff.cpu", "diff with itself, 1 thread, CPU", "<=", 6, "x info"),
    Target("merge.cpu", "merge with itself, 1 thread, CPU", "<=", 6, "x info"),
    Target("convert.cpu", "convert to pprof, 1 thread, CPU", "<=", 25, "x info"),
    Target("real.cpu", "top on a real file, 1 thread, CPU", "<=", 9, "x wc -l"),
    Target("callgrind_annotate.top", "callgrind_annotate on a real file against top, CPU", ">=", 220, "x callcost"),
    Target("callgrind_annotate.cpu", "callgrind_annotate on a real file against annotate, CPU", ">=", 120, "x callcost"),
    Target("kcachegrind.cpu", "KCachegrind's loader, CPU", ">=", 16, "x callcost"),
    Target("kcachegrind.memory", "KCachegrind's loader, memory", ">=", 8, "x callcost"),
    Target("analysis.10k", "analyses after reading, 10,000 functions", "<=", 5, "% of reading"),
    Target("analysis.1m", "analyses after reading, 1,000,000 functions", "<=", 15, "% of reading"),
    Target("linear.wide", "80,000 callees against 40,000, CPU", "<=", 2.2, "x"),
    Target("linear.deep", "600,000-deep chain against 300,000, CPU", "<=", 2.2, "x"),
    Target("linear.parts", "10,000 parts against 5,000, CPU", "<=", 2.2, "x"),
    Target("linear.events", "200,000 events against 100,000, CPU", "<=", 2.2, "x"),
    Target("small.5M", "whole command, 5 MB file, wall", "<=", 25, "ms more than true"),
    Target("small.200K", "whole command, 200 KB file, wall", "<=", 10, "ms more than true"),
    Target("tree.small", "cost on its true path, tree of a small program", ">=", 90, "%"),
    Target("tree.real", "cost on its true path, tree of callcost itself", ">=", 90, "%"),
    Target("tree.wrong.0", "cost on wrong paths, average of ten programs, --callers 0", "<=", 11, "%"),
    Target("tree.worst.0", "cost on wrong paths, the worst of them", "<=", 40, "%"),
    Target("tree.wrong.3", "cost on wrong paths, --callers 3", "<=", 5, "%"),
    Target("tree.wrong.5", "cost on wrong paths, --callers 5", "<=", 5, "%"),
    Target("tree.certain.3", "cost on paths that are certain, --callers 3", ">=", 70, "%"),
    Target("tree.time.3", "record --callers 3, CPU", "<=", 1.3, "x that of --callers 0"),
    *(Target(f"worst.{case.name}", case.what + ", memory", "<=", 100, "% of the limit") for case in worst.CASES),
    *(Target(f"worst.seconds.{case.name}", case.what + ", CPU", "<=", case.seconds, "s") for case in worst.CASES),
    Target("gz.wall2", ".gz input, 2 threads, wall", "<=", 1.15, "x inflate alone"),
    Target("page.size", "page without data, with its engine, .gz", "<=", 400, "kB"),
    Target("page.view", "view, 50 MB profile, to the first rows", "<=", 1000, "ms"),
    Target("page.report", "report of a 5 MB profile, to the first rows", "<=", 1000, "ms"),
    Target("page.slowest", "slowest of sort, find, filter, select, zoom", "<=", 100, "ms"),
    Target("page.opening", "slowest view to open for the first time", "<=", 400, "ms"),
    Target("page.scrolling", "scrolling a list of 50,000 functions", ">=", 55, "frames/s"),
    Target("page.memory", "memory of the page, 100 MB profile", "<=", 1, "GB"),
)

# Entries of the library, as a profile of the command names them. A line is summed, so none may call another.
READING = ("callcost::ProfileReader::add(", "callcost::ProfileReader::finish(")
ANALYSIS = ("callcost::call_graph(", "callcost::functions(", "callcost::analysis_diagnostics(")

SMALLEST_FOR_MEMORY = 90_000_000  # with less, fixed parts and this script's own memory hide what matters

LINEAR_SIZES = {"wide": 40_000, "deep": 300_000, "parts": 5_000, "events": 100_000}


TREE_PROGRAMS = {
    "sed": ["-n", "-e", "s/ab*c/X/g", "-e", "/de.*f/p", "-e", "y/abc/xyz/", "-e", "N;P;D", "{text}"],
    "mawk": ["{{for (i = 1; i <= NF; i++) c[$i]++; gsub(/de/, \"x\"); n += length($0)}} END {{for (k in c) t += c[k]; print t, n}}", "{text}"],
    "grep": ["-nE", "(ab|cd)+e.*f?g", "{text}"],
    "sort": ["-k2,2", "-k3r", "{text}"],
    "sqlite3": [
        ":memory:",
        "create table t(a int, b text); create index i on t(b); with recursive n(x) as (select 1 union all select x + 1 from n where x < 400) "
        "insert into t select x, 'w' || (x * 7919 % 83) from n; select b, count(*) from t group by b order by 2 desc; "
        "select t1.b, t2.a from t t1 join t t2 on t1.b = t2.b where t1.a < 50 order by t2.a; delete from t where a % 3 = 0;",
    ],
    "perl": [
        "-ne",
        "for my $w (split) {{ $h{{$w}}++ }} s/ab+/X/g; push @l, $_ if /c.d/; END {{ print join(' ', sort {{ $h{{$b}} <=> $h{{$a}} }} keys %h), scalar(@l) }}",
        "{text}",
    ],
    "jq": ["-nR", "[inputs | split(\" \") | {{a: length, b: .[0]}}] | group_by(.b) | map({{k: .[0].b, n: length}}) | sort_by(.n) | length", "{text}"],
    "lua5.4": [
        "-e",
        "local t = {{}} for i = 1, 2000 do t[i] = tostring(i * 7919 % 1000) end table.sort(t, function(a, b) return a < b end) "
        "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end print(fib(16)) "
        "local n = 0 for w in table.concat(t, ' '):gmatch('%d+') do n = n + #w:gsub('1', 'x') end print(n)",
    ],
}


CALLERS = (0, 3, 5)  # that functions are kept apart by; 3 is the default of `record`


class NotMeasured(Exception):
    """Why a figure is missing."""


@dataclasses.dataclass
class Run:
    cpu: float
    wall: float
    memory: int  # bytes


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(command):
    """Runs a command with its output thrown away."""
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], [str(part) for part in command], os.environ, file_actions=null)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        words = " ".join(str(part) for part in command)
        raise NotMeasured(f"failed with status {os.waitstatus_to_exitcode(status)}: {words}")
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024)


def medians(commands, rounds):
    """The median of each figure of each command. They take turns, so that a slow moment hits all of them."""
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(command() if callable(command) else run(command))

    def median(name, field):
        return statistics.median(getattr(one, field) for one in runs[name])

    return {name: Run(median(name, "cpu"), median(name, "wall"), median(name, "memory")) for name in commands}


class Bench:
    def __init__(self, arguments):
        self.build = pathlib.Path(arguments.build).resolve()
        self.size = arguments.size or ("20M" if arguments.quick else "100M")
        self.quick = arguments.quick
        self.million = arguments.million
        self.rounds = 3 if arguments.quick else 9
        self.inputs = self.build / "bench-inputs"
        self.callcost = self.program("callcost")
        self.inputs.mkdir(exist_ok=True)
        self.values = {}  # of Target.key
        self.reasons = {}  # why a value is missing
        self.details = {}  # absolute figures, for --json

    def program(self, name):
        for path in (self.build / name, self.build / "bench" / name):
            if os.access(path, os.X_OK) and path.is_file():
                return path
        raise NotMeasured(f"no {name} in {self.build}")

    def measure_all(self):
        steps = (
            (self.measure_reading, ("events.", "top.", "info.", "annotate.")),
            (self.measure_kinds, ("line.", "cache.")),
            (self.measure_commands, ("check.", "diff.", "merge.", "convert.")),
            (self.measure_real_file, ("real.", "callgrind_annotate.")),
            (self.measure_kcachegrind, ("kcachegrind.",)),
            (self.measure_analyses_10k, ("analysis.10k",)),
            (self.measure_analyses_1m, ("analysis.1m",)),
            (self.measure_linearity, ("linear.",)),
            (self.measure_small_files, ("small.",)),
            (self.measure_tree_small, ("tree.small",)),
            (self.measure_tree_real, ("tree.real",)),
            (self.measure_tree_programs, ("tree.wrong.", "tree.worst.", "tree.certain.", "tree.time.")),
            (self.measure_worst, ("worst.",)),
            (self.measure_gzip, ("gz.",)),
            (self.measure_page, ("page.",)),
        )
        for step, prefixes in steps:
            try:
                step()
            except NotMeasured as reason:
                for target in TARGETS:
                    if target.key.startswith(prefixes) and target.key not in self.values:
                        self.reasons.setdefault(target.key, str(reason))

    # ---- inputs

    def generated(self, size, kind="instr"):
        """A generated profile; made again when the generator is newer."""
        generator = self.program("generate_profile")
        path = self.inputs / f"{kind}-{size}.out"
        if not path.exists() or path.stat().st_mtime < generator.stat().st_mtime:
            say(f"generating {path.name}")
            part = path.with_suffix(".part")
            with open(part, "wb") as out:
                command = [generator, str(size), f"--kind={kind}"]
                subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True)
            part.rename(path)
        run(["cat", path])  # into the page cache
        return path

    def recorded(self):
        """A profile of g++'s compiler at work on templates.cpp."""
        source = HERE / "templates.cpp"
        path = self.inputs / "cc1plus.out"
        if path.exists() and path.stat().st_mtime >= source.stat().st_mtime:
            return path
        if self.quick:
            raise NotMeasured("not recorded yet; run without --quick")
        if not shutil.which("valgrind"):
            raise NotMeasured("valgrind is not installed")
        if not shutil.which("g++"):
            raise NotMeasured("g++ is not installed")
        asked = ["g++", "-print-prog-name=cc1plus"]
        cc1plus = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        preprocessed, part = self.inputs / "templates.ii", self.inputs / "cc1plus.part"
        subprocess.run(["g++", "-std=c++20", "-E", source, "-o", preprocessed], check=True)
        say("recording cc1plus on bench/templates.cpp under valgrind, once: this takes 2 to 5 minutes")
        start = time.perf_counter()
        options = ["--dump-instr=yes", "--collect-jumps=yes", f"--callgrind-out-file={part}"]
        compiler = [cc1plus, "-quiet", "-O2", "-g", "-std=c++20", "-fpreprocessed", preprocessed]
        run(["valgrind", "--tool=callgrind", *options, *compiler, "-o", os.devnull])
        part.rename(path)
        self.details["recording_seconds"] = round(time.perf_counter() - start, 1)
        say(f"recorded {path.stat().st_size / 1e6:.1f} MB in {self.details['recording_seconds']} s")
        return path

    # ---- figures

    def measure_reading(self):
        path = self.generated(self.size)
        size = path.stat().st_size
        commands = {"wc": ["wc", "-l", path]}
        try:
            commands["events"] = [self.program("count_events"), path]
        except NotMeasured as reason:
            self.reasons["events.cpu"] = str(reason)
        for command in ("top", "info", "annotate"):
            for threads in (1, 2):
                commands[command, threads] = [self.callcost, command, path, "--threads", threads]
        say(f"reading {path.name}, {self.rounds} rounds")
        result = medians(commands, self.rounds)
        wc = result["wc"]
        if "events" in result:
            self.values["events.cpu"] = result["events"].cpu / wc.cpu
        for command in ("top", "info", "annotate"):
            self.values[command + ".cpu"] = result[command, 1].cpu / wc.cpu
            if size >= SMALLEST_FOR_MEMORY:
                self.values[command + ".memory"] = result[command, 1].memory / size
            else:
                self.reasons[command + ".memory"] = "needs --size 100M or more"
            self.values[command + ".wall2"] = result[command, 2].wall / wc.wall
        names = {name: name if isinstance(name, str) else f"{name[0]}, {name[1]} threads" for name in result}
        self.details["reading"] = {names[name]: dataclasses.asdict(one) for name, one in result.items()}
        self.details["file_size"] = size

    def measure_kinds(self):
        for kind in ("line", "cache"):
            path = self.generated(self.size, kind)
            say(f"reading {path.name}, {self.rounds} rounds")
            result = medians({"wc": ["wc", "-l", path], "top": [self.callcost, "top", path, "--threads", 1]}, self.rounds)
            self.values[f"{kind}.cpu"] = result["top"].cpu / result["wc"].cpu
            size = path.stat().st_size
            if size >= SMALLEST_FOR_MEMORY:
                self.values[f"{kind}.memory"] = result["top"].memory / size
            else:
                self.reasons[f"{kind}.memory"] = "needs --size 100M or more"
            self.details[kind] = {name: dataclasses.asdict(one) for name, one in result.items()}

    def measure_commands(self):
        """Those that do more than to read."""
        path = self.generated(self.size)
        out = ["--threads", 1, "-o", self.inputs / "written"]
        commands = {
            "info": [self.callcost, "info", path, "--threads", 1],
            "check": [self.callcost, "check", path, "--threads", 1],
            "diff": [self.callcost, "diff", path, path, "--threads", 1],
            "merge": [self.callcost, "merge", path, path, *out],
            "convert": [self.callcost, "convert", "--to", "pprof", path, *out],
        }
        say(f"check, diff, merge and convert with {path.name}")
        result = medians(commands, 3)
        (self.inputs / "written").unlink()
        for command in ("check", "diff", "merge", "convert"):
            self.values[command + ".cpu"] = result[command].cpu / result["info"].cpu
        self.details["commands"] = {name: dataclasses.asdict(one) for name, one in result.items()}

    def measure_real_file(self):
        path = self.recorded()
        if not shutil.which("callgrind_annotate"):
            raise NotMeasured("callgrind_annotate is not installed")
        say(f"callgrind_annotate on {path.name}, once")
        theirs = run(["callgrind_annotate", path])
        commands = {command: [self.callcost, command, path, "--threads", 1] for command in ("top", "annotate")}
        ours = medians({**commands, "wc": ["wc", "-l", path]}, self.rounds)
        self.values["real.cpu"] = ours["top"].cpu / ours["wc"].cpu
        self.values["callgrind_annotate.top"] = theirs.cpu / ours["top"].cpu
        self.values["callgrind_annotate.cpu"] = theirs.cpu / ours["annotate"].cpu
        self.details["real_file"] = {
            "size": path.stat().st_size,
            "callgrind_annotate": dataclasses.asdict(theirs),
            **{f"callcost {command}": dataclasses.asdict(ours[command]) for command in commands},
        }

    def measure_kcachegrind(self):
        # It has no command for loading alone; the known figures come from a program made around its loader.
        raise NotMeasured("not measured here")

    def measure_analyses_10k(self):
        self.values["analysis.10k"] = self.analysis_share("12M")

    def measure_analyses_1m(self):
        if not self.million:
            raise NotMeasured("only with --million")
        self.values["analysis.1m"] = self.analysis_share("1230M")

    def analysis_share(self, size):
        """Instructions of the analyses in percent of those of reading, counted by callcost on itself."""
        if not shutil.which("valgrind"):
            raise NotMeasured("valgrind is not installed")
        path, profile = self.generated(size), self.inputs / f"top-of-{size}.callgrind"
        say(f"callcost top under valgrind, on {path.name}")
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}"]
        run([*valgrind, self.callcost, "top", path, "--threads", 1])
        command = [self.callcost, "top", profile, "--json", "--limit", "0"]
        rows = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["rows"]

        def inclusive(prefixes):
            return sum(row["inclusive"]["Ir"] for row in rows if row["function"].startswith(prefixes))

        reading, analysis = inclusive(READING), inclusive(ANALYSIS)
        if reading == 0 or analysis == 0:
            raise NotMeasured("no such function in the profile: see READING and ANALYSIS in bench/run.py")
        self.details[f"analysis_{size}"] = {"reading": reading, "analysis": analysis}
        return 100 * analysis / reading

    def measure_linearity(self):
        commands = {}
        for kind, size in LINEAR_SIZES.items():
            for times in (1, 2):
                path = self.generated(size * times, kind)
                for command in ("top", "info"):
                    commands[kind, command, times] = [self.callcost, command, path, "--threads", 1]
        say("twice the input, twice the time?")
        result = medians(commands, max(5, self.rounds))
        for kind in LINEAR_SIZES:
            once, twice = ({c: result[kind, c, times].cpu for c in ("top", "info")} for times in (1, 2))
            self.values["linear." + kind] = max(twice[command] / once[command] for command in once)
            self.details["linear_" + kind] = {"once": once, "twice": twice}

    def measure_small_files(self):
        say("small files")
        commands = {size: [self.callcost, "top", self.generated(size)] for size in ("5M", "200K")}
        result = medians({"true": ["true"], **commands}, self.rounds * 3)
        for size in commands:
            self.values["small." + size] = 1000 * (result[size].wall - result["true"].wall)

    def measure_tree_small(self):
        """Of tests/profiles, which has the true costs of the paths of one program."""
        profiles = HERE.parent / "tests/profiles/callgrind"
        self.values["tree.small"] = self.share_on_true_paths(profiles / "paths.out", profiles / "paths-every-caller.out")

    def measure_tree_real(self):
        """Of callcost, recorded plainly and with every caller."""
        if not shutil.which("valgrind"):
            raise NotMeasured("valgrind is not installed")
        say("callcost top under valgrind, with and without its callers")
        plain, truth = self.inputs / "top.callgrind", self.inputs / "top-every-caller.callgrind"
        every_caller = ["--separate-callers=100", "--separate-recs=10"]
        for path, options in ((plain, []), (truth, every_caller)):
            valgrind = ["valgrind", "--tool=callgrind", *options, f"--callgrind-out-file={path}"]
            run([*valgrind, self.callcost, "top", HERE.parent / "tests/profiles/callgrind/default.out", "--threads", 1])
        self.values["tree.real"] = self.share_on_true_paths(plain, truth)

    def measure_tree_programs(self):
        """Of programs of several kinds, with as many callers as `record` may keep functions apart by."""
        programs = {name: [name, *arguments] for name, arguments in TREE_PROGRAMS.items()}
        compiler = subprocess.run(["gcc", "-print-prog-name=cc1"], capture_output=True, text=True, check=True).stdout.strip()
        programs["cc1"] = [compiler, "-quiet", "-O1", "-o", "/dev/null", "{source}"]
        programs["callcost"] = [str(self.callcost), "top", "{profile}", "--threads", "1"]
        for program, command in {"valgrind": ["valgrind"], **programs}.items():
            if not shutil.which(command[0]):
                raise NotMeasured(f"{program} is not installed")
        chance = random.Random(1)
        words = ["".join(chance.choices("abcdefgh", k=chance.randint(2, 7))) for _ in range(300)]
        places = {
            "text": self.inputs / "words.txt",
            "source": self.inputs / "functions.c",
            "profile": HERE.parent / "tests/profiles/callgrind/python-instr-jumps.out",
        }
        places["text"].write_text("".join(" ".join(chance.choices(words, k=8)) + "\n" for _ in range(3000)))
        one = "int f{0}(int n, const int *v) {{ int s = {0}; for (int i = 0; i < n; ++i) s += v[i] % {1} ? v[i] >> 1 : f{2}(i / 2, v); return s; }}\n"
        places["source"].write_text("int f0(int n, const int *v) { return n + *v; }\n" + "".join(one.format(n, n % 7 + 2, n * 5 // 9) for n in range(1, 40)))
        figures = {callers: collections.defaultdict(dict) for callers in CALLERS}
        for program, command in programs.items():
            words = [word.format(**places) for word in command]
            truth = self.inputs / f"{program}.every-caller"
            say(f"{program} under valgrind, with {', '.join(map(str, CALLERS))} and all callers")
            run(["valgrind", "--tool=callgrind", "--separate-callers=100", "--separate-recs=10", f"--callgrind-out-file={truth}", *words])
            files = {callers: self.inputs / f"{program}.{callers}" for callers in CALLERS}
            record = {
                callers: [self.callcost, "record", "--quiet", "--callers", callers, "-o", path, *words]
                for callers, path in files.items()
            }
            times = medians(record, 3)
            for callers, path in files.items():
                figures[callers]["wrong"][program] = 100 - self.share_on_true_paths(path, truth)
                figures[callers]["certain"][program] = self.certain_share(path)
                figures[callers]["time"][program] = times[callers].cpu / times[0].cpu
                figures[callers]["size"][program] = path.stat().st_size
        self.details["tree_programs"] = figures
        for callers, of_programs in figures.items():
            for figure, values in of_programs.items():
                self.values[f"tree.{figure}.{callers}"] = sum(values.values()) / len(values)
        self.values["tree.worst.0"] = max(figures[0]["wrong"].values())

    def certain_share(self, profile):
        """How much of the cost is on call paths that are certain, in percent."""
        command = [self.callcost, "tree", "--json", "--limit", "1", "--quiet", profile]
        tree = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        return 100 * tree["certain"] / tree["inclusive"]

    def share_on_true_paths(self, plain, truth):
        """How much of the self cost the tree of `plain` puts on the path where it is in `truth`, in percent."""
        numbers = {}  # a path is a number: that of (the path above it, kind and name of its last frame)
        estimated, true = (self.self_costs_by_path(path, numbers) for path in (plain, truth))
        right = sum(min(cost, estimated.get(path, 0)) for path, cost in true.items())
        self.details[f"tree_{plain.stem}"] = {"paths": len(true), "right": right, "total": sum(true.values())}
        return 100 * right / sum(true.values())

    def self_costs_by_path(self, profile, numbers):
        command = [self.callcost, "tree", "--json", "--limit", "100000", "--quiet", profile]
        frames = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["frames"]
        paths, costs = [], {}
        for frame in frames:
            above = None if frame["parent"] is None else paths[frame["parent"]]
            path = numbers.setdefault((above, frame["kind"], frame["function"]), len(numbers))
            paths.append(path)
            costs[path] = costs.get(path, 0) + frame["self"]["estimate"]
        return costs

    def measure_worst(self):
        say("profiles with very many of one thing")
        # By a process of its own: this one has grown, and a program's memory is never less than that of the process that starts it.
        command = [sys.executable, worst.__file__, self.callcost, "--json"]
        taken = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        for case in worst.CASES:
            one = taken[case.name]
            self.values[f"worst.{case.name}"] = 100 * one["memory"] / case.limit(one["file"], 1)
            self.values[f"worst.seconds.{case.name}"] = one["seconds"]
        self.details["worst"] = taken

    def measure_gzip(self):
        plain = self.generated(self.size)
        packed = plain.with_suffix(".gz")
        if not packed.exists() or packed.stat().st_mtime < plain.stat().st_mtime:
            say(f"packing {plain.name}")
            with open(plain, "rb") as source, gzip.open(packed, "wb", compresslevel=6) as out:
                shutil.copyfileobj(source, out, 1 << 20)
        say(f"reading {packed.name}")
        commands = {
            "callcost": [self.callcost, "top", packed, "--threads", 2],
            "zlib": lambda: inflate(packed),
            "gzip": ["gzip", "-dc", packed],
        }
        result = medians(commands, max(3, self.rounds // 2))
        self.values["gz.wall2"] = result["callcost"].wall / min(result["zlib"].wall, result["gzip"].wall)
        self.details["gz"] = {name: dataclasses.asdict(one) for name, one in result.items()}

    def measure_page(self):
        """In Chromium, by page.mjs. Sizes in the names are of files; 62 MB have 50,000 functions."""
        page = HERE.parent / "web/dist/page.html"
        if not page.exists():
            raise NotMeasured("there is no web/dist/page.html; ./dev page makes it")
        self.values["page.size"] = len(gzip.compress(page.read_bytes(), 9)) / 1000
        profiles = [self.generated(size) for size in ("50M", "5M", "100M", "62M")]
        say("the page in Chromium")
        measured = subprocess.run(["node", HERE / "page.mjs", self.callcost, page, *profiles], stdout=subprocess.PIPE)
        if measured.returncode != 0:
            raise NotMeasured("bench/page.mjs failed; see above")
        figures = json.loads(measured.stdout)
        self.details["page"] = figures
        self.values["page.view"] = figures["view"]
        self.values["page.report"] = figures["report"]
        for what, time_taken in figures["interactions"].items():
            say(f"  {what}: {time_taken:.0f} ms")
        opening = {name for name in figures["interactions"] if name.startswith("opens ")}
        self.values["page.slowest"] = max(figures["interactions"][name] for name in figures["interactions"].keys() - opening)
        self.values["page.opening"] = max(figures["interactions"][name] for name in opening)
        self.values["page.scrolling"] = figures["scrolling"]
        self.values["page.memory"] = figures["memory"] / 1e9

    # ---- report

    def verdict(self, target):
        if target.key in self.values:
            return "ok" if target.met(self.values[target.key]) else "MISSED"
        return self.reasons.get(target.key, "not measured")

    def print_table(self):
        print(f"{self.size} generated file, {self.rounds} rounds, {os.cpu_count()} CPUs")
        print(f"\n{'figure':46} {'measured':>9}  target")
        for target in TARGETS:
            value = f"{self.values[target.key]:.2f}" if target.key in self.values else "-"
            limit = f"{target.sign} {target.limit:g} {target.unit}"
            print(f"{target.figure:46} {value:>9}  {limit:26} {self.verdict(target)}")
        missed = [target.figure for target in TARGETS if self.verdict(target) == "MISSED"]
        unmeasured = len(TARGETS) - len(self.values)
        print(f"\n{len(self.values)} figures measured, {unmeasured} not; ", end="")
        print(f"{len(missed)} missed:" if missed else "every measured target is met")
        for figure in missed:
            print(f"  {figure}")

    def write_json(self, path):
        figures = [
            {**dataclasses.asdict(one), "value": self.values.get(one.key), "verdict": self.verdict(one)}
            for one in TARGETS
        ]
        document = {
            "schema": "callcost.bench/1",
            "size": self.size,
            "rounds": self.rounds,
            "cpus": os.cpu_count(),
            "machine": platform.machine(),
            "figures": figures,
            "details": self.details,
        }
        pathlib.Path(path).write_text(json.dumps(document, indent=2) + "\n")


def inflate(path):
    """zlib alone, in this process: blocks of 1 MiB, thrown away."""
    start, cpu = time.perf_counter(), time.process_time()
    decoder = zlib.decompressobj(31)
    with open(path, "rb") as source:
        while block := source.read(1 << 16):
            while block:
                decoder.decompress(block, 1 << 20)
                block = decoder.unconsumed_tail
    return Run(time.process_time() - cpu, time.perf_counter() - start, 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", required=True, metavar="DIR", help="release build with the programs")
    parser.add_argument("--size", metavar="SIZE", help="of the large generated file (100M; with --quick 20M)")
    parser.add_argument("--quick", action="store_true", help="smaller file, fewer rounds, no recording")
    parser.add_argument("--million", action="store_true", help="profile callcost on a million functions")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    try:
        arguments = parser.parse_args()
        bench = Bench(arguments)
        bench.measure_all()
    except NotMeasured as reason:
        sys.exit(f"bench/run.py: {reason}")
    bench.print_table()
    if arguments.json:
        bench.write_json(arguments.json)


if __name__ == "__main__":
    main()
