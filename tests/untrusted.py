#!/usr/bin/env python3
"""A repository or a store that somebody else has made can do nothing. What its configuration, hooks, attributes and remotes
name is run by no command, and nothing that a store has beside it touches another file, takes the memory, or never ends.

usage: untrusted.py EXECUTABLE
"""

import contextlib
import os
import pathlib
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

PROFILE = "creator: callgrind-3.22.0\ncmd: ./work\nevents: Ir\nfl=a.c\nfn=main\n1 {0}\n\ntotals: {0}\n"
GIT = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]

failures = []


def expect(what, condition, shown=""):
    if not condition:
        failures.append(f"{what}: {shown}")


class Repository:
    """Whatever it can name is a program that leaves a file in `marks`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.marks = self.folder / "marks"
        self.marks.mkdir()
        self.tree = self.folder / "tree"
        self.tree.mkdir()
        self.git("init", "-q", "-b", "main")
        (self.tree / "a.c").write_text("int main() { return 0; }\n")
        (self.tree / "profile").write_text(PROFILE.format(7))
        (self.tree / "after").write_text(PROFILE.format(9))
        self.git("add", ".")
        self.git("commit", "-qm", "first")
        self.commit = self.git("rev-parse", "HEAD")
        signed = self.git("cat-file", "commit", "HEAD").replace("\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n", 1)
        self.signed = self.git("hash-object", "-t", "commit", "-w", "--stdin", text=signed + "\n")
        self.git("update-ref", "refs/heads/main", self.signed)

    def git(self, *words, text=None, where=None):
        return subprocess.run([*GIT, *words], cwd=where or self.tree, input=text, capture_output=True, text=True, check=True).stdout.strip()

    def program(self, name):
        """One that says that it was run."""
        path = self.folder / f"run-{name}"
        passes_on = "exec cat" if name.startswith("clean") else "exit 0"
        path.write_text(f"#!/bin/sh\ntouch '{self.marks}/{name}'\n{passes_on}\n")
        path.chmod(0o755)
        return str(path)

    def make_hostile(self, git_directory):
        """Its configuration and hooks."""
        hooks = git_directory / "hooks"
        hooks.mkdir(exist_ok=True)
        for hook in ("fsmonitor-watchman", "post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc", "post-rewrite"):
            (hooks / hook).unlink(missing_ok=True)
            (hooks / hook).symlink_to(self.program(f"hook-{hook}"))
        settings = {
            "core.fsmonitor": self.program("fsmonitor"),
            "core.hooksPath": str(hooks),
            "core.pager": self.program("pager"),
            "pager.log": "true",
            "core.editor": self.program("editor"),
            "core.askPass": self.program("askpass"),
            "core.sshCommand": self.program("ssh"),
            "core.gitProxy": self.program("proxy"),
            "core.alternateRefsCommand": self.program("alternate-refs"),
            "credential.helper": self.program("credentials"),
            "gpg.program": self.program("gpg"),
            "gpg.ssh.program": self.program("gpg-ssh"),
            "log.showSignature": "true",
            "diff.external": self.program("external-diff"),
            "diff.d.command": self.program("diff-command"),
            "diff.d.textconv": self.program("textconv"),
            "filter.f.clean": self.program("clean"),
            "filter.f.smudge": self.program("smudge"),
            "filter.f=g.clean": self.program("clean-equals"),
            "filter.p.process": self.program("process"),
            "filter.p.required": "true",
            "alias.log": "!" + self.program("alias"),
            "extensions.partialClone": "origin",
            "remote.origin.promisor": "true",
            "remote.origin.url": f"ext::{self.program('remote')}",
            "remote.origin.uploadpack": self.program("uploadpack"),
            "protocol.allow": "always",
            "protocol.ext.allow": "always",
            "core.repositoryFormatVersion": "1",
        }
        for name, value in settings.items():
            self.git("config", "--file", str(git_directory / "config"), name, value)
        (git_directory / "info").mkdir(exist_ok=True)
        (git_directory / "info/attributes").write_text("*.c filter=f diff=d\nprofile filter=p\nafter filter=f=g\n")

    def forget_a_blob(self, git_directory):
        blob = self.git("rev-parse", f"{self.commit}:a.c", where=git_directory)
        (git_directory / "objects" / blob[:2] / blob[2:]).unlink()

    def make_racy(self):
        """Git reads what was changed in the second in which it wrote its index."""
        index = (self.tree / ".git/index").stat().st_mtime
        for name in ("a.c", "profile", "after"):
            os.utime(self.tree / name, (index, index))

    def was_run(self):
        names = sorted(path.name for path in self.marks.iterdir())
        for name in names:
            (self.marks / name).unlink()
        return names


def questions(program, store):
    """Whatever asks git, or starts something else."""
    yield from ([program, *words, "--store", store] for words in (
        ["history", "add", "profile"], ["history", "add", "after", "--replace"], ["history", "list"], ["history", "show", "work"],
        ["history", "functions", "work"], ["history", "blame", "work"], ["top", "history:work"], ["annotate", "history:work"],
        ["diff", "history:work", "after"], ["lines", "history:work"], ["convert", "history:work", "--to", "json", "-o", "-"],
    ))
    for words in (["top", "profile"], ["annotate", "profile"], ["diff", "profile", "after"], ["report", "profile", "-o", "../report.html"],
                  ["info", "profile"], ["check", "profile"], ["history", "list"], ["diff", "-o", "md=../diff.md", "profile", "after"]):
        yield [program, *words]


def ask_all(program, repository, where, what):
    store = str(repository.folder / f"{what}.db")
    for words in questions(program, store):
        if where == repository.tree:
            repository.make_racy()
        run = subprocess.run(words, cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        shown = " ".join(words[1:])
        expect(f"{what}: {shown} ends", run.returncode >= 0, run)
        started = repository.was_run()
        expect(f"{what}: {shown} runs nothing", not started, started)


def test_work_tree(program, folder):
    """Unpacked from an archive, with its .git."""
    repository = Repository(folder)
    repository.make_hostile(repository.tree / ".git")
    repository.make_racy()
    subprocess.run(["git", "diff-index", "--quiet", "HEAD", "--"], cwd=repository.tree, check=False)
    subprocess.run(["git", "log", "-1"], cwd=repository.tree, check=False, capture_output=True)
    started = set(repository.was_run())
    expect("git alone runs what the repository names", {"fsmonitor", "gpg"} <= started, started)
    ask_all(program, repository, repository.tree, "work tree")
    repository.forget_a_blob(repository.tree / ".git")
    subprocess.run(["git", "cat-file", "-p", f"{repository.commit}:a.c"], cwd=repository.tree, check=False, capture_output=True)
    expect("git alone fetches what is missing", repository.was_run(), "")
    ask_all(program, repository, repository.tree, "partial clone")


def test_old_git(program, folder):
    """Git before 2.26 does not say which configuration a filter is from."""
    repository = Repository(folder)
    repository.git("config", "filter.f.clean", repository.program("clean"))
    (repository.tree / ".git/info/attributes").write_text("* filter=f\n")
    old = repository.folder / "bin"
    old.mkdir()
    real = shutil.which("git")
    (old / "git").write_text(f'#!/bin/sh\ncase "$*" in *--show-scope*) echo "error: unknown option" >&2; exit 129;; esac\nexec {real} "$@"\n')
    (old / "git").chmod(0o755)
    repository.make_racy()
    subprocess.run([program, "history", "add", "profile", "--store", repository.folder / "s.db"], cwd=repository.tree, check=True, capture_output=True,
                   env={**os.environ, "PATH": f"{old}:{os.environ['PATH']}"})  # fmt: skip
    started = repository.was_run()
    expect("an old git runs nothing", not started, started)


def test_inside_of_git(program, folder):
    repository = Repository(folder)
    for where, commit in ((repository.tree / ".git", "HEAD"), (repository.tree, "HEAD")):
        run = subprocess.run([program, "history", "add", repository.tree / "profile", "--commit", commit, "--store", repository.folder / f"{where.name}.db"],
                             cwd=where, capture_output=True, text=True, timeout=60)  # fmt: skip
        if run.returncode == 0:
            with contextlib.closing(sqlite3.connect(repository.folder / f"{where.name}.db")) as database:
                stored = database.execute("SELECT commit_id FROM entries").fetchone()[0]
            expect(f"the commit in {where.name}", stored == repository.signed, stored)
        else:
            expect(f"{where.name}: refused with a reason", "bare repository" in run.stderr, run)


def test_bare_repository(program, folder):
    """In the tree of a clone."""
    repository = Repository(folder)
    bare = repository.tree / "docs"
    repository.git("clone", "-q", "--bare", str(repository.tree), str(bare))
    repository.make_hostile(bare)
    repository.git("config", "--file", str(bare / "config"), "core.bare", "false")
    repository.git("config", "--file", str(bare / "config"), "core.worktree", ".")
    for name in ("profile", "after", "a.c"):
        (bare / name).write_bytes((repository.tree / name).read_bytes())
    subprocess.run(["git", "-c", "safe.bareRepository=all", "status"], cwd=bare, check=False, capture_output=True)
    expect("git alone runs what the bare repository names", repository.was_run(), "")
    ask_all(program, repository, bare, "bare repository")


def journal_that_names(victim, page_size, pages):
    """A journal of a transaction over several databases, which is to be rolled back, and then the file with its participants deleted."""
    name = str(victim).encode()
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">5I", 0, 1, pages, 512, page_size)
    lock_page = 0x40000000 // page_size + 1
    return header.ljust(512, b"\0") + struct.pack(">I", lock_page) + name + struct.pack(">II", len(name), sum(name)) + header[:8]


def new_store(program, folder):
    folder = pathlib.Path(folder)
    (folder / "profile").write_text(PROFILE.format(7))
    store = folder / "history.db"
    subprocess.run([program, "history", "add", "--series", "work", "--store", store, "profile"], cwd=folder, check=True, capture_output=True)
    return store


def test_journal(program, folder):
    """SQLite deletes the file that a journal names, once it is rolled back."""
    victim = pathlib.Path(folder) / "victim"
    for question in (["history", "list"], ["top", "history:work"], ["history", "add", "--series", "work", "--commit", "2" * 40, "profile"], None):
        store = new_store(program, folder)
        with contextlib.closing(sqlite3.connect(store)) as database:
            page_size, pages = (database.execute(f"PRAGMA {fact}").fetchone()[0] for fact in ("page_size", "page_count"))
            database.execute("PRAGMA journal_mode = DELETE")
        victim.write_text("precious\n")
        pathlib.Path(f"{store}-journal").write_bytes(journal_that_names(victim, page_size, pages))
        if question is None:
            with contextlib.closing(sqlite3.connect(store)) as database:
                database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            expect("SQLite alone deletes it", not victim.exists())
        else:
            run = subprocess.run([program, *question, "--store", store], cwd=folder, capture_output=True, text=True, timeout=60)
            expect(f"{question}: the file that a journal names is left alone", victim.exists() and victim.read_text() == "precious\n", run)
            expect(f"{question}: the store answers", run.returncode == 0, run)
        for path in pathlib.Path(folder).iterdir():
            path.unlink()


def test_links(program, folder):
    """SQLite writes through links."""
    victim = pathlib.Path(folder) / "victim"
    for ending in ("-wal", "-journal", "-shm"):
        store = new_store(program, folder)
        for old in ("-wal", "-shm"):
            pathlib.Path(f"{store}{old}").unlink(missing_ok=True)
        victim.write_text("precious\n")
        pathlib.Path(f"{store}{ending}").symlink_to(victim)
        for question in (["history", "list"], ["history", "add", "--series", "work", "--commit", "2" * 40, "profile"]):
            run = subprocess.run([program, *question, "--store", store], cwd=folder, capture_output=True, text=True, timeout=60)
            expect(f"{question}: what {ending} links to is left alone", victim.read_text() == "precious\n", run)
            expect(f"{question}, {ending}: ends", run.returncode >= 0, run)
        for path in pathlib.Path(folder).iterdir():
            path.unlink()


def limit_memory():
    if "ASAN_OPTIONS" not in os.environ:  # which takes terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def test_schema(program, folder):
    """Tables that are views never end, or fill the memory."""
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, {} FROM n"
    large = "SELECT 1 AS id, hex(zeroblob(900000000)) AS name, 0 AS series"
    for what, series in (("endless", endless.format("'s' || x AS name")), ("large", large)):
        store = new_store(program, folder)
        with contextlib.closing(sqlite3.connect(store)) as database:
            database.execute("PRAGMA journal_mode = DELETE")
            database.execute("DROP VIEW function_costs")
            database.execute("DROP TABLE series")
            database.execute(f"CREATE VIEW series AS {series}")
            database.commit()
        for question in (["history", "list"], ["history", "functions", "work"], ["top", "history:work"], ["history", "add", "profile"]):
            run = subprocess.run([program, *question, "--store", store], cwd=folder, capture_output=True, text=True, timeout=60, preexec_fn=limit_memory)
            expect(f"{what}, {question}: refused", run.returncode == 1 and "is not as callcost makes it" in run.stderr, run)
        for path in pathlib.Path(folder).iterdir():
            path.unlink()


def test_stores_that_are_as_they_should_be(program, folder):
    store = new_store(program, folder)
    with contextlib.closing(sqlite3.connect(store)) as database:
        database.execute("ANALYZE")
    ask = lambda *words: subprocess.run([program, *words, "--store", store], cwd=folder, capture_output=True, text=True, timeout=60)
    run = ask("history", "list")
    expect("a store with statistics", run.returncode == 0, run)
    with contextlib.closing(sqlite3.connect(store)) as reader:  # of a snapshot, so that all that is added stays in the log
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entries").fetchone()
        names = "".join(f"fn=f{os.urandom(32).hex()}\n1 {n}\n" for n in range(40_000))
        (pathlib.Path(folder) / "big").write_text(f"creator: callgrind-3.22.0\ncmd: ./big\nevents: Ir\nfl=a.c\n{names}\ntotals: {sum(range(40_000))}\n")
        run = ask("history", "add", "--series", "big", "big")
        expect("a large profile is added", run.returncode == 0, run)
        run = ask("top", "history:big")
        expect("a log that is larger than its store", run.returncode == 0, run)
    (pathlib.Path(folder) / "loop").symlink_to("loop")
    run = subprocess.run([program, "history", "list", "--store", "loop"], cwd=folder, capture_output=True, text=True, timeout=60)
    expect("why a store cannot be opened", "Too many levels of symbolic links" in run.stderr, run)


def main():
    for test in (test_work_tree, test_old_git, test_inside_of_git, test_bare_repository, test_journal, test_links, test_schema, test_stores_that_are_as_they_should_be):
        with tempfile.TemporaryDirectory() as folder:
            test(sys.argv[1], folder)
    for failure in failures:
        print(failure)
    print(f"untrusted: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
