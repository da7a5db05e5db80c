#!/usr/bin/env python3
"""`callcost record` runs real programs under the real Valgrind: what the program gets and gives, how it ends, which
profile is left, and what is said about it.

usage: run.py EXECUTABLE COMPILER
"""

import concurrent.futures
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = {
    "work": """
#include <cstdlib>
#include <vector>
[[gnu::noinline]] int spend(int rounds) { volatile int sum = 0; for (int i = 0; i < rounds; ++i) sum = sum + i; return sum; }
int main(int count, char** words) { return spend(100 * std::atoi(words[1])) == -1 ? 1 : count > 2 ? std::atoi(words[2]) : 0; }
""",
    "threads": """
#include <thread>
[[gnu::noinline]] void spend(int rounds) { for (volatile int i = 0; i < rounds; i = i + 1) {} }
int main() { std::thread a(spend, 1000), b(spend, 2000), c(spend, 3000); a.join(); b.join(); c.join(); }
""",
    "forks": """
#include <sys/wait.h>
#include <unistd.h>
[[gnu::noinline]] void spend(int rounds) { for (volatile int i = 0; i < rounds; i = i + 1) {} }
int main(int count, char** words) {
    for (int child = 1; child <= 3; ++child)
        if (fork() == 0) {
            spend(1000 * child);
            if (count > 1) execl(words[1], words[1], "1", nullptr);
            _exit(child);
        }
    while (wait(nullptr) > 0) {}
    return 4;
}
""",
    "waits": """
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>
int main(int count, char** words) {
    if (count > 1 && std::strcmp(words[1], "ignore") == 0) std::signal(SIGINT, SIG_IGN);
    if (count > 1 && std::strcmp(words[1], "daemon") == 0) { if (daemon(1, 0) != 0) return 1; sleep(2); return 0; }
    std::puts("ready");
    std::fflush(stdout);
    for (int i = 0; i < 300; ++i) usleep(100000);
}
""",
    "unknown": """
#include <sys/syscall.h>
#include <unistd.h>
int main(int count, char**) {
    syscall(0x7ffffff);
    if (count > 1) __asm__ volatile(".byte 0x0f, 0x0b");
}
""",
}

# A program, how it prints its arguments, how it ends with status 7, and the package of the profiler.
FIB = "fib(n - 1) + fib(n - 2)"
LANGUAGES = {
    "py": (f"import sys\ndef fib(n): return n if n < 2 else {FIB}\nfib(20)\n", "print('|'.join(sys.argv[1:]))", "sys.exit(7)", "python3"),
    "php": ("<?php function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }\nfib(20);\n", "echo implode('|', array_slice($argv, 1)), \"\\n\";", "exit(7);", "php-xdebug"),
    "js": (f"function fib(n) {{ return n < 2 ? n : {FIB} }}\nfib(32)\n", "console.log(process.argv.slice(2).join('|'))", "process.exit(7)", "nodejs"),
    "rb": (f"def fib(n) n < 2 ? n : {FIB} end\nfib(20)\n", "puts ARGV.join('|')", "exit 7", "ruby-prof"),
    "pl": ("sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }\nfib(20);\n", "print join('|', @ARGV), \"\\n\";", "exit 7;", "libdevel-nytprof-perl"),
}

failures = []
skipped = []


def expect(what, condition, shown=""):
    if not condition:
        failures.append(f"{what}: {shown}")


def wait_for(what, condition):
    """Its first true value."""
    for _ in range(600):
        if value := condition():
            return value
        time.sleep(0.1)
    expect(what, False, "not within a minute")
    return None


class Page:
    """The page of a `record --view` that runs."""

    def __init__(self, process):
        self.said = []
        for line in process.stderr:
            if line.startswith(b"http://"):
                self.address = line.decode().strip()
                return
            self.said.append(line)
        raise AssertionError(f"no address: {self.said}")

    def wait_for_answer(self, process):
        """What `record` says until only the page is left; a signal before that ends it as it ends any program."""
        text = b""
        while b"press Ctrl-C" not in text:
            text += process.stderr.read(1) or b"<the end> press Ctrl-C"
        return text.decode()

    def ask(self, **question):
        request = urllib.request.Request(self.address + "ask", json.dumps(question).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def wait_for_news(self):
        """What `reload` answers once there is something new; the program may have ended."""
        wait_for("news", lambda: (now := self.ask(ask="status"))["changed"] or now["new_files"])
        return self.ask(ask="reload")


def run_as_job(words):
    """In the foreground, as a shell does it; says when it is stopped, and continues it."""
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(words[0], words)
    while os.WIFSTOPPED(status := os.waitpid(job, os.WUNTRACED)[1]):
        os.write(1, b"stopped\n")
        os.killpg(job, signal.SIGCONT)
    os._exit(os.waitstatus_to_exitcode(status))


class Tests:
    def __init__(self, program, compiler, folder):
        self.program, self.compiler, self.folder = program, compiler, pathlib.Path(folder)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda name: self.compile(compiler, name), SOURCES))
        shutil.copy(self.folder / "work", self.folder / "bare")
        subprocess.run(["objcopy", "--strip-debug", self.folder / "bare"], check=True)
        (self.folder / "s.py").write_text("import time\nprint('ready', flush=True)\ntime.sleep(30)\n")

    def compile(self, compiler, name):
        source = self.folder / f"{name}.cpp"
        source.write_text(SOURCES[name])
        subprocess.run([compiler, "-g", "-O1", "-pthread", source, "-o", self.folder / name], check=True)

    def directory(self, name):
        path = self.folder / "runs" / name
        path.mkdir(parents=True)
        return path

    def command(self, *words):
        return [self.program, "record", *words]

    def run(self, name, *words, **more):
        """Standard output, standard error, exit status, profiles."""
        where = self.directory(name)
        run = subprocess.run(self.command(*words), cwd=where, capture_output=True, timeout=120, **{"stdin": subprocess.DEVNULL, **more})
        return run.stdout, run.stderr.decode(), run.returncode, self.profiles(where)

    def profiles(self, where):
        return sorted(path.name for path in where.iterdir())

    def spawn(self, name, *words):
        """In a group of its own, as a shell starts a job."""
        process = subprocess.Popen(
            self.command(*words), cwd=self.directory(name), stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        process.where = self.folder / "runs" / name
        return process

    def start(self, name, *words):
        """`ready` has been read."""
        process = self.spawn(name, *words)
        expect(name, process.stdout.readline() == b"ready\n", "the program is not ready")
        return process

    def finish(self, process):
        out, err = process.communicate(timeout=60)
        return out, err.decode(), process.returncode, self.profiles(process.where)

    # --- the tests ------------------------------------------------------------------------------------------------------

    def test_answer(self):
        out, err, status, files = self.run("answer", "-o", "profile", "../../work", "500")
        expect("success", (out, status, files) == (b"", 0, ["profile"]), (out, status, files))
        for text in ("profile  profile\ncommand  ../../work 500\n", "nearly all of it in spend(int) itself", "callcost profile --limit 0"):
            expect("the answer", text in err, err)
        listing = subprocess.run([self.program, "asm", "spend", self.folder / "runs/answer/profile"], capture_output=True, text=True, timeout=60)
        expect("instructions", "add" in listing.stdout, listing.stdout + listing.stderr)

    def test_build_ids(self):
        where = self.directory("builds")
        source, work = self.folder / "inlined.cpp", where / "work"
        lines = "static inline int twice(int i) { volatile int k = i; return 2 * k; }\nint main() { int sum = 0; for (int i = 0; i < 99999; ++i) sum += twice(i); return sum == 1; }\n"
        ask = [self.program, "top", "--inlined=yes", "profile"]

        def build(text):
            source.write_text(text)
            subprocess.run([self.compiler, "-g", "-O2", "-Wl,--build-id", source, "-o", work], check=True)

        build(lines)
        run = subprocess.run(self.command("-o", "profile", "./work"), cwd=where, capture_output=True, text=True, timeout=120)
        profile = (where / "profile").read_text()
        head = profile[: profile.index("\nevents:")]
        builds = dict(line.split(" ", 1)[::-1] for line in re.findall(r"^desc: Build-id: ([0-9a-f]+ .+)$", head, re.M))
        notes = subprocess.run(["readelf", "-n", work], capture_output=True, text=True, check=True).stdout
        expect("build IDs", run.returncode == 0 and builds.get(str(work)) == re.search(r"Build ID: (\w+)", notes)[1], (run, builds))
        objects = set(re.findall(r"^c?ob=\(\d+\) (/.+)", profile, re.M))
        expect("of objects with cost", set(builds) <= objects, (builds, objects))
        expect("its inlined code", "twice(int)" in subprocess.run(ask, cwd=where, capture_output=True, text=True, timeout=60).stdout)
        build(lines.replace("2 * k", "3 * k"))
        later = subprocess.run(ask, cwd=where, capture_output=True, text=True, timeout=60)
        expect("not that of another build", "another build ID" in later.stderr and "twice" not in later.stdout, later)
        summary = subprocess.run([self.program, "info", "profile"], cwd=where, capture_output=True, text=True, timeout=60).stdout
        expect("info counts them", re.search(r"^build IDs +of \d+ objects$", summary, re.M), summary)

    def check_runtime(self, name, function, switch, *words):
        """Functions that the runtime compiles have names: where it was recorded, and by the map that is kept."""
        # Xdebug switches off the JIT of PHP.
        out, err, status, files = self.run(name, "-o", "profile", *words, env={**os.environ, "XDEBUG_MODE": "off"})
        expect(f"{name} is told to write a map", status == 0 and f"is told to name the code that it compiles: {switch}" in err, (status, err))
        expect(f"{name}: what was named, and the map", "are named by /tmp/perf-" in err and files == ["profile", "profile.perf-map"], (err, files))
        expect(f"{name}: the map is moved", not any(os.path.exists(path) for path in re.findall(r"/tmp/perf-\d+\.map", err)), err)
        if "profile.perf-map" not in files:
            return
        where = self.folder / "runs" / name

        def functions(*more):
            run = subprocess.run([self.program, "top", "--json", "--limit", "0", *more], cwd=where, capture_output=True, text=True, timeout=60)
            rows = json.loads(run.stdout)["rows"]
            return {row["function"]: row["self"]["Ir"] for row in rows if row["object"] in (None, "???")}, run.stderr

        named, _ = functions("profile")
        expect(f"{name}: the function", any(function in each for each in named), named)
        starts = {}
        for line in (where / "profile.perf-map").read_text().splitlines():
            start, _, what = line.split(" ", 2)
            if function in what:
                starts[what] = f"0x{int(start, 16):016x}"

        def without_names(line):
            return line[1] + "'".join(starts.get(piece, piece) for piece in line[2].split("'"))

        (where / "raw").write_text(re.sub(r"^(c?fn=\(\d+\) )(.+)", without_names, (where / "profile").read_text(), flags=re.M))
        unnamed, _ = functions("raw")
        expect(f"{name}: a profile without names", not any(function in each for each in unnamed), unnamed)
        again, err = functions("--perf-map", "profile.perf-map", "raw")
        expect(f"{name}: --perf-map", again == named and "are named by profile.perf-map" in err, (again, named, err))

    def test_runtimes(self):
        if shutil.which("php"):
            script = self.folder / "fib.php"
            script.write_text("<?php function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); } for ($i = 0; $i < 20; $i++) fib(12);")
            jit = ("-dopcache.file_update_protection=0", "-dopcache.enable_cli=1", "-dopcache.jit_buffer_size=16M", "-dopcache.jit=1255")
            self.check_runtime("php", "$fib$", "-dopcache.jit_debug=0x10", "php", *jit, script)
        else:
            skipped.append("php is not installed")
        if shutil.which("node"):
            script = self.folder / "fib.js"
            script.write_text("function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }\nfor (let i = 0; i < 30; i++) fib(12)\n")
            self.check_runtime("node", "fib ", "--perf-basic-prof", "node", "--always-sparkplug", script)  # compiles at once
        else:
            skipped.append("node is not installed")

    def test_names_of_runtimes(self):
        """A program that only has the name of a runtime gets the arguments that it is given."""
        where = self.directory("names")
        for name in ("node", "php"):
            shutil.copy(self.folder / "work", where / name)
            run = subprocess.run(self.command("--dry-run", f"./{name}", "5"), cwd=where, capture_output=True, text=True, timeout=60)
            expect(f"a program called {name}", run.returncode == 0 and run.stdout.endswith(f" ./{name} 5\n"), run)
        if shutil.which("node"):
            run = subprocess.run(self.command("--dry-run", "--runtime-names=no", "node", "x"), cwd=where, capture_output=True, text=True, timeout=60)
            expect("--runtime-names=no", run.returncode == 0 and run.stdout.endswith(" node x\n"), run)

    def test_contexts(self):
        for given, callers in ([], 3), (["--callers", "0"], 0), (["--callers", "1"], 1):
            out, err, status, files = self.run(f"callers-{callers}", *given, "-o", "profile", "mawk", "function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { print f(9) }")
            share = re.search(r"^callcost: note: trees and flame graphs: ([\d.]+)% of Ir is on call paths that are certain$", err, re.M)
            expect("the share that is certain is said", status == 0 and share, err)
            expect("advice where it is low", (f"--callers {max(3, 2 * callers)} can make more of it certain" in err) == (float(share[1]) < 95), err)
            profile = self.folder / f"runs/callers-{callers}/profile"
            deepest = max(name.count("'") - bool(re.search(r"'\d", name)) for name in re.findall(r"^c?fn=\(\d+\) (.+)", profile.read_text(), re.M))
            expect(f"functions are kept apart by {callers} callers", deepest == callers, deepest)
            tree = json.loads(subprocess.run([self.program, "tree", "--json", profile], capture_output=True, text=True, timeout=60).stdout)
            expect("it is that of the tree", abs(tree["certain"] / tree["inclusive"] * 100 - float(share[1])) < 0.1, (tree["certain"], tree["inclusive"], share[1]))

    def test_exit_status(self):
        out, err, status, files = self.run("status", "../../work", "1", "42")
        expect("exit status", status == 42 and len(files) == 1, (status, files))
        expect("default name", files[0].startswith("callgrind.out."), files)
        expect("programs with lines need no advice", "compile" not in err, err)

    def test_not_run(self):
        for words, status, text in (
            (["./nothing"], 127, "no such program"),
            (["no-such-program"], 127, "no such program"),
            (["."], 126, ".: is a directory"),
            (["/usr/bin"], 126, "is a directory"),
            (["--directory", "../..", "work", "1"], 127, "work is a file in this directory, but programs are looked for in PATH; ./work runs it"),
            (["-o", "/no/such/file", "true"], 125, "No such file"),
            (["--compare", "/no/such/file", "true"], 125, "No such file"),
            (["--compare", "/dev/null", "--fail-if", "Ir >", "true"], 125, "--fail-if"),
            (["--compare", "../../work", "-o", "../../work", "true"], 125, "would replace"),
            (["-o", "..", "true"], 125, "is a directory"),
            (["--valgrind=--no-such-option", "true"], 125, "Valgrind did not run the program"),
        ):
            run = self.run(f"not-{'-'.join(words).replace('/', '')}", *words)
            expect(f"record {words}", (run[0], run[2], run[3]) == (b"", status, []) and text in run[1], run)
        where = self.directory("no-valgrind")
        run = subprocess.run(self.command("/bin/true"), cwd=where, env={"PATH": str(where)}, capture_output=True, text=True, timeout=60)
        expect("no Valgrind", run.returncode == 125 and "apt install valgrind" in run.stderr, run)

    def test_pipeline(self):
        data = os.urandom(1 << 20) * 40
        run = subprocess.run(self.command("-q", "-o", "profile", "cat"), cwd=self.directory("pipe"), input=data, capture_output=True, timeout=120)
        expect("40 MB through a pipe", run.stdout == data and run.returncode == 0, run.returncode)
        where = self.directory("shell")
        line = f"printf 'a\\nb\\n' | {self.program} record -o profile grep b 2>log | tr b c; echo done >&2"
        run = subprocess.run(["bash", "-c", line], cwd=where, capture_output=True, text=True, timeout=120)
        expect("a shell pipeline", (run.stdout, run.stderr) == ("c\n", "done\n"), run)
        out, err, status, _ = self.run("errors", "-q", "sh", "-c", "echo out; echo err >&2; exit 3")
        expect("streams", out == b"out\n" and err.startswith("err\n") and status == 3, (out, err, status))

    def test_threads(self):
        out, err, status, files = self.run("threads", "--separate-threads", "-o", "profile", "../../threads")
        expect("threads are in one file", status == 0 and files == ["profile"] and "not read" not in err, (files, err))
        parts = subprocess.run([self.program, "info", "--parts", "--json", self.folder / "runs/threads/profile"], capture_output=True, text=True, timeout=60)
        # One thread may have ended before the next one begins, which gets its number then.
        expect("and told apart", {row["thread"] for row in json.loads(parts.stdout)["rows"]} >= {1, 2}, parts)

    def test_children(self):
        out, err, status, files = self.run("forks", "-o", "profile", "../../forks")
        expect("forked processes", status == 4 and len(files) == 4 and "not included: 3 processes forked" in err, (status, files, err))
        expect("what their costs are", "before the fork" in err, err)
        out, err, status, files = self.run("execs", "-o", "profile", "../../forks", "../../work")
        expect("programs that are started", files == ["profile"] and "not recorded: 3 processes" in err, (files, err))
        out, err, status, files = self.run("all", "--children", "-o", "profile", "../../forks", "../../work")
        expect("--children", len(files) == 4 and "added up with 3 processes" in err and "before the fork" not in err, (files, err))

    def test_daemon(self):
        out, err, status, files = self.run("daemon", "../../waits", "daemon")
        expect("a daemon", status == 0 and len(files) == 1 and "still runs: callgrind.out." in err, (status, files, err))
        name = next((word for word in err.split() if word.startswith("callgrind.out.")), "")
        for _ in range(100):
            if (self.folder / "runs/daemon" / name).exists():
                break
            time.sleep(0.1)
        expect("its profile", len(self.profiles(self.folder / "runs/daemon")) == 2, self.profiles(self.folder / "runs/daemon"))

    def test_interrupt(self):
        process = self.start("interrupt", "-o", "profile", "../../waits")
        os.killpg(process.pid, signal.SIGINT)
        out, err, status, files = self.finish(process)
        expect("Ctrl-C", (status, files) == (130, ["profile"]) and "interrupted: the profile ends there" in err, (status, files, err))
        expect("the answer after Ctrl-C", "main" in err, err)
        process = self.start("ignored", "-o", "profile", "../../waits", "ignore")
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.3)
        expect("a program that ignores SIGINT goes on", process.poll() is None, process.returncode)
        os.killpg(process.pid, signal.SIGINT)
        out, err, status, files = self.finish(process)
        expect("a second Ctrl-C", (status, files) == (137, ["profile"]) and "killed by the second interrupt" in err, (status, files, err))

    def test_signals(self):
        process = self.start("terminated", "-o", "profile", "../../waits")
        process.send_signal(signal.SIGTERM)
        out, err, status, files = self.finish(process)
        expect("SIGTERM", (status, files) == (143, ["profile"]) and "killed by SIGTERM" in err, (status, files, err))
        process = self.start("killed", "-o", "profile", "../../waits")
        child = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        os.kill(int(child), signal.SIGKILL)
        out, err, status, files = self.finish(process)
        expect("SIGKILL", (status, files) == (137, []) and "before Callgrind could write a profile" in err, (status, files, err))
        process = self.start("orphan", "-o", "profile", "../../waits")
        child = int(pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())
        process.kill()
        self.finish(process)
        wait_for("the program ends when the command is killed", lambda: not pathlib.Path(f"/proc/{child}/exe").exists())
        out, err, status, files = self.run("crash", "sh", "-c", "kill -SEGV $$")
        expect("a crash", status == 139 and len(files) == 1 and "killed by SIGSEGV" in err, (status, files, err))

    def test_beginning(self):
        out, err, status, files = self.run("from", "--zero-before", "spen?", "-o", "profile", "../../work", "500")
        expect("from a function", status == 0 and "no call of" not in err, err)
        out, err, status, files = self.run("from-none", "--zero-before", "no_such", "--zero-before", "other", "-o", "profile", "../../work", "500")
        expect("from a function that is not called", status == 0 and "warning: no call of 'no_such', 'other': the profile is of the whole run" in err, err)

    def test_history(self):
        history = ("--store", "../h.db")
        out, err, status, files = self.run("history-added", "--add", "--series", "work", *history, "-o", "profile", "../../work", "500")
        expect("an entry", status == 0 and "added: series 'work'" in err, err)
        out, err, status, files = self.run("history-gate", "--compare", "history:work", "--force", "--fail-if", "Ir > +1%", *history, "-o", "profile", "../../work", "900")
        expect("a gate against it", status == 3 and "history:work" in err + out.decode(), (status, out, err))
        ci = {"env": {**os.environ, "CI_COMMIT_SHA": "1" * 40}}
        gate = ("--add", "--series", "gate", "--compare", "history:gate", "--force", "--fail-if", "Ir > +1%", *history, "-o", "profile")
        out, err, status, files = self.run("history-first", *gate, "../../work", "500", **ci)
        expect("the first run of a gate", status == 0 and "there is no such entry yet" in err and "added: series 'gate'" in err, (status, err))
        ci["env"]["CI_COMMIT_SHA"] = "2" * 40
        for again in ("first", "again"):
            out, err, status, files = self.run(f"history-slow-{again}", *gate, "../../work", "900", **ci)
            expect(f"a gate that fails, {again}", status == 3 and "history:gate@" + "1" * 12 in err + out.decode(), (status, out, err))
        out, err, status, files = self.run("history-none", "--compare", "history:none", *history, "-o", "profile", "../../work", "500", **ci)
        expect("nothing to compare with", status == 125 and "there is no series 'none'" in err, (status, err))
        out, err, status, files = self.run("history-failed", "--add", *history, "-o", "profile", "../../work", "500", "7")
        expect("no entry of a program that failed", status == 7 and "added" not in err, (status, err))
        out, err, status, files = self.run("history-threads", "--add", "--valgrind=--separate-threads=yes", *history, "-o", "profile", "../../threads")
        expect("several files are one entry", status == 0 and "added: series 'threads'" in err, err)
        listed = subprocess.run([self.program, "history", "list", "--json", "--store", self.folder / "runs/h.db"], capture_output=True, text=True, timeout=60)
        expect("entries", [(row["series"], row["entries"]) for row in json.loads(listed.stdout)["rows"]] == [("gate", 2), ("threads", 1), ("work", 1)], listed)
        totals = [json.loads(subprocess.run([self.program, "top", "--json", *words], capture_output=True, text=True, timeout=60, cwd=self.folder / "runs/history-threads").stdout)["total"]
                  for words in (("--with-parts", "profile"), ("history:threads", "--store", "../h.db"))]
        expect("what they add up to", totals[0] == totals[1], totals)

    def test_entry_of_another_commit(self):
        where = self.directory("stale")
        (where / "old.cpp").write_text("int main() { return 0; }\n")
        subprocess.run([self.compiler, "-g", "old.cpp", "-o", "old"], cwd=where, check=True)
        git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
        for words in (["init", "-q"], ["add", "old.cpp"], ["commit", "-qm", "first"], ["commit", "-qm", "second", "--allow-empty"]):
            subprocess.run([*git, *words], cwd=where, check=True)
        record = self.command("--add", "--store", "h.db", "-o", "profile", "./old")
        run = subprocess.run(record, cwd=where, capture_output=True, text=True, timeout=60)
        expect("the program of what is checked out", run.returncode == 0 and "warning" not in run.stderr, run)
        os.utime(where / "old.cpp", (time.time() + 100,) * 2)
        first = subprocess.run([*git, "rev-parse", "HEAD~1"], cwd=where, capture_output=True, text=True, check=True).stdout.strip()
        run = subprocess.run(record, cwd=where, capture_output=True, text=True, timeout=60, env={**os.environ, "CI_COMMIT_SHA": first})
        expect("a program older than its source", "the program is older than " in run.stderr and "old.cpp: it may not be that of the commit" in run.stderr, run)
        expect("another commit", "the entry is of commit " in run.stderr and " is checked out" in run.stderr, run)

    def test_view(self):
        process = self.spawn("view", "--view", "--no-open", "-o", "profile", "../../waits")
        page = Page(process)
        profile = page.ask(ask="profile")
        expect("the page while the program runs", profile["live"]["running"] and profile["live"]["program"] == "../../waits", profile)
        expect("its first part", (profile["counts"]["parts"], len(profile["files"])) == (1, 1), profile["files"])
        expect("the program's output", process.stdout.readline() == b"ready\n")
        page.ask(ask="control", command="dump")
        expect("a part that is asked for", page.wait_for_news()["counts"]["parts"] == 2)
        expect("it still runs", process.poll() is None, process.returncode)
        expect("no file has its last name", "profile" not in self.profiles(process.where), self.profiles(process.where))
        os.killpg(process.pid, signal.SIGINT)  # the program ends, and the page stays
        wait_for("the end", lambda: not page.ask(ask="status")["live"]["running"])
        wait_for("the profile", lambda: self.profiles(process.where) == ["profile"])
        last = page.wait_for_news()
        expect("the profile after the end", (last["counts"]["parts"], [file["name"] for file in last["files"]]) == (3, ["profile"]), last)
        expect("nothing is new then", not page.ask(ask="status")["changed"])
        expect("the program that has ended", page.ask(ask="control", command="dump").get("error", {}).get("id") == "not-done")
        expect("record waits", process.poll() is None, process.returncode)
        total = page.ask(ask="functions", limit=1)["total"]
        answer = page.wait_for_answer(process)
        process.send_signal(signal.SIGINT)
        out, err, status, files = self.finish(process)
        err = answer + err
        expect("Ctrl-C after Ctrl-C", (out, status, files) == (b"", 130, ["profile"]), (out, status, files))
        for text in ("interrupted: the profile ends there", "main", f"press Ctrl-C to close the page\n  hint: {page.address}"):
            expect("what is said of a page", text in err, err)
        shown = subprocess.run([self.program, "top", "--json", process.where / "profile"], capture_output=True, text=True, timeout=60)
        expect("all parts are in one file", json.loads(shown.stdout)["total"]["Ir"] == total[0], shown.stderr)

    def test_view_of_short_runs(self):
        process = self.spawn("view-short", "--view", "--no-open", "--repeat", "2", "-o", "profile", "../../work", "1", "7")
        page = Page(process)
        wait_for("the profile", lambda: page.ask(ask="profile").get("files", [{}])[0].get("name") == "profile" or (page.ask(ask="reload"), False)[1])
        page.wait_for_answer(process)
        process.send_signal(signal.SIGTERM)
        out, err, status, files = self.finish(process)
        expect("the status is the program's", (status, files) == (7, ["profile"]), (status, files, err))
        process = self.spawn("view-refused", "--view", "--no-open", "--valgrind=--no-such-option", "../../work", "1")
        page = Page(process)
        out, err, status, files = self.finish(process)
        expect("no page without a profile", (status, files) == (125, []) and "did not run the program" in err, (status, files, err))
        process = self.spawn("view-late", "--view", "--no-open", "--tool", "cachegrind", "../../work", "500")
        page = Page(process)
        expect("the answer comes first", any(b"spend" in line for line in page.said), page.said)
        expect("what cannot be followed", "live" not in page.ask(ask="profile"))
        process.send_signal(signal.SIGINT)
        out, err, status, files = self.finish(process)
        expect("Cachegrind's page", status == 0 and "press Ctrl-C to close the page" in err, (status, err))

    def test_view_of_a_program_that_does_not_end(self):
        process = self.spawn("view-kill", "--view", "--no-open", "-o", "profile", "../../waits", "ignore")
        page = Page(process)
        page.ask(ask="profile")
        expect("ready", process.stdout.readline() == b"ready\n")
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.3)
        expect("one Ctrl-C that is ignored", process.poll() is None and page.ask(ask="status")["live"]["running"])
        os.killpg(process.pid, signal.SIGINT)
        wait_for("the profile", lambda: self.profiles(process.where) == ["profile"])
        expect("what was dumped before", page.wait_for_news()["counts"]["parts"] == 2)
        answer = page.wait_for_answer(process)
        process.send_signal(signal.SIGINT)
        out, err, status, files = self.finish(process)
        err = answer + err
        expect("a second Ctrl-C", (status, files) == (137, ["profile"]) and "killed by the second interrupt" in err, (status, files, err))

    def run_on_terminal(self):
        """Ctrl-Z and Ctrl-C on a terminal, where the answer follows on standard output."""
        where = self.directory("terminal")
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(where)
            run_as_job(self.command("--color=never", "-o", "profile", str(self.folder / "waits")))
        text, sent = b"", 0
        try:
            while block := os.read(terminal, 65536):
                text += block
                if (sent == 0 and b"ready" in text) or (sent == 1 and b"stopped" in text):
                    os.write(terminal, (b"\x1a", b"\x03")[sent])
                    sent += 1
        except OSError:  # closed
            pass
        expect("Ctrl-Z", sent == 2, text)
        expect("Ctrl-C on a terminal", os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 130, text)
        expect("the answer on a terminal", b"interrupted" in text and b"command" in text, text)

    def run_beside_terminal(self):
        """The status line, on a terminal that the program does not write to."""
        where = self.directory("beside")
        process, terminal = pty.fork()
        if process == 0:
            os.environ.pop("CI", None)
            os.chdir(where)
            os.dup2(os.open("out", os.O_WRONLY | os.O_CREAT, 0o666), 1)
            os.dup2(os.open("err", os.O_WRONLY | os.O_CREAT, 0o666), 2)
            os.execv(self.program, self.command("-o", "profile", "sleep", "1.5"))
        text = b""
        try:
            while block := os.read(terminal, 65536):
                text += block
        except OSError:  # closed
            pass
        expect("beside a terminal", os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0, text)
        expect("the status line", b"recording: 0:01" in text and text.endswith(b"\r\x1b[K"), text)
        written = (where / "out").read_bytes(), (where / "err").read_bytes()
        expect("nothing of it elsewhere", written[0] == b"" and b"recording" not in written[1], written)

    def test_limits(self):
        script = self.folder / "script.py"
        script.write_text("#!/usr/bin/env python3\nprint('hello')\n")
        script.chmod(0o755)
        out, err, status, files = self.run("python", "--interpreter", str(script))
        expect("a script", out == b"hello\n" and "python3 is an interpreter: the profile is of python3" in err, (out, err))
        expect("what records its functions", f"'callcost record {script}' records its functions" in err, err)
        out, err, status, files = self.run("python-named", "-q", "-o", "profile", "python3", str(script))
        expect("an interpreter", out == b"hello\n" and status == 0 and "\nfn=" in (self.folder / "runs/python-named/profile").read_text(), (out, status))
        out, err, status, files = self.run("python-hint", "python3", str(script))
        expect("the script that it runs", f"'callcost record {script}' records its functions" in err, err)
        out, err, status, files = self.run("bare", "../../bare", "1")
        expect("no debug information", "has no debug information" in err and "-g" in err, err)
        out, err, status, files = self.run("unknown", "../../unknown")
        expect("an unknown system call", status == 0 and "does not know system call 134217727" in err, (status, err))
        out, err, status, files = self.run("nothing", "--only", "nosuch", "../../work", "1")
        expect("--only without a call", (status, len(files)) == (1, 1) and "error: nothing was recorded: no call of 'nosuch'" in err, (status, files, err))
        expect("its advice", "--only needs the whole name" in err and "no functions" not in err, err)
        out, err, status, files = self.run("nothing-fails", "--only", "no", "--only", "such", "../../work", "1", "7")
        expect("--only of a program that fails", status == 7 and "no call of 'no', 'such'" in err, (status, err))
        out, err, status, files = self.run("off", "--start", "off", "../../work", "1")
        expect("never switched on", status == 1 and "instrumentation was never switched on" in err, (status, err))
        out, err, status, files = self.run("only", "--only", "spend", "../../work", "1")
        expect("--only of a function with parameters", "main costs 100.00%" in err or "spend(int)" in err, err)

    def test_cachegrind(self):
        out, err, status, files = self.run("cachegrind", "--tool", "cachegrind", "../../work", "500")
        expect("Cachegrind", status == 0 and len(files) == 1 and files[0].startswith("cachegrind.out."), (status, files, err))
        expect("its lines", "spend(int)" in err, err)
        rule = ("--tool", "cachegrind", "--compare", "../cachegrind/" + files[0], "--force", "--fail-if", "Ir > +5%")
        out, err, status, _ = self.run("cachegrind-same", *rule, "../../work", "500")
        expect("a gate with Cachegrind", status == 0 and "1 rule passed" in err, (status, err))
        out, err, status, files = self.run("cachegrind-slower", "-o", "new", *rule, "../../work", "900")
        expect("a gate with Cachegrind that fails", (status, files) == (3, ["new"]) and "spend(int)" in err, (status, files, err))

    def test_wrapper(self):
        out, err, status, files = self.run("wrapper", "sh", "-c", "exec ../../work 1")
        expect("a program that becomes another", status == 1 and files == [] and "--children records that" in err, (status, files, err))
        out, err, status, files = self.run("wrapper-children", "--children", "-o", "profile", "sh", "-c", "exec ../../work 500")
        expect("the other one", status == 0 and "spend(int)" in err, (status, files, err))

    def test_hash_randomisation(self):
        script = self.folder / "hashes.py"
        script.write_text("print(sum(len(word) for word in {f'word{i}' for i in range(500)}))\n")
        words = ("-o", "profile", "--repeat", "3", "--compare", "../hashes-base/base", "--fail-if", "Ir > +50%", sys.executable, str(script))
        fixed, random = ({**os.environ, "PYTHONHASHSEED": seed} for seed in ("0", "random"))
        out, err, status, _ = self.run("hashes-base", "-o", "base", "--repeat", "2", sys.executable, str(script), env=fixed)
        expect("with a fixed seed nothing varies", status == 0 and "Deterministic: " in err, (status, err))
        out, err, status, _ = self.run("hashes-random", *words, env=random)
        expect("a gate over what varies", status == 0 and "1 rule passed" in err, (status, err))
        varying = err.partition("Not deterministic: ")[2]
        expect("which functions vary", "python" in varying and "function" in varying, err)
        expect("and by how much", "range" in varying and "the total varies by" in varying, err)

    def project(self, name, text):
        where = self.directory(name)
        (where / ".git").mkdir()
        (where / "callcost.toml").write_text(text)
        (where / "sub").mkdir()
        shutil.copy(self.folder / "work", where / "work")
        return where

    def record(self, where, *words, **more):
        run = subprocess.run(self.command(*words), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, **more)
        return run.returncode, run.stderr

    def test_configuration(self):
        where = self.project(
            "configured",
            """
            [gate]
            fail-if = "Ir > +5%"
            compare = "base"
            [record.same]
            program = "./work"
            args = ["500"]
            output = "same.out"
            [record.added]
            program = "./work"
            args = ["500"]
            output = "added.out"
            add = true
            series = "mine"
            [record.slower]
            program = "./work"
            args = ["900"]
            output = "slower.out"
            [record.counted]
            program = "./work"
            args = ["500"]
            repeat = 2
            fail-if = "Ir > +1000%"
            tool = "cachegrind"
            """,
        )
        status, err = self.record(where, "-o", "base", "same")
        expect("a program by its name", status == 0 and "command  ./work 500" in err and "base" in self.profiles(where), (status, err))
        status, err = self.record(where, "added", "--store", "h.db")
        expect("added without options", status == 0 and "added: series 'mine'" in err, (status, err))
        status, err = self.record(where, "added", "--store", "h.db", "--add=no")
        expect("not if taken back", status == 0 and "added" not in err.replace("added.out", ""), (status, err))
        status, err = self.record(where / "sub", "same", "--compare")
        expect("a gate without options", status == 0 and "1 rule passed" in err and "rules of ../callcost.toml:3:" in err, (status, err))
        expect("files beside the configuration", self.profiles(where / "sub") == [] and "same.out" in self.profiles(where), self.profiles(where))
        status, err = self.record(where / "sub", "slower", "--compare", "--force")
        expect("a gate without options that fails", status == 3 and "FAILED  Ir > +5%" in err, (status, err))
        status, err = self.record(where / "sub", "slower", "--compare", "--force", "--fail-if", "Ir > +500%", "-o", "mine")
        expect("options win", status == 0 and "passed  Ir > +500%" in err and self.profiles(where / "sub") == ["mine"], (status, err))
        status, err = self.record(where, "counted", "--compare", "--force")
        expect("options of a program", status == 0 and "Deterministic" in err and "passed  Ir > +1000%" in err, (status, err))
        status, err = self.record(where, "counted", "--repeat", "1", "--tool", "callgrind", "-o", "other", "--", "7")
        expect("arguments behind dashes", status == 7 and "command  ./work 500 7" in err, (status, err))
        status, err = self.record(where, "--", "same")
        expect("dashes before a name", status == 127 and "without '--'" in err, (status, err))
        # A program beside the file that is called like one in it is run by its path.
        shutil.copy(self.folder / "threads", where / "same")
        status, err = self.record(where, "-o", "path", "./same")
        expect("a path is no name", status == 0 and "command  ./same" in err, (status, err))
        (where / "callcost.toml").write_text("[record.same]\nprogramm = 'work'\n")
        status, err = self.record(where, "same")
        expect("a mistake in the file", status == 125 and "callcost.toml:2:1: unknown key 'programm'" in err and "'program'" in err, (status, err))
        status, err = self.record(where, "-o", "path", "./work", "1")
        expect("a program by its path needs no file", status == 0, (status, err))

    def test_hostile_configuration(self):
        where = self.project("hostile", "")
        path = where / "callcost.toml"
        for name, text in (
            ("dotted keys", b"a" + b".a" * 3999 + b" = 1\n"),
            ("more dots", b".a" * 20_000),
            ("brackets", b"a = " + b"[" * 60_000),
            ("braces", b"a = " + b"{a=" * 20_000),
            ("headers", b"[a.b]\n[[c]]\n" * 4_000),
            ("bytes", os.urandom(60_000)),
            ("NUL", b"\0" * 1000),
            ("half a file", b"[record.same]\nprogram = \"wo"),
            ("a huge one", b"# comment\n" * 1_000_000),
            ("escapes", "[record.\"\u001b[31mred\"]\nprogramm = 1\n".encode()),
        ):
            path.write_bytes(text)
            status, err = self.record(where, "same")
            expect(f"hostile: {name}", status == 125 and "callcost.toml" in err and "\x1b" not in err and len(err) < 2000, (status, err[:500]))
        path.unlink()
        path.mkdir()
        hint = "  hint: callcost takes it for the configuration of this directory: give it another name\n"
        expect("a directory", self.record(where, "same") == (125, "callcost: error: callcost.toml: is a directory, not a regular file\n" + hint))
        path.rmdir()
        os.mkfifo(path)
        expect("a pipe", self.record(where, "same") == (125, "callcost: error: callcost.toml: is a named pipe, not a regular file\n" + hint))
        path.unlink()
        path.write_text("[record.same]\nprogram = './work'\n")
        path.chmod(0)
        status, err = self.record(where, "same", **self.as_nobody(where))
        expect("an unreadable one", status == 125 and "callcost.toml: Permission denied" in err, (status, err))

    def as_nobody(self, *readable):
        """For root, who may read everything: the user who may not."""
        if os.geteuid() != 0:
            return {}
        for path in (self.folder, *readable, *(pathlib.Path(path).parent for path in readable)):
            os.chmod(path, 0o755)
        return {"user": 65534, "group": 65534, "extra_groups": []}

    def test_init(self):
        where = self.directory("init")
        status, err = self.record(where, "--init")
        text = (where / "callcost.toml").read_text()
        expect("--init", status == 0 and "[record.bench-parse]" in text and "wrote callcost.toml" in err, (status, err))
        (where / "callcost.toml").write_text("# mine\n")
        status, err = self.record(where, "--init")
        expect("--init keeps a file", status == 125 and "already exists" in err and "--replace" in err, (status, err))
        expect("what is in it", (where / "callcost.toml").read_text() == "# mine\n")
        status, err = self.record(where, "--init", "--replace")
        expect("--init --replace", status == 0 and (where / "callcost.toml").read_text() == text, (status, err))
        # The example of a program, with its '#' removed.
        lines = [line.removeprefix("#") for line in text.splitlines() if line.startswith("#") and not line.startswith("# ")]
        (where / "callcost.toml").write_text("\n".join(lines))
        document = (ROOT / "docs/configuration.md").read_text()
        for example in (where / "callcost.toml").read_text(), re.search(r"```toml\n(.*?)```", document, re.S)[1]:
            (where / "callcost.toml").write_text(example)
            run = subprocess.run(self.command("bench-parse", "--dry-run", "--compare"), cwd=where, capture_output=True, text=True, timeout=60)
            expect("an example", run.returncode == 0 and run.stdout.endswith(" build/bench-parse --filter parse\n"), run)

    def test_sample(self):
        """With the real perf, if there is one that may take samples here."""
        if subprocess.run(["sh", "-c", "perf record -q -g -o \"$1\" true", "sh", self.folder / "attempt"], capture_output=True).returncode != 0:
            skipped.append("perf record does not work here")
            return
        out, err, status, files = self.run("sample", "--sample", "-o", "profile", "../../work", "3000000", "7")
        expect("samples", (out, status, files) == (b"", 7, ["profile"]), (out, status, files, err))
        for text in ("not counts", "command  ../../work 3000000 7", "spend costs", "most samples have no callers", "--perf='--call-graph dwarf'"):
            expect("the answer by samples", text in err, err)
        tree = subprocess.run([self.program, "tree", self.folder / "runs/sample/profile"], capture_output=True, text=True, timeout=60)
        expect("call paths as they were recorded", "spend" in tree.stdout and "estimated" not in tree.stdout, tree)
        out, err, status, files = self.run("sample-callers", "--sample", "--perf=--call-graph dwarf", "-o", "profile", "../../work", "300000")
        expect("samples with callers", status == 0 and "no callers" not in err, (status, err))
        out, err, status, files = self.run("sample-name", "--sample", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo x >&2; kill -SEGV $$")
        expect("samples until a signal", status == 139 and files[0].startswith("perf.out.") and "killed by SIGSEGV" in err, (status, files, err))
        process = self.start("sample-interrupt", "--sample", "-o", "profile", "../../waits")
        os.killpg(process.pid, signal.SIGINT)
        out, err, status, files = self.finish(process)
        expect("Ctrl-C while perf samples", status == 130 and "interrupted: the profile ends there" in err, (status, files, err))
        out, err, status, files = self.run("sample-compare", "--sample", "-o", "new", "--compare", "../sample/profile", "--force", "../../work", "3000000")
        expect("samples compared", status == 0 and "Self cost" in err and files == ["new"], (status, files, err))
        if os.geteuid() == 0 and int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text()) >= 2:
            run = subprocess.run(
                self.command("--sample", "--perf=-e cpu-clock:k", "true"), cwd="/", capture_output=True, text=True, timeout=60,
                env={**os.environ, "TMPDIR": "/tmp"}, **self.as_nobody(),
            )
            expect("what the kernel refuses", run.returncode == 125 and "kernel does not let you" in run.stderr and "sysctl" in run.stderr, run)

    def test_perf_data(self):
        """A real file, and one that is recorded here: by the real perf, if there is one."""
        if shutil.which("perf") is None:
            skipped.append("there is no perf")
            return
        where = self.directory("perf-data")
        data = where / "perf data"
        shutil.copyfile(ROOT / "tests/imports/fp.perf.data", data)
        attempt = subprocess.run(["perf", "record", "-q", "-g", "-o", where / "own", self.folder / "work", "300000"], capture_output=True)
        for file in (data, where / "own") if attempt.returncode == 0 else (data,):
            periods = subprocess.run(["perf", "script", "-F", "ip,period", "-i", file], capture_output=True, text=True).stdout
            total = sum(int(line) for line in periods.splitlines() if line.strip().isdigit() and not line.startswith("\t"))
            run = subprocess.run([self.program, "info", "--json", file], capture_output=True, text=True, timeout=60)
            expect("perf.data", run.returncode == 0 and [*json.loads(run.stdout)["self"].values()] == [total], (total, run))
            expect("perf.data: its known total", file != data or total == 148296592, total)

    def test_sample_without_perf(self):
        where = self.directory("no-perf")
        run = subprocess.run(self.command("--sample", "/bin/true"), cwd=where, env={"PATH": str(where)}, capture_output=True, text=True, timeout=60)
        expect("no perf", run.returncode == 125 and "apt install linux-perf" in run.stderr, run)
        # A stand-in that takes no samples: a program that hardly ran.
        perf = where / "perf"
        perf.write_text('#!/bin/sh\n[ "$1" = script ] && exit 0\nwhile [ "$1" != -o ]; do shift; done\necho x >"$2"\nshift 3\nexec "$@"\n')
        perf.chmod(0o755)
        run = subprocess.run(
            self.command("--sample", "-o", "profile", "true"), cwd=where, env={**os.environ, "PATH": f"{where}:{os.environ['PATH']}"}, capture_output=True, text=True, timeout=60
        )
        expect("no samples", run.returncode == 1 and "there are no samples" in run.stderr and self.profiles(where) == ["perf"], run)

    def test_scripts(self):
        """Each by the profiler of its language: what the script gets and gives is as without it."""
        for ending, (text, show, exit_seven, package) in LANGUAGES.items():
            where = self.directory(f"script-{ending}")
            (where / f"s.{ending}").write_text(f"{text}{show}\n{exit_seven}\n")
            run = subprocess.run(self.command("-o", "out", f"s.{ending}", "-o", "--", "a b"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            if run.returncode == 125:
                expect(f"{ending}: the package of what is missing", "apt install " in run.stderr, run)
                skipped.append(f"{package} is not installed")
                continue
            expect(f"{ending}: exit status, output and arguments", (run.returncode, run.stdout) == (7, "-o|--|a b\n"), run)
            expect(f"{ending}: one profile", self.profiles(where) == ["out", f"s.{ending}"], self.profiles(where))
            expect(f"{ending}: what records it", "records its functions" in run.stderr and "--interpreter" in run.stderr, run.stderr)
            if ending == "py":
                calls = subprocess.run(["python3", "-c", "import pstats; print(*((key[2], row[1]) for key, row in pstats.Stats('out').stats.items()))"], cwd=where, capture_output=True, text=True, timeout=60)  # fmt: skip
                expect("py: exact calls", "('fib', 21891)" in calls.stdout, calls)
            expect(f"{ending}: the answer", "fib" in run.stderr and "profile  out\n" in run.stderr, run.stderr)
            rows = json.loads(subprocess.run([self.program, "top", "--json", "--limit", "0", "out"], cwd=where, capture_output=True, text=True, timeout=60).stdout)["rows"]
            fib = next(row for row in rows if row["function"].endswith("fib"))
            expect(f"{ending}: exact calls", fib["called"] == 21891 or ending == "js", fib)
            files = self.profiles(where)
            run = subprocess.run(self.command("-q", f"./s.{ending}"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            name = (set(self.profiles(where)) - set(files)).pop()
            expect(f"{ending}: the name of its profile", re.fullmatch(r"[a-z-]+\.out\.\d+", name), name)

    def python_stats(self, where, profile="out"):
        """By (line, name): first calls, calls, self time, inclusive time, and (calls, first calls, ...) by callers."""
        code = f"import marshal; print({{key[1:]: (*row[:4], {{by[1:]: call for by, call in row[4].items()}}) for key, row in marshal.load(open('{profile}', 'rb')).items()}})"
        return eval(subprocess.run(["python3", "-c", code], cwd=where, capture_output=True, text=True, check=True, timeout=60).stdout)

    def test_python_functions_of_one_name(self):
        where = self.directory("one-name")
        (where / "s.py").write_text(
            "def f(): return list(list(j * j for j in range(2000)) for i in range(200))\n"
            "def g(): return (lambda n: (lambda n: sum(range(n)))(n) + n)(300000)\n"
            "def h(n): return n and h(n - 1)\n"
            "f(); g(); h(9)\n"
        )
        run = subprocess.run(self.command("-q", "-o", "out", "s.py"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        expect("functions of one name", run.returncode == 0, run)
        stats = self.python_stats(where)
        first, calls, own, time, callers = stats[1, "<genexpr>"]
        expect("nested generators: calls", (first, calls) == (201, 201 + 200 * 2001), stats)
        expect("nested generators: their time", own > 0 and time <= stats[1, "f"][3], stats)
        first, calls, own, time, callers = stats[2, "<lambda>"]
        expect("nested functions: calls", (first, calls, callers[2, "g"][:2], callers[2, "<lambda>"][:2]) == (1, 2, (1, 1), (1, 1)), stats)
        expect("nested functions: their time", own <= callers[2, "<lambda>"][3] <= time <= stats[2, "g"][3], stats)
        expect("recursion", (*stats[3, "h"][:2], stats[3, "h"][4][3, "h"][0]) == (1, 10, 9), stats)
        total = sum(row[2] for row in stats.values())
        expect("the time is once in the profile", total <= stats[1, "<module>"][3] * 1.001 + 1e-4, (total, stats))
        expect("nothing of the profiler", not any("disable" in name for _, name in stats), stats)
        expect("the script is called by nothing", [key for key, row in stats.items() if not row[4]] == [(1, "<module>")], stats)

    def test_python_script_as_by_python(self):
        where = self.directory("as-by-python")
        (where / "s.py").write_text(
            "import sys\n"
            "def fails(): raise KeyError('an error')\n"
            "names = {name: value for name, value in sorted(globals().items()) if name not in ('__builtins__', '__loader__', 'fails')}\n"
            "print(names, type(__loader__), __loader__.path, __builtins__, sys.argv, sys.path)\n"
            "fails()\n"
        )
        (where / "exits.py").write_text("import sys\nsys.exit('a message')\n")
        (where / "syntax.py").write_text("def f(:\n")
        (where / "hook.py").write_text("import sys\nsys.excepthook = lambda kind, error, trace: print(trace.tb_lineno)\nx = 1 / 0\n")
        (where / "chain.py").write_text("try: x = 1 / 0\nexcept ZeroDivisionError as error: raise ValueError('another') from error\n")
        for script, status in (("s.py", 1), ("exits.py", 1), ("syntax.py", 1), ("hook.py", 1), ("chain.py", 1)):
            alone = subprocess.run(["python3", script, "a"], cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            run = subprocess.run(self.command("-q", "-o", f"{script}.out", script, "a"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            expect(f"{script}: as by Python", (run.returncode, run.stdout) == (alone.returncode, alone.stdout) and alone.returncode == status, (run, alone))
            expect(f"{script}: its messages", run.stderr.startswith(alone.stderr), (run.stderr, alone.stderr))
            expect(f"{script}: its status", ("ended with status 1 before it left" in run.stderr) == (script == "syntax.py"), run.stderr)
            expect(f"{script}: its profile", (where / f"{script}.out").exists() == (script != "syntax.py"), self.profiles(where))

    def test_interpreter_of_scripts(self):
        where = self.directory("interpreters")
        (where / "sources").mkdir()
        (where / "sources/empty.py").write_text("print('hello')\n")
        for name, line in (("env", "/usr/bin/env -S perl -w"), ("direct", "/usr/bin/perl"), ("direct-plain", "/usr/bin/perl -w"), ("set", "/usr/bin/env -S A=1 perl")):
            (where / f"{name}.pl").write_text(f"#!{line}\nprint 'hello';\n")
            (where / f"{name}.pl").chmod(0o644 if name == "direct-plain" else 0o755)

        def started(*words):
            run = subprocess.run(self.command("--dry-run", *words), cwd=where, capture_output=True, text=True, timeout=60)
            return run.stdout.strip().split("callgrind.out.%p ")[-1].split(" -- ")[-1]

        for words, expected in (
            (("--interpreter", "env.pl", "a"), "perl -w env.pl a"),
            (("--interpreter", "./direct.pl"), "./direct.pl"),
            (("--cache", "direct-plain.pl"), "/usr/bin/perl -w direct-plain.pl"),
            (("--branches", "./direct-plain.pl"), "/usr/bin/perl -w ./direct-plain.pl"),
            (("--callers", "2", "./set.pl"), "./set.pl"),
            (("--sample", "./env.pl"), "./env.pl"),
            (("--sample", "direct-plain.pl"), "/usr/bin/perl -w direct-plain.pl"),
            (("--directory", "sources", "--interpreter", "empty.py", "a"), "python3 empty.py a"),
        ):
            expect(f"what is started: {words}", started(*words) == expected, started(*words))
        run = subprocess.run(self.command("--cache", "-o", "out", "env.pl"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        expect("the profile of an interpreter", (run.returncode, run.stdout) == (0, "hello") and "out" in self.profiles(where) and "perl is an interpreter" in run.stderr, run)
        run = subprocess.run(self.command("--interpreter", "sources/empty.py"), cwd=where, env={"PATH": "/nowhere"}, capture_output=True, text=True, timeout=60)
        expect("no interpreter", run.returncode == 127 and "python3: no such program" in run.stderr, run)

    def test_temporary_directory_of_scripts(self):
        """No character of it is special."""
        for ending, (text, *_) in LANGUAGES.items():
            where = self.directory(f"temporary-{ending}")
            temporary = where / "a'b\"c\\d ${HOME};%p,e:f=g"
            temporary.mkdir()
            (where / f"s.{ending}").write_text(text)
            run = subprocess.run(
                self.command("-o", "out", f"s.{ending}"), cwd=where, env={**os.environ, "TMPDIR": str(temporary)}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
            )
            expect(f"{ending}: TMPDIR", run.returncode == 125 or (run.returncode == 0 and (where / "out").exists()), run)

    def test_script_of_one_line(self):
        where = self.directory("one-line")
        (where / "s.rb").write_text("def fib(n) n < 2 ? n : fib(n - 1) + fib(n - 2) end; fib(10)\n")
        run = subprocess.run(self.command("-o", "out", "s.rb"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        if run.returncode != 125:
            text = (where / "out").read_text()
            expect("rb: the unit of times", text.startswith("event: wall_time : Elapsed time (us)\nevents: wall_time\n"), text[:100])
            expect("rb: nothing of what starts the profiler", "fib" in text and "callcost-record" not in text and "Process" not in text and "Integer::==" not in text, text)

    def test_modules_beside_scripts(self):
        """A profiler's own modules are not searched in the working directory."""
        where = self.directory("modules")
        (where / "scripts").mkdir()
        (where / "scripts/s.py").write_text("print('hello')\n")
        for name in ("cProfile", "pstats", "types", "io"):
            (where / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
        run = subprocess.run(self.command("-q", "-o", "out", "scripts/s.py"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        expect("modules of the working directory", run.stdout == "hello\n" and "wrong" not in run.stderr, run)

    def test_modules_of_scripts(self):
        """Those beside it are its own, unless it is isolated."""
        where = self.directory("own-modules")
        (where / "profile.py").write_text("def hello(): print('own')\n")
        (where / "s.py").write_text("import profile, re, enum\nprofile.hello()\n")
        run = subprocess.run(self.command("-q", "-o", "out", "s.py"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        expect("own modules", (run.returncode, run.stdout) == (0, "own\n"), run)
        (where / "json.py").write_text("print('hidden')\n")
        (where / "i.py").write_text("#!/usr/bin/env -S python3 -I\nimport json\nprint(json.dumps(1))\n")
        run = subprocess.run(self.command("-q", "-o", "out", "i.py"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        expect("isolated", (run.returncode, run.stdout) == (0, "1\n"), run)

    def test_links_in_the_way_of_a_profile(self):
        """They are replaced, also from another file system."""
        where = self.directory("links")
        for temporary in ("/dev/shm", str(where)):
            (where / "victim").write_text("kept\n")
            (where / "s.py").write_text("import os\nos.path.lexists('out') or os.symlink('victim', 'out')\n")
            (where / "out").unlink(missing_ok=True)
            run = subprocess.run(self.command("-q", "-o", "out", "s.py"), cwd=where, env={**os.environ, "TMPDIR": temporary}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            expect("links", run.returncode == 0 and (where / "victim").read_text() == "kept\n" and not (where / "out").is_symlink(), run)

    def test_script_without_profiler(self):
        where = self.directory("no-profiler")
        (where / "s.rb").write_text("puts 1\n")
        (where / "ruby").write_text("#!/bin/false\n")
        (where / "ruby").chmod(0o755)
        for path, text in ((where, "apt install ruby-prof"), ("/nowhere", "'apt install ruby'")):
            run = subprocess.run(self.command("s.rb"), cwd=where, env={"PATH": str(path)}, capture_output=True, text=True, timeout=60)
            expect("what is missing", run.returncode == 125 and text in run.stderr and self.profiles(where) == ["ruby", "s.rb"], run)

        (where / "perl").symlink_to(shutil.which("perl"))
        (where / "s.pl").write_text("print 1;\n")
        run = subprocess.run(self.command("s.pl"), cwd=where, env={"PATH": str(where)}, capture_output=True, text=True, timeout=60)
        expect("no nytprofcg", run.returncode == 125 and "apt install libdevel-nytprof-perl" in run.stderr, run)
        (where / "tool.py").write_text("#!/usr/bin/env python9\n")
        run = subprocess.run(self.command("./tool.py"), cwd=where, capture_output=True, text=True, timeout=60)
        expect("no interpreter", run.returncode == 125 and "python9, the interpreter of ./tool.py, was not found" in run.stderr, run)

    def test_interpreter_of_another_directory(self):
        """It is run where the script is, and not for --dry-run."""
        where = self.directory("interpreter")
        (where / "d/bin").mkdir(parents=True)
        (where / "d/bin/python3").write_text(f'#!/bin/sh\necho ran >>"{where}/ran"\nexec python3 "$@"\n')
        for path, text in (("d/bin/python3", None), ("d/s.py", "#!./bin/python3\nprint('hello')\n")):
            if text:
                (where / path).write_text(text)
            (where / path).chmod(0o755)
        words = ("-q", "--directory", "d", "-o", "out")
        run = subprocess.run(self.command(*words, "--dry-run", "s.py"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        expect("--dry-run runs nothing", run.returncode == 0 and "./bin/python3 -c" in run.stdout and self.profiles(where) == ["d"], run)
        run = subprocess.run(self.command(*words, "s.py"), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        expect("an interpreter in --directory", run.stdout == "hello\n" and self.profiles(where) == ["d", "out", "ran"], run)

    def test_interrupted_script(self):
        process = self.spawn("script-interrupt", "-o", "out", "../../s.py")
        expect("it runs", process.stdout.readline() == b"ready\n")
        os.killpg(process.pid, signal.SIGINT)
        _, err, status, files = self.finish(process)
        expect("Ctrl-C leaves a profile", status == 130 and files == ["out"] and "interrupted: the profile ends there" in err, (status, files, err))

    def test_gate(self):
        where = self.directory("gate")

        def gate(*words):
            run = subprocess.run(self.command(*words), cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            return run.returncode, run.stderr

        rule = ("--compare", "old", "--force", "--fail-if", "Ir > +5%")
        expect("without a gate", gate("-o", "old", "../../work", "500")[0] == 0)
        status, err = gate("-o", "new", *rule, "../../work", "500")
        expect("a gate that holds", status == 0 and "  passed  Ir > +5%\n" in err, (status, err))
        expect("without the list of functions", "inclusive" not in err, err)
        status, err = gate("-o", "new", *rule, "../../work", "900")
        expect("a gate that fails", status == 3 and "  FAILED  Ir > +5%\n" in err, (status, err))
        expect("its verdict, once, at the end", err.count("regression: ") == 1 and "\n\nregression: 1 of 1 rule failed: " in err and err.index("regression: ") > err.index("Self cost"), err)
        expect("a gate of a program that fails", gate("-o", "new", *rule, "../../work", "900", "9")[0] == 9)
        better = ("--compare", "old", "--force", "--fail-if", "Ir < -5%", "--fail-on-improvement")
        expect("an improvement", gate("-o", "new", *better, "../../work", "100")[0] == 5)
        status, err = gate("-o", "same", "--repeat", "2", "../../work", "1")
        expect("--repeat", status == 0 and "Deterministic: " in err, (status, err))
        status, err = gate("-o", "random", "--repeat", "3", "bash", "-c", "for ((i = RANDOM % 300; i > 0; --i)); do :; done")
        expect("--repeat of what varies", status == 0 and "Not deterministic: " in err and "range" in err, (status, err))
        expect("files of --repeat", {"random", "random.run2", "random.run3"} <= set(self.profiles(where)), self.profiles(where))
        status, err = gate("-o", "fails", "--repeat", "3", "../../work", "1", "9")
        expect("--repeat of what fails", status == 9 and "run 1 of 3 failed" in err, (status, err))


def main():
    program, compiler = os.path.abspath(sys.argv[1]), sys.argv[2]
    if shutil.which("valgrind") is None:
        print("no Valgrind")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = str(pathlib.Path(folder, "temporary"))
        os.mkdir(os.environ["TMPDIR"])
        tests = Tests(program, compiler, folder)
        tests.run_on_terminal()  # these fork: before there are threads
        tests.run_beside_terminal()
        names = [name for name in dir(tests) if name.startswith("test_")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:  # most of them wait
            list(pool.map(lambda name: getattr(tests, name)(), names))
        left = [name for name in os.listdir(os.environ["TMPDIR"]) if not name.startswith("vgdb-pipe")]  # of killed processes
        expect("temporary files are removed, but for those of the command that was killed", len(left) <= 1, left)
    print("\n".join(failures) or "; ".join([f"record: {len(names)} tests with real programs passed", *(f"not tested: {why}" for why in skipped)]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
