#!/usr/bin/env python3
"""The static command in a directory that it sees as the whole system: it needs nothing else, and says what is missing
for what does. One for a foreign processor is run by qemu-user, which then lies there, too.

    static.py EXECUTABLE
"""

import bz2
import gzip
import lzma
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/serve"))
from server import Viewer  # noqa: E402

PROFILES = ROOT / "tests/profiles"
LARGEST = 9 * 1024 * 1024  # bytes. SQLite is 1.2 million of it, the C library 1.0, Zstandard 0.6, C++ 0.6, the page 0.4
SECONDS = 300
PROCESSORS = {62: None, 183: "qemu-aarch64-static"}  # e_machine in ELF: what runs it here
# Arguments, exit status and a pattern of what is printed. Without the system's programs and files:
TRIALS = [
    (["--version"], 0, r"callcost \d+\.\d+\.\d+ \(build [0-9a-f]{40}\)"),
    (["top", "--help"], 0, "usage: callcost top"),
    *((["top", f"a.out{suffix}"], 0, "total +1962662 Ir") for suffix in ("", ".gz", ".bz2", ".xz", ".zst")),
    (["top", "--threads", "4", "a.out"], 0, "total +1962662 Ir"),
    (["annotate", "--json", "a.out"], 0, '"total":'),
    (["check", "a.out"], 0, "KCachegrind reads it correctly"),
    (["diff", "a.out", "a.out"], 0, "Ir"),
    (["convert", "--to", "pprof", "a.out", "-o", "a.pb"], 0, ""),
    (["info", "a.pb"], 0, "pprof"),
    (["report", "a.out", "-o", "report.html"], 0, ""),
    (["history", "add", "--store", "a.db", "--machine", "m", "a.out"], 0, "added: series"),
    (["history", "list", "--store", "a.db"], 0, r"entries .*\n +1 "),
    (["asm", "twice", "loop.out"], 0, "objdump"),
    (["record", "--", "/callcost"], 125, "apt install valgrind"),
    (["record", "--sample", "--", "/callcost"], 125, "apt install linux-perf"),
    (["convert", "--to", "svg", "a.out", "-o", "a.svg"], 1, "apt install graphviz|dot: exit status 127"),  # the latter: QEMU's vfork is fork
    (["convert", "a.out", "-o", "a.out.gz"], 2, "cannot write compressed output"),
    (["history", "list", "--store", "clickhouse://localhost/x"], 1, "static callcost has no client for servers"),
]


def main():
    executable = pathlib.Path(sys.argv[1])
    size = executable.stat().st_size
    machine = int.from_bytes(executable.read_bytes()[18:20], "little")
    wrong = [] if size <= LARGEST else [f"it has {size} bytes, more than {LARGEST}"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(executable, folder / "callcost")
        profile = (PROFILES / "callgrind/default.out").read_bytes()
        (folder / "a.out").write_bytes(profile)
        for path in ("loop", "loop.out"):
            shutil.copy(ROOT / "tests/golden/asm_program" / path, folder)
        (folder / "a.out.gz").write_bytes(gzip.compress(profile))
        (folder / "a.out.bz2").write_bytes(bz2.compress(profile))
        (folder / "a.out.xz").write_bytes(lzma.compress(profile))
        subprocess.run(["zstd", "-q", folder / "a.out", "-o", folder / "a.out.zst"], check=True)
        chroot, unshare = (shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") for tool in ("chroot", "unshare"))
        start = [chroot, name] if os.geteuid() == 0 else [unshare, "--map-root-user", chroot, name]
        if PROCESSORS[machine]:
            shutil.copy(shutil.which(PROCESSORS[machine]), folder / "emulator")
            start.append("/emulator")
        environment = {"CALLCOST_PAGER": "", "HOME": "/", "PATH": "/none"}
        for words, status, pattern in TRIALS:
            done = subprocess.run([*start, "/callcost", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment, timeout=SECONDS)
            printed = done.stdout + done.stderr
            if done.returncode != status or not re.search(pattern, printed):
                wrong.append(f"callcost {' '.join(words)}: exit status {done.returncode}, expected {status} and {pattern!r}:\n{printed[:1500]}")
        wrapper = folder / "start"
        wrapper.write_text(f"#!/bin/sh\nexec {' '.join(start)} /callcost \"$@\"\n")
        wrapper.chmod(0o755)
        for opens in (False, True):  # a browser, which there is none of
            with Viewer(str(wrapper), "a.out", opens=opens, env=environment) as viewer:
                status, _, body = viewer.request()
                if status != 200 or b"<!doctype html>" not in body[:100].lower():
                    wrong.append(f"view: HTTP status {status}, {body[:100]!r}")
                status, _, said = viewer.end(signal.SIGINT)
                if status != 0 and not (PROCESSORS[machine] and status == -signal.SIGINT):  # which QEMU ends by itself
                    wrong.append(f"view: exit status {status}: {said}")
    print(*wrong, f"{len(TRIALS) + 2} trials, {size} bytes: {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
