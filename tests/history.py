#!/usr/bin/env python3
"""`callcost history` over a series of 60 versions of one program: what changed is found, exactly; entries are files for
every command; a store survives what happens to it.

usage: history.py EXECUTABLE [clickhouse]: in SQLite, or in a ClickHouse server that it starts. Without one it is skipped (status 77),
or fails if CALLCOST_NEED_CLICKHOUSE is set.
"""

import contextlib
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import clickhouse

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSIONS = 60
FUNCTIONS = 300
# By version: function and the factor of its cost from then on.
REGRESSIONS = {7: ("parse", 1.05), 21: ("hash", 1.5), 22: ("hash", 1 / 1.5), 40: ("emit", 1.02), 59: ("parse", 1.2)}
program = os.path.abspath(sys.argv[1])
server = None  # of ClickHouse
failures = []


def where(store):
    """The address of the store that SQLite has in this file."""
    return server.address(store.removesuffix(".db")) if server else store


def check(holds, what):
    if not holds:
        failures.append(what)


def run(*words, status=0, store="h.db", environment=None, **options):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "CALLCOST_STORE": where(store), "TZ": "UTC", **(environment or {})}, **options)
    check(done.returncode == status, f"{words}: exit status {done.returncode}, not {status}: {done.stderr[-500:]}")
    return done


def answer(*words):
    return json.loads(run(*words, "--json").stdout)


def commit(version):
    return f"{version:08x}" + "0" * 32


def version_costs(version):
    """Of main, parse, hash, emit and many others that are always the same."""
    costs = {"main": 1000.0, "parse": 50_000.0, "hash": 30_000.0, "emit": 20_000.0}
    for when, (name, factor) in REGRESSIONS.items():
        if when <= version:
            costs[name] *= factor
    costs |= {f"other{i}": 100.0 + i for i in range(FUNCTIONS)}
    return {name: round(cost) for name, cost in costs.items()}


def write_profile(path, costs, events="Ir"):
    lines = ["version: 1", "creator: callgrind-3.19.0", "cmd: ./bench -x", f"events: {events}", "fl=bench.c"]
    for line, (name, cost) in enumerate(costs.items()):
        if name != "main":
            lines += [f"fn={name}", f"{line} {cost}"]
    lines += ["fn=main", f"1 {costs['main']}"]
    for line, (name, cost) in enumerate(costs.items()):
        if name != "main":
            lines += [f"cfn={name}", "calls=1 1", f"{line} {cost}"]
    lines.append(f"totals: {sum(costs.values())}")
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def add_versions():
    order = list(range(VERSIONS))
    random.Random(1).shuffle(order)  # commits may be measured in any order
    for version in order:
        write_profile(f"{version}.out", version_costs(version))
        run("history", "add", "--commit", commit(version), "--branch", "main", "--machine", "m", "--time", f"@{1_700_000_000 + version * 3600}",
            f"{version}.out")
    several = run("history", "add", "--commit", commit(0), "--branch", "main", "--machine", "m", "--time", "@1700000000", "0.out", "0.out", environment={"CI": "false"})
    check("\x1b" not in several.stderr and "2 there already" in several.stderr, f"what is no terminal gets no status line: {several.stderr!r}")


def finds_what_changed():
    shown = answer("history", "show", "bench")
    check([entry["commit"] for entry in shown["entries"]] == [commit(v) for v in range(VERSIONS)], "entries are not in order")
    totals = [sum(version_costs(v).values()) for v in range(VERSIONS)]
    check(shown["totals"] == totals, "totals differ")
    found = {int(change["commit"][:8], 16): change for change in shown["changes"]}
    check(sorted(found) == sorted(REGRESSIONS), f"changed at {sorted(found)}")
    for version, change in found.items():
        check([f["function"] for f in change["functions"]] == [REGRESSIONS[version][0]], f"wrong reason at {version}: {change['functions']}")
        check((change["before"], change["after"]) == (totals[version - 1], totals[version]), f"wrong costs at {version}")
    text = run("history", "show", "bench").stdout
    check("+5.87%" in text and "parse" in text, "no words about the newest change:\n" + text)

    blamed = answer("history", "blame", "bench", "--limit", "5")["series"][0]
    last = {row["function"]: [int(c["commit"][:8], 16) for c in row["changes"]] for row in blamed["rows"]}
    check(last == {"parse": [7, 59], "hash": [21, 22], "emit": [40], "main": [], "other299": []}, f"blamed {last}")
    check(blamed["omitted"] == FUNCTIONS - 1, "blame omits others")

    rows = answer("history", "functions", "hash")["series"][0]["rows"]
    check(rows[0]["costs"] == [version_costs(v)["hash"] for v in range(VERSIONS)], "costs of hash differ")
    rows = answer("history", "functions", "/^main$/", "--inclusive")["series"][0]["rows"]
    check(rows[0]["costs"] == totals, "inclusive costs of main differ")
    summed = answer("history", "sum", "bench@branch:main")
    check(summed["total"] == sum(totals) and summed["entries"] == VERSIONS, "sum differs")
    check(summed["rows"][0]["function"] == "parse" and
          summed["rows"][0]["self"] == sum(version_costs(v)["parse"] for v in range(VERSIONS)), "sum of parse differs")
    lines = run("history", "functions", "hash", "--csv").stdout.splitlines()
    check(len(lines) == VERSIONS + 1 and lines[0] == "series,function,file,object,commit,time,event,cost", "CSV of functions")
    chosen = answer("history", "list", "bench", "--since", "@1700000000", "--until", "@1700007200")["rows"]
    check(len(chosen) == 2, "--since and --until")


def says_it_in_words():
    """The text of each answer, as wide as it is, against a file; UPDATE=1 writes the files."""
    for name, words in {"list": ["list", "bench", "--limit", "3"], "series": ["list"], "show": ["show", "bench"], "function": ["functions", "hash"],
                        "functions": ["functions", "/^(hash|emit|main)$/"], "blame": ["blame", "--limit", "4"], "sum": ["sum", "--limit", "3"]}.items():
        path, text = ROOT / f"tests/history/{name}.txt", run("history", *words).stdout
        if os.environ.get("UPDATE"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        check(text == path.read_text(), f"history {' '.join(words)} is not as in {path.name}:\n{text}")


def entries_are_files():
    for version in (0, 21, VERSIONS - 1):
        name = f"history:bench@{commit(version)[:8]}"
        run("history", "export", f"bench@{commit(version)[:8]}", "-o", "exported")
        check(pathlib.Path("exported").read_bytes() == pathlib.Path(f"{version}.out").read_bytes(), f"{version} is not what was added")
        kept, file = answer("top", name), answer("top", f"{version}.out")
        check((kept["total"], kept["rows"]) == (file["total"], file["rows"]), f"top of {name} differs")
    for words in (["info"], ["annotate"], ["lines"], ["tree"], ["info", "--events"], ["info", "--parts"], ["check"], ["peek", "hash"]):
        run(*words, "history:bench")
    run("convert", "history:bench@-2", "-o", "out.json")
    run("merge", "history:bench@-1", "history:bench@-2", "-o", "merged.out")
    verdict = run("diff", "history:bench@-2", "history:bench@branch:main", "--fail-if", "Ir > +5%", status=3)
    check("parse" in verdict.stdout, "diff of entries")
    for name, message in {"history:bench@-61": "has no such entry; it has 60", "history:bnech": "did you mean 'bench'?", "history:bench@branch:x": "has no such entry",
                          "history:@1": "names no entry"}.items():
        check(message in run("top", name, status=1).stderr, f"{name}: no word of '{message}'")


def same_entries_are_one():
    again = ["history", "add", "--commit", commit(5), "--branch", "main", "--machine", "m", "--time", "@1700018000"]
    check("there already" in run(*again, "5.out").stderr, "an entry twice")
    check("is not added" in run(*again, "7.out").stderr, "another profile of a commit")
    check("replaced" in run(*again, "7.out", "--replace").stderr, "--replace")
    check("replaced" in run(*again, "5.out", "--replace").stderr, "--replace back")
    check("added" in run(*again, "7.out", "--tag", "run=2").stderr, "--tag")
    check(len(answer("history", "list", "bench")["rows"]) == VERSIONS + 1, "number of entries")
    run("history", "prune", "bench@tag:run=2")
    finds_what_changed()


def branches_and_removal():
    write_profile("topic.out", {name: cost * 2 for name, cost in version_costs(3).items()})
    run("history", "add", "--commit", "f" * 40, "--branch", "topic", "--machine", "m", "--time", "@1700010801", "topic.out")
    finds_what_changed()
    check(len(answer("history", "show", "bench", "--all-branches")["entries"]) == VERSIONS + 1, "--all-branches")
    run("history", "prune", "bench@branch:topic")
    check("1 entry to remove" in run("history", "prune", "bench@-3", "--dry-run").stderr, "one entry by its place")
    check("--keep 0" in run("history", "prune", "bench", status=2).stderr, "a whole series by mistake")
    check("10 entries to remove" in run("history", "prune", "bench", "--until", "@1700036000", "--dry-run").stderr, "--dry-run")
    run("history", "prune", "bench", "--until", "@1700036000")
    entries = answer("history", "list", "bench")["rows"]
    check([e["commit"] for e in entries] == [commit(v) for v in range(10, VERSIONS)], "pruned others")
    rows = answer("history", "functions", "hash")["series"][0]["rows"]
    check(rows[0]["costs"] == [version_costs(v)["hash"] for v in range(10, VERSIONS)], "costs after pruning")
    run("history", "export", "bench@-3", "-o", "exported")
    check(pathlib.Path("exported").read_bytes() == pathlib.Path(f"{VERSIONS - 3}.out").read_bytes(), "an exported file after pruning")


def versions_in_directories_of_their_own():
    """Four versions of Lua, built in lua-5.4.x/: their functions are one each; the names of any version find them."""
    for month, version in enumerate(("5.4.0", "5.4.3", "5.4.6", "5.4.8"), 1):
        run("history", "add", "--series", "lua", "--time", f"2020-0{month}-01", "--tag", f"version={version}", ROOT / f"tests/history/lua/lua-{version}.out.gz",
            store="lua.db")
    rows = json.loads(run("history", "functions", "/^(lua_pushstring|internshrstr|luaV_execute|mainposition.isra.0)$/", "lua", "--json", store="lua.db").stdout)["series"][0]["rows"]
    found = {row["function"]: row for row in rows}
    check(len(rows) == 4 and len(found) == 4, f"versions: {[(row['function'], row['file']) for row in rows]}")
    for name in ("lua_pushstring", "internshrstr", "luaV_execute"):
        check(None not in found[name]["costs"] and "/lua-5.4.8/" in found[name]["file"], f"versions: {found[name]}")
    gone = found["mainposition.isra.0"]["costs"]
    check(gone[0] is not None and gone[3] is None, f"versions: {gone}")
    old = json.loads(run("history", "functions", "file:lua-5.4.0/lvm.c", "lua", "--json", store="lua.db").stdout)["series"][0]["rows"]
    check(any(row["function"] == "luaV_execute" and None not in row["costs"] for row in old), f"versions: {old}")
    text = run("history", "show", "lua", "--threshold", "0.01%", store="lua.db").stdout
    check("internshrstr" not in text and "lua-5.4.0" not in text, f"versions: {text}")
    difference = json.loads(run("diff", "--json", "history:lua@tag:version=5.4.0", "history:lua", store="lua.db").stdout)
    own = [row for row in difference["functions"] if row["file"] and "/lua-5.4." in row["file"]]
    check(len(own) > 30 and not [row for row in own if row["match"] == "path"], f"versions: {[row for row in own if row['match'] == 'path']}")


def names_compiled_code():
    """What a runtime compiled is elsewhere in each run: entries have the names of its map."""
    for day, (address, cost) in enumerate((("5000", 70), ("6000", 90)), 1):
        pathlib.Path("jit.out").write_text(f"version: 1\ncmd: node n.js\npositions: instr line\nevents: Ir\nob=???\nfl=???\nfn=0x{address}\n0x{address} 0 {cost}\n")
        pathlib.Path("jit.perf-map").write_text(f"{address} 10 JS:*fib n.js:1\n")
        added = run("history", "add", "--series", "jit", "--time", f"2020-01-0{day}", "--perf-map", "jit.perf-map", "jit.out", store="jit.db")
        check("1 of 1 functions outside of programs and libraries are named by jit.perf-map" in added.stderr, f"names: {added.stderr}")
    rows = json.loads(run("history", "functions", "fib", "jit", "--json", store="jit.db").stdout)["series"][0]["rows"]
    check([(row["function"], row["costs"]) for row in rows] == [("JS:*fib n.js:1", [70, 90])], f"names: {rows}")
    top = json.loads(run("top", "--json", "history:jit", store="jit.db").stdout)["rows"]
    check([row["function"] for row in top] == ["JS:*fib n.js:1"], f"names of the profile: {top}")


def keeps_apart_what_is_not_comparable():
    """Costs in other units, and programs whose names are not known."""
    imports = ROOT / "tests" / "imports"
    nanoseconds, microseconds = imports / "python311.pstats", imports / "node.cpuprofile"
    run("history", "add", str(nanoseconds), "--series", "app", "--commit", "a1", store="units.db")
    refused = run("history", "add", str(microseconds), "--series", "app", "--commit", "a2", status=1, store="units.db").stderr
    check("node.cpuprofile is not added: Time is in ns in series 'app' and in us in this profile" in refused, f"other units: {refused}")
    check("--series names another series" in refused, "what to do about other units")
    run("history", "add", str(microseconds), "--series", "page", "--commit", "a2", store="units.db")
    shown = json.loads(run("history", "show", "app", "--json", store="units.db").stdout)
    check(shown["event"] == "Time", f"the first event type, not {shown['event']}")
    write_profile("unknown.out", version_costs(0))
    profile = pathlib.Path("unknown.out")
    profile.write_text(profile.read_text().replace("cmd: ./bench -x", "cmd: unknown"))
    refused = run("history", "add", "unknown.out", "--commit", "a3", status=1, store="units.db").stderr
    check("unknown.out does not say which program it is of" in refused and "--series gives the name" in refused, f"an unknown program: {refused}")
    run("history", "add", "unknown.out", "--commit", "a3", "--series", "bench", store="units.db")


def asks_in_sql():
    """The queries of docs/history.md."""
    blocks = [part.split("```")[0] for part in (ROOT / "docs/history.md").read_text("utf-8").split("```sql\n")[1:]]
    blocks = [block.replace("'parse'", "'bench'").replace("callcost.", "h.") for block in blocks]
    if server:
        lines = [server.query(block.rstrip().rstrip(";")).splitlines() for block in blocks[3:]]
        total, function, spent = ([(name, int(cost)) for name, cost in (line.split("\t") for line in rows)] for rows in lines)
    else:
        with sqlite3.connect("h.db") as database:
            total, function, spent = (database.execute(block).fetchall() for block in blocks[:3])
    check([row[1] for row in total] == [sum(version_costs(v).values()) for v in range(10, VERSIONS)], "SQL: totals")
    check([row[1] for row in function] == [version_costs(v)["hash"] for v in range(10, VERSIONS)], "SQL: a function")
    check(spent[0] == ("parse", sum(version_costs(v)["parse"] for v in range(10, VERSIONS))), f"SQL: {spent[:1]}")


def knows_git_and_ci():
    git = lambda *words: subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True, text=True, cwd="repository").stdout.strip()
    pathlib.Path("repository/below").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "work", "repository"], check=True)
    pathlib.Path("repository/a.c").write_text("1\n")
    pathlib.Path("repository/bench.c").write_text("line as it was measured\n" * 310)
    git("add", "a.c", "bench.c")
    git("commit", "-qm", "one")
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB", "CI", "CALLCOST"))}

    def add(*words, **environment):
        done = subprocess.run([program, "history", "add", *words, "../../5.out"], capture_output=True, text=True, cwd="repository/below", env={**bare, **environment})
        check(done.returncode == 0, f"add in a repository: {done.stderr}")
        newest = json.loads(subprocess.run([program, "history", "list", "bench", "--json"], capture_output=True, text=True, cwd="repository").stdout)
        return newest["rows"]

    check(pathlib.Path("repository/.callcost").exists() is False, "a store too early")
    rows = add("--machine", "a")
    check(pathlib.Path("repository/.callcost/history.db").exists(), "the store is not at the top of the repository")
    check(rows[0]["commit"] == git("rev-parse", "HEAD") and rows[0]["branch"] == "work" and not rows[0]["modified"], f"of git: {rows}")
    pathlib.Path("repository/a.c").write_text("2\n")
    pathlib.Path("repository/bench.c").write_text("\nline as it is now\n" * 200)
    rows = add("--machine", "b")
    check([row["modified"] for row in rows] == [False, True], f"a modified tree: {rows}")
    for name, text in ((git("rev-parse", "HEAD"), "as it was measured"), (git("rev-parse", "HEAD")[:9], "as it was measured"), ("-1", "as it is now")):
        for words in (("annotate", f"history:bench@{name}"), ("annotate", f"history:bench@{name}", "bench.c")):
            shown = subprocess.run([program, *words], capture_output=True, text=True, cwd="repository", env=bare)
            check(text in shown.stdout and shown.stdout.count("line as it") == shown.stdout.count(text), f"{words}: {shown.stdout[-600:]}{shown.stderr}")
    compared = subprocess.run([program, "diff", f"history:bench@{git('rev-parse', 'HEAD')}", "history:bench@-1"], capture_output=True, text=True, cwd="repository", env=bare)
    check("@id:" in compared.stdout and git("rev-parse", "--short=12", "HEAD") in compared.stdout, f"a comparison names its commits: {compared.stdout}")
    rows = add(GITHUB_ACTIONS="true", GITHUB_SHA="e" * 40, GITHUB_REF_NAME="12/merge", GITHUB_HEAD_REF="fix", RUNNER_OS="Linux", RUNNER_ARCH="X64")
    there = [row for row in rows if row["commit"] == "e" * 40]
    check(there and there[0]["branch"] == "fix" and there[0]["machine"] == "github-Linux-X64", f"of GitHub: {rows}")
    rows = add(GITLAB_CI="true", CI_COMMIT_SHA="d" * 40, CI_COMMIT_REF_NAME="topic", CI_RUNNER_DESCRIPTION="big")
    there = [row for row in rows if row["commit"] == "d" * 40]
    check(there and there[0]["branch"] == "topic" and there[0]["machine"] == "big", f"of GitLab: {rows}")
    git("commit", "-qam", "faster, and \x1b[31mred")
    subprocess.run([program, "history", "add", "--machine", "a", "../6.out", "-q"], check=True, cwd="repository", env=bare)
    ask = lambda *words: subprocess.run([program, "history", *words], capture_output=True, text=True, cwd="repository", env=bare).stdout
    subjects = [row["subject"] for row in json.loads(ask("list", "bench", "--json"))["rows"]]
    check(sorted(subjects, key=str) == [None, None, "faster, and \x1b[31mred", "one", "one"], f"subjects of commits: {subjects}")
    text = ask("list", "bench") + ask("functions", "parse", "--all-branches")
    check(text.count("faster, and") == 1 and "\x1b" not in text and "  one\n" in text, f"subjects in a table: {text}")


def survives():
    """Eight writers at once, killed at random: what was confirmed is there, and nothing is there by half."""
    confirmed, waiting, rng = set(), [], random.Random(3)
    for number in range(160):
        costs = version_costs(number % VERSIONS) | {"main": 1000 + number}
        write_profile(f"w{number}.out", costs)
    numbers = list(range(160))
    while numbers or waiting:
        while numbers and len(waiting) < 8:
            number = numbers.pop()
            waiting.append((number, time.monotonic() + rng.choice([0.01, 0.05, 0.1, 0.2, 60, 60] if server else [0.002, 0.01, 0.03, 60]), subprocess.Popen(
                [program, "history", "add", "-q", "--commit", commit(number), "--machine", "m", "--time", f"@{number}", "--store", where("w.db"), f"w{number}.out"])))
        for item in list(waiting):
            number, deadline, process = item
            if process.poll() is not None:
                waiting.remove(item)
                check(process.returncode in (0, -signal.SIGKILL), f"writer: {process.returncode}")
                if process.returncode == 0:
                    confirmed.add(number)
            elif time.monotonic() > deadline:
                process.kill()
        time.sleep(0.001)
    while server and server.query("SELECT count() FROM system.processes").strip() != "1":
        time.sleep(0.01)  # it goes on with what killed writers have sent as a whole
    listed = json.loads(run("history", "list", "bench", "--json", store="w.db").stdout)["rows"]
    there = {int(row["commit"][:8], 16) for row in listed}
    check(len(confirmed) > 20, f"only {len(confirmed)} writers came to an end")
    check(len(confirmed) < 160, "no writer was killed")
    check(confirmed <= there, f"lost: {sorted(confirmed - there)}")
    for row in listed:
        number = int(row["commit"][:8], 16)
        check(row["totals"] == {"Ir": sum((version_costs(number % VERSIONS) | {"main": 1000 + number}).values())}, f"totals of {number}")
        run("history", "export", f"bench@{row['commit']}", "-o", "exported", store="w.db")
        check(pathlib.Path("exported").read_bytes() == pathlib.Path(f"w{number}.out").read_bytes(), f"profile of {number}")
    main = json.loads(run("history", "functions", "/^main$/", "--json", store="w.db").stdout)["series"][0]
    check(main["rows"][0]["costs"] == [1000 + int(row["commit"][:8], 16) for row in listed], "costs after the writers")


def begins_at_once():
    """Eight processes that all find no store."""
    for attempt in range(4 if server else 20):
        writers = [subprocess.Popen([program, "history", "add", "-q", "--commit", commit(n), "--machine", "m", "--store", where(f"new{attempt}.db"), f"w{n}.out"],
                                    stderr=subprocess.PIPE) for n in range(8)]
        for writer in writers:
            check(writer.wait() == 0, f"one of the first writers: {writer.stderr.read()}")
        rows = json.loads(run("history", "list", "bench", "--json", store=f"new{attempt}.db").stdout)["rows"]
        check(len(rows) == 8, f"{len(rows)} of 8 entries of the first writers")


def prunes_beside_a_writer():
    """Another process removes what a writer has packed against; then what it stores must not depend on that."""
    files = []
    for number in range(60):
        files.append(f"p{number}.out")
        write_profile(files[-1], version_costs(number) | {f"only{number}": 5})
        os.utime(files[-1], (number, number))
    writer = subprocess.Popen([program, "history", "add", "-q", "--machine", "m", "--commit", "", "--store", where("p.db"), *files], env={**os.environ, "GIT_DIR": "/nowhere"})
    while writer.poll() is None:
        subprocess.run([program, "history", "prune", "-q", "bench", "--keep", "2", "--store", where("p.db")], stderr=subprocess.DEVNULL)
    check(writer.returncode == 0, "the writer")
    rows = json.loads(run("history", "list", "bench", "--json", store="p.db").stdout)["rows"]
    check(rows, "nothing is left")
    for number, row in enumerate(rows):
        run("history", "export", f"bench@-{len(rows) - number}", "-o", "exported", store="p.db")
        version = int(row["time"][17:19])  # of the first minute of 1970
        check(pathlib.Path("exported").read_bytes() == pathlib.Path(f"p{version}.out").read_bytes(), f"profile {version} beside pruning")
        costs = json.loads(run("history", "functions", f"/^only{version}$/", "--json", store="p.db").stdout)["series"][0]["rows"][0]["costs"]
        check(costs == [5 if n == number else None for n in range(len(rows))], f"costs of {version} beside pruning: {costs}")


def damage_is_said():
    pathlib.Path("other.db").write_text("no database " * 50)
    check("is not a history" in run("history", "list", store="other.db", status=1).stderr, "no database")
    check("is not a history" in run("history", "add", "5.out", store="other.db", status=1).stderr, "adding to no database")
    check("there is no history" in run("history", "list", store="none.db", status=1).stderr, "no store")
    with sqlite3.connect("newer.db") as database:
        database.execute("CREATE TABLE t(a)")
        database.execute("PRAGMA user_version = 99")
        database.execute(f"PRAGMA application_id = {0x63634869}")
    check("newer callcost" in run("history", "list", store="newer.db", status=1).stderr, "a newer store")
    damaged = bytearray(pathlib.Path("h.db").read_bytes())
    for at in range(8192, len(damaged), 97):
        damaged[at] ^= 0x55
    pathlib.Path("damaged.db").write_bytes(damaged)
    for words in (["history", "list"], ["history", "show", "bench"], ["history", "blame", "bench"], ["top", "history:bench"]):
        done = subprocess.run([program, *words, "--store", "damaged.db"], capture_output=True, text=True, timeout=60)
        check(done.returncode in (0, 1), f"{words} of a damaged store: {done.returncode} {done.stderr}")


def says_what_is_wrong():
    check("there is no history" in run("history", "list", store="none.db", status=1).stderr, "no store")
    for address in ("mysql://me:secret@host/x", "clickhouse://me:secret@127.0.0.1:1/x", "clickhouses://me:sec@secret/@127.0.0.1/x", "clickhouse://:secret@127.0.0.1"):
        message = run("history", "list", "--store", address, status=1).stderr
        check("secret" not in message and ("no kind of store" in message or "it holds a password" in message), message)
    for words in (["list", "a", "b"], ["export", "bench"], ["functions"], ["prune"], ["add", "--time", "noon", "5.out"], ["add", "--tag", "x", "5.out"], ["list", "--since", "x"]):
        run("history", *words, status=2)
    check("cannot name a series" in run("history", "add", "--series", "a@b", "5.out", status=1).stderr, "a series with @")
    pathlib.Path("cut.out").write_text("creator: callgrind-3.19.0\nevents: Ir\nfn=main\n1 5\n2")
    check("--force" in run("history", "add", "--series", "cut", "cut.out", status=1).stderr, "a truncated profile")


def reads_what_it_may_not_write():
    """A store in a directory that belongs to somebody else, maybe of a strange name."""
    folder = pathlib.Path("read only?#%")
    folder.mkdir()
    store = folder / "h.db"
    store.write_bytes(pathlib.Path("h.db").read_bytes())
    store.chmod(0o444)
    folder.chmod(0o555)
    os.chmod(".", 0o755)
    drop = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    for words in (["history", "list", "bench", "--json"], ["top", "history:bench", "--json"]):
        done = subprocess.run([program, *words, "--store", store], capture_output=True, text=True, timeout=60, **drop)
        check(done.returncode == 0 and done.stdout, f"{words} of a store that may not be written: {done.stderr}")
    done = subprocess.run([program, "history", "add", "--store", store, "7.out"], capture_output=True, text=True, timeout=60, **drop)
    check(done.returncode == 1 and "h.db" in done.stderr, f"adding to it: {done.stderr}")
    folder.chmod(0o755)


def full_disk():
    """A store that may not grow says so, and keeps what it has."""
    limit = os.path.getsize("h.db") + 20_000
    write_profile("large.out", {"main": 1} | {f"new{i}_{random.random()}": i for i in range(20_000)})
    done = subprocess.run(["sh", "-c", f"ulimit -f {limit // 512}; trap '' XFSZ; exec \"$0\" history add --store h.db large.out", program], capture_output=True, text=True, timeout=60)
    check(done.returncode == 1 and "callcost: error: h.db" in done.stderr, f"a full disk: {done.returncode} {done.stderr}")
    check(len(answer("history", "list", "bench")["rows"]) == VERSIONS - 10, "entries after a full disk")


HOSTILE = ["it's", 'a "b"', "back\\slash\\'; DROP TABLE entries; --", "tab\tin", "{x:String}", "%s%n", "${PATH}", "f(std::vector<int>, char const*)", "\u00fcber \u6f22\u5b57", "`x`",
           b"\xff\xfe not UTF-8 \x80".decode("utf-8", "surrogateescape"), b"nul\0inside".decode(), "\x7f\x1b[31m", "/* */ -- #", "' OR 1=1", "x" * 5000]


def names_are_data():
    """Names of any bytes come back as they are, and none has become SQL."""
    costs = {"main": 5} | {name: 100 + i for i, name in enumerate(HOSTILE)}
    lines = ["version: 1", "creator: callgrind-3.19.0", "cmd: ./it's -x", "events: Ir", "ob=o'b\\", "fl=d'ir/\"f\".c"]
    for name, cost in costs.items():
        lines += [f"fn={name}", f"1 {cost}"]
    lines.append(f"totals: {sum(costs.values())}")
    pathlib.Path("hostile.out").write_bytes("\n".join([*lines, ""]).encode("utf-8", "surrogateescape"))
    branch, tags, commits = "br'an\\ch\n\"", ["k'=v'\\", "a\nb=c\td"], ["c'1", "c\\2"]
    stores = ["hostile.db", *([pathlib.Path("twin.db").resolve()] if server else [])]  # the twin in SQLite
    texts = []
    for store in stores:
        text = b""
        address = where(store) if store == "hostile.db" else str(store)
        call = lambda *words: subprocess.run([program, *words, "--store", address], capture_output=True, timeout=60, env={**os.environ, "TZ": "UTC"})
        for series in HOSTILE:
            if "@" in series or any(ord(c) < 32 or ord(c) == 127 for c in series):
                continue
            for commit_id in commits:
                done = call("history", "add", "hostile.out", "--series", series, "--commit", commit_id, "--branch", branch, "--tag", tags[0], "--tag", tags[1], "--machine", "m'", "--time", "@5")
                check(done.returncode == 0, f"adding to {series[:40]!r}: {done.stderr[-300:]}")
            done = call("history", "export", series + "@-1", "-o", "-")
            check(done.stdout == pathlib.Path("hostile.out").read_bytes(), f"export of {series[:40]!r}")
            for words in (["list", series, "--json"], ["blame", series, "--csv", "--limit", "0", "--all-branches"], ["show", series, "--json", "--all-branches"]):
                done = call("history", *words)
                check(done.returncode == 0, f"{words[0]} {series[:40]!r}: {done.stderr[-300:]}")
                text += done.stdout
        text += call("history", "list", "--json").stdout
        texts.append(re.sub(rb'"added":"[^"]*"', b"", text))
        entry = json.loads(call("history", "list", HOSTILE[0], "--branch", branch, "--json").stdout)["rows"][0]
        check((entry["branch"], entry["tags"], entry["machine"]) == (branch, dict(tag.split("=", 1) for tag in tags), "m'"), f"facts: {entry}")
        rows = json.loads(call("history", "blame", HOSTILE[0], "--json", "--limit", "0", "--branch", branch).stdout)["series"][0]["rows"]
        there = {row["function"]: row["costs"][-1] for row in rows}
        for name, cost in costs.items():
            if "\udcff" not in name:
                check(there.get(name) == cost, f"function {name[:40]!r}: {there.get(name)}")
        check(all((row["file"], row["object"]) == ("d'ir/\"f\".c", "o'b\\") for row in rows), "files and objects")
    different = [pair for pair in zip(*(text.splitlines() for text in texts)) if len(set(pair)) > 1]
    check(len(set(texts)) == 1, f"both stores do not say the same of hostile names: {different[:3]}")
    if server:
        log = (server.folder / "log.txt").read_text("utf-8", "replace")
        check("history" not in log and "DROP TABLE entries" not in log, "a name has come into a query")


def server_goes_away():
    files = []
    for number in range(40):
        files.append(f"a{number}.out")
        write_profile(files[-1], version_costs(number) | {"main": 7000 + number})
        os.utime(files[-1], (number, number))
    for entries in (10, 25):
        words = [program, "history", "add", "--machine", "m", "--commit", "", "--store", where("away.db"), *files]
        writer = subprocess.Popen(words, stderr=subprocess.PIPE, env={**os.environ, "GIT_DIR": "/nowhere"}, text=True)
        while writer.poll() is None:
            with contextlib.suppress(OSError):  # there is no such table yet
                if int(server.query("SELECT count() FROM away.entries")) >= entries:
                    break
        server.kill()
        said = writer.communicate(timeout=60)[1]
        check(writer.returncode == 1 and f"127.0.0.1:{server.port}: " in said and "see that the server runs" in said, f"a killed server: {writer.returncode} {said[-500:]}")
        server.start()
    run("history", "add", "-q", "--machine", "m", "--commit", "", *files, store="away.db", environment={"GIT_DIR": "/nowhere"})
    rows = json.loads(run("history", "list", "bench", "--json", store="away.db").stdout)["rows"]
    check([row["totals"]["Ir"] for row in rows] == [sum((version_costs(n) | {"main": 7000 + n}).values()) for n in range(40)], "entries after killed servers")
    main = json.loads(run("history", "functions", "/^main$/", "--json", store="away.db").stdout)["series"][0]
    check(main["rows"][0]["costs"] == [7000 + n for n in range(40)], "costs after killed servers")
    for number in range(40):
        run("history", "export", f"bench@-{40 - number}", "-o", "exported", store="away.db")
        check(pathlib.Path("exported").read_bytes() == pathlib.Path(files[number]).read_bytes(), f"profile {number} after killed servers")

    server.signal(signal.SIGSTOP)
    reader = subprocess.Popen([program, "history", "show", "bench", "--store", where("away.db")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    server.kill()
    out, said = reader.communicate(timeout=60)
    check(reader.returncode == 1 and out == "" and "see that the server runs" in said, f"show of a killed server: {reader.returncode} {said}")
    done = run("history", "list", store="away.db", status=1)
    check("onnect" in done.stderr and "see that the server runs" in done.stderr, f"no server: {done.stderr}")
    server.start()


def one_of_two_wins():
    """The same commit at the same time from several processes, of the same profile and of others."""
    for attempt in range(6):
        writers = [subprocess.Popen([program, "history", "add", "--commit", commit(attempt), "--machine", "m", "--store", where("same.db"), f"a{number}.out"],
                                    stderr=subprocess.PIPE, text=True) for number in (1, 1, 2, 3)]
        said = [writer.communicate()[1] for writer in writers]
        check(all(writer.returncode == 0 for writer in writers), f"writers of one entry: {said}")
        check(any("added: " in text for text in said), f"nobody has added it: {said}")
    rows = json.loads(run("history", "list", "bench", "--json", store="same.db").stdout)["rows"]
    check(len({row["commit"] for row in rows}) == len(rows) == 6, f"{len(rows)} entries of 6 commits")


def prune_deletes():
    """What is pruned, and what writers left that were killed long ago; not what one may be writing now."""
    hours_ago = lambda hours: int((time.time() - hours * 3600) * 1000 - 1_577_836_800_000) << 22
    for entry in (hours_ago(0.5), hours_ago(2)):
        server.query(f"INSERT INTO away.profiles VALUES ({entry}, 'left')")
        server.query(f"INSERT INTO away.costs VALUES (1, 2, 3, {entry}, 4, 5, 6)")
    run("history", "prune", "bench", "--keep", "2", store="away.db")
    check(len(json.loads(run("history", "list", "bench", "--json", store="away.db").stdout)["rows"]) == 2, "pruned entries are listed")
    # What the killed servers left unfinished is there, too, as it is younger than an hour.
    left = lambda: (server.query(f"SELECT count() FROM away.profiles WHERE id IN (SELECT id FROM away.live_entries) OR id < {hours_ago(0.4)}").strip(),
                    server.query(f"SELECT uniqExact(entry) FROM away.costs WHERE entry IN (SELECT id FROM away.live_entries) OR entry < {hours_ago(0.4)}").strip(),
                    server.query("SELECT count() FROM away.entries WHERE removed = 0").strip())
    deadline = time.monotonic() + 30
    while left() != ("3", "3", "2") and time.monotonic() < deadline:
        time.sleep(0.1)
    check(left() == ("3", "3", "2"), f"profiles, entries with costs, and entries after pruning: {left()}")


def refuses_strangers():
    wrong = run("history", "list", status=1, environment={"CALLCOST_STORE_PASSWORD": "another secret"}).stderr
    check("CALLCOST_STORE_PASSWORD" in wrong and "secret" not in wrong, f"a wrong password: {wrong}")
    pathlib.Path("password").write_text(clickhouse.PASSWORD + "\n")
    bare = {name: value for name, value in os.environ.items() if name != "CALLCOST_STORE_PASSWORD"}
    call = lambda file: subprocess.run([program, "history", "list", "--store", where("h.db")], capture_output=True, text=True, env={**bare, "CALLCOST_STORE_PASSWORD_FILE": file})
    check(call("password").returncode == 0, "a password in a file")
    check(call("nowhere").returncode == 1 and "nowhere" in call("nowhere").stderr, "no file with a password")
    server.query("CREATE TABLE h.another (a UInt8) ENGINE = Memory")
    server.query("INSERT INTO h.callcost_schema VALUES (99)")
    for words in (["list"], ["add", "5.out"]):
        check("newer callcost" in run("history", *words, status=1).stderr, "a newer store")
    for database in ("a-b", "a`b", "a b", "a;b", "../a"):
        check("database" in run("history", "list", "--store", where(database), status=1).stderr, f"database {database}")


def keeps_the_password():
    """To itself: not among processes, in a log, or in a message of what the tests above did."""
    process = subprocess.Popen([program, "history", "add", "--commit", "x", "--store", where("p.db"), *[f"a{n}.out" for n in range(40)]], stderr=subprocess.PIPE, text=True)
    time.sleep(0.1)
    listed = subprocess.run(["ps", "-ww", "-eo", "args"], capture_output=True, text=True).stdout
    check(process.communicate()[1].find(clickhouse.PASSWORD) < 0 and clickhouse.PASSWORD not in listed, "the password is seen")
    check(all(clickhouse.PASSWORD not in (server.folder / name).read_text("utf-8", "replace") for name in ("log.txt", "errors.txt")), "the password is in the server's log")


BOTH = (add_versions, finds_what_changed, says_it_in_words, entries_are_files, same_entries_are_one, branches_and_removal, versions_in_directories_of_their_own, names_compiled_code, keeps_apart_what_is_not_comparable, asks_in_sql, names_are_data, survives,
        begins_at_once, prunes_beside_a_writer, says_what_is_wrong)
SQLITE = (knows_git_and_ci, damage_is_said, reads_what_it_may_not_write, full_disk)
CLICKHOUSE = (server_goes_away, prune_deletes, one_of_two_wins, keeps_the_password, refuses_strangers)


def main():
    global server
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        if "clickhouse" in sys.argv[2:]:
            if not clickhouse.Server.is_installed():
                print("clickhouse-server is not installed")
                return 1 if os.environ.get("CALLCOST_NEED_CLICKHOUSE") else 77
            server = stack.enter_context(clickhouse.Server(f"{folder}/server"))
            os.environ["CALLCOST_STORE_PASSWORD"] = clickhouse.PASSWORD
        os.chdir(folder)
        for step in BOTH + (CLICKHOUSE if server else SQLITE):
            before, begin = len(failures), time.monotonic()
            try:
                step()
            except (LookupError, OSError, ValueError) as problem:  # follows from what failed before
                failures.append(f"{step.__name__}: {problem}")
            print(f"{step.__name__}: {'failed' if len(failures) > before else 'passed'} ({time.monotonic() - begin:.1f} s)", flush=True)
        os.chdir("/")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
