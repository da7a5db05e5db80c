#!/usr/bin/env python3
"""The conformance suite itself: callcost passes it, every rule has a file, and every file notices a reader that breaks its rule.

    run.py EXECUTABLE
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SUITE = ROOT / "conformance"
sys.path[:0] = [str(SUITE), str(HERE)]
import reader  # noqa: E402
import suite  # noqa: E402

# What callcost's adapter does not show, and why.
NOT_SHOWN = {
    "rules/F66-order": "no report has the order of records; the library's parse() does",
    "rules/F88-type": "about desktops and servers: tests/file_type.py",
}
# What reader.py does not show without breaking a rule: it writes no profiles.
NO_WRITER = {"rules/W16-order", "rules/W17-round-trip", "rules/W19-self-cost"}
BAD_READERS = {
    "crashes": "import os; os.abort()",
    "exits with 1": "import sys; sys.exit(1)",
    "prints no JSON": "print('{')",
    "prints another JSON": "print('{\"functions\": [1]}')",
    "prints costs that are no numbers": "print('{\"totals\": {\"Ir\": {}}}')",
    "takes all memory": "print(len(b'x' * 2**40))",
    "never ends": "import time; time.sleep(60)",
    "leaves a process behind": "import subprocess, time; subprocess.Popen(['sleep', '60']); time.sleep(60)",
    "prints for ever": "while True: print('x' * 2**20)",
}


def rules_of_documents():
    text = "".join((ROOT / f"docs/{name}.md").read_text("utf-8") for name in ("format", "writing"))
    return {rule.upper() for rule in re.findall(r'<a id="([fcw]\d+)">', text)}


def faults_of_coverage(entries):
    covered = {rule for entry in entries if entry.name.startswith("rules/") for rule in entry.rules}
    documented = rules_of_documents()
    if len(documented) < 100:
        yield f"docs/format.md: only {len(documented)} rules found"
    yield from (f"{rule}: no file in conformance/rules" for rule in sorted(documented - covered))
    yield from (f"{rule}: in no document" for rule in sorted({rule for entry in entries for rule in entry.rules} - documented))


def faults_of_profiles(entries):
    csv.field_size_limit(sys.maxsize)
    named = {entry.name for entry in entries}
    for folder in ("", "hostile/"):
        with (ROOT / "tests/profiles" / folder / "MANIFEST.tsv").open(encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
                if folder + row["path"] not in named and not row["path"].startswith("generate.py"):
                    yield f"conformance/expected.json: {folder}{row['path']} is missing; tests/conformance/make_expected.py writes it"


def faults_of_files(entries):
    wanted = {entry.path.name for entry in entries} | {f"{entry.name[6:]}.json" for entry in entries if entry.name.startswith("rules/")}
    wanted |= {name for entry in entries for name in entry.expect.get("written", {}).values()} | {"F87-only-the-named.out.1"}
    yield from (f"conformance/rules/{path.name}: belongs to nothing" for path in (SUITE / "rules").iterdir() if path.name not in wanted)


def verdict(entry, broken):
    with tempfile.TemporaryDirectory() as folder:
        try:
            shown = reader.answer(entry.unpacked(folder), broken)
        except Exception as error:  # a broken reader may stumble
            return suite.judge(entry, suite.Answer({}, failure=repr(error)))
    return suite.judge(entry, suite.Answer(shown, refusal=shown.get("refused")))


def faults_of_sharpness(entries):
    """The files are right about reader.py as it is, and notice each rule that it breaks."""
    entries = [entry for entry in entries if entry.name.startswith("rules/")]
    for entry in entries:
        whole = verdict(entry, ())
        if whole.word != ("not shown" if entry.name in NO_WRITER else "passed"):
            yield f"{entry.name}: {whole.word} by reader.py: {whole.faults}"
    for rule in sorted(rules_of_documents()):
        if not any(verdict(entry, {rule}).word == "failed" for entry in entries if rule in entry.rules):
            yield f"{rule}: no file notices reader.py --break {rule}"


def run(*words, **environment):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, env=os.environ | environment, timeout=300)


def faults_of_runner():
    """Whatever a reader does is a failure of that file only."""
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        def score(name):
            return name, run(SUITE / "run", "--only", "F45", "--timeout", "2", "--memory", "500", "--", sys.executable, "-c", BAD_READERS[name], "{file}")
        for name, done in pool.map(score, BAD_READERS):
            if done.returncode != 1 or "score: 0 of 1 files" not in done.stdout or done.stderr:
                yield f"a reader that {name}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
    done = run(SUITE / "run", "--only", "F40", "--", sys.executable, HERE / "reader.py", "--break", "F40", "{file}")
    if done.returncode != 1 or not re.search(r"^F40 +[1-9] +[1-9] +0$", done.stdout, re.M):
        yield f"reader.py --break F40: exit status {done.returncode}\n{done.stdout}{done.stderr}"


def faults_of_callcost(command, executable):
    done = run(command, "--json", "callcost", CALLCOST=executable)
    for name, file in json.loads(done.stdout)["files"].items():
        wanted = "not shown" if name in NOT_SHOWN else "passed"
        if file["verdict"] != wanted:
            yield f"callcost: {name}: {file['verdict']}: {'; '.join(file['faults'])}"
    if done.returncode:
        yield f"conformance/run callcost: exit status {done.returncode}"


def faults_of_archive(folder, executable):
    """Two archives are equal, and what is in one is enough."""
    archives = [folder / name for name in ("a.tar.gz", "b.tar.gz")]
    for archive in archives:
        done = run(SUITE / "make-archive", archive)
        if done.returncode:
            yield f"make-archive: {done.stdout}{done.stderr}"
            return
    if archives[0].read_bytes() != archives[1].read_bytes():
        yield "make-archive: two archives differ"
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder)
    top = next(path for path in folder.iterdir() if path.is_dir())
    yield from faults_of_callcost(top / "run", executable)


def faults_of_writer_check(executable):
    profile = ROOT / "conformance/rules/C22-portable.out"
    good = run(SUITE / "check-writer", "--reader", "callcost", "--", "cp", profile, "{file}", CALLCOST=executable)
    if good.returncode or "callcost" not in good.stdout:
        yield f"check-writer: exit status {good.returncode}\n{good.stdout}{good.stderr}"
    bad = run(SUITE / "check-writer", "--reader", "callcost", "--", "cat", SUITE / "rules/C1-totals.out", CALLCOST=executable)
    if bad.returncode != 1 or "C1" not in bad.stdout:
        yield f"check-writer of a bad writer: exit status {bad.returncode}\n{bad.stdout}{bad.stderr}"


def main():
    executable = str(pathlib.Path(sys.argv[1]).resolve())
    entries = list(suite.entries())
    faults = [*faults_of_coverage(entries), *faults_of_profiles(entries), *faults_of_files(entries), *faults_of_sharpness(entries), *faults_of_runner()]
    with tempfile.TemporaryDirectory() as name:
        faults += faults_of_archive(pathlib.Path(name), executable)
    faults += faults_of_writer_check(executable)
    for fault in faults:
        print(fault)
    print(f"{len(entries)} files, {len(rules_of_documents())} rules, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
