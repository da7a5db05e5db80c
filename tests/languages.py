#!/usr/bin/env python3
"""The commands of docs/languages.md work, of each language that is installed, and show its functions.

usage: languages.py EXECUTABLE
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TEXT = (pathlib.Path(__file__).resolve().parent.parent / "docs/languages.md").read_text("utf-8")
PROGRAMS = {
    "fib.cpp": "static int __attribute__((noinline)) fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\nint main(int argc, char**) { return fib(argc + 19) == 0; }\n",
    "fib.php": "<?php function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }\nfib(20);\n",
    "fib.py": "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(20)\n",
    "fib.rb": "def fib(n) n < 2 ? n : fib(n - 1) + fib(n - 2) end\nfib(20)\n",
    "fib.pl": "sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }\nfib(20);\n",
    "fib.js": "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }\nfib(34)\n",
    "fib.rs": "fn fib(n: u64) -> u64 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }\nfn main() { println!(\"{}\", fib(std::env::args().count() as u64 + 19)); }\n",
    "fib.hs": "fib :: Int -> Int\nfib n = if n < 2 then n else fib (n - 1) + fib (n - 2)\n{-# NOINLINE fib #-}\nmain :: IO ()\nmain = print (fib 20)\n",
    "go.mod": "module fib\n\ngo 1.19\n",
    "fib_test.go": 'package fib\n\nimport "testing"\n\nfunc fib(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn fib(n-1) + fib(n-2)\n}\n\n'
    "func BenchmarkFib(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tfib(20)\n\t}\n}\n",
}
TOOLS = {"C and C++": "g++", "PHP": "php", "Python": "python3", "Ruby": "ruby", "Perl": "perl", "Node.js": "node", "Go": "go", "Rust": "rustc", "Haskell": "ghc"}


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    failures, absent, tested = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(program, pathlib.Path(folder, "callcost"))
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "GOFLAGS": "-mod=mod", "GOPROXY": "off"}
        sections = re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.M | re.S)
        for language, section in sections:
            steps = re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S)
            if bool(steps) != (language in TOOLS):
                failures.append(f"{language}: {len(steps)} steps")
            if not steps:
                continue
            if not shutil.which(TOOLS[language]):
                absent.append(f"{TOOLS[language]} is not installed")
                continue
            own = pathlib.Path(folder, language)
            own.mkdir()
            for name, text in PROGRAMS.items():
                if not name.endswith(".cpp") or "g++" in section:  # Go refuses C++ beside its own files
                    (own / name).write_text(text, "utf-8")
            done = subprocess.run(["bash", "-ec", "\n".join(steps)], cwd=own, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)  # fmt: skip
            if done.returncode == 125 and "apt install " in done.stdout:
                absent.append(f"{language}: {re.search(r'apt install [^ ]+', done.stdout)[0]}")
                continue
            tested += 1
            if done.returncode != 0 or not re.search(r"^ *\d.*fib", done.stdout, re.M):
                failures.append(f"{language} fails with {done.returncode}: {done.stdout}")
        if len(sections) != 11:
            failures.append(f"{len(sections)} languages")
    print("\n".join(failures) or "; ".join([f"languages: {tested} work", *(f"not tested: {what}" for what in absent)]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
