#!/usr/bin/env python3
"""bash, zsh and fish complete commands, every option of every command's help, and what options take.

usage: completions.py EXECUTABLE   (named callcost)
"""

import os
import pathlib
import subprocess
import sys

from manual import commands, help_of, options

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROFILE = "tests/profiles/callgrind/cachesim-branch.out"

# Each gets the number of the word to complete and the words of a command line; it prints the completions, one per line.
BASH = """
source completions/callcost.bash
COMP_CWORD=$1 COMP_WORDS=("${@:2}") COMP_LINE="${*:2:$1+1}"
COMP_POINT=${#COMP_LINE}
_callcost
printf '%s\\n' "${COMPREPLY[@]}"
"""
# Outside of the line editor: what would show completions prints them.
ZSH = """
compadd() {
    local prefix=
    while [[ $1 == -* && $1 != -- ]]; do [[ $1 != -P ]] || { prefix=$2; shift }; shift; done
    print -rl -- $prefix${^@[2,-1]}
}
_describe() { print -rl -- ${${(P)@[-1]}%%:*} }
_files() { print -rl -- ${words[CURRENT]}*(N) }
words=("${@[2,-1]}") CURRENT=$(($1 + 1))
source completions/_callcost
"""
FISH = """
source completions/callcost.fish
complete -C (string join ' ' -- (string escape -- $argv[2..-2]) $argv[-1]) | string replace -r '\\t.*' ''
"""
SHELLS = {
    "bash": ["bash", "--norc", "-c", BASH, "bash"],
    "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
    "fish": ["fish", "--no-config", "-c", FISH],
}


def completions(shell, folder, words, at):
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    run = subprocess.run(
        [*SHELLS[shell], str(at), "callcost", *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    return set(run.stdout.splitlines()) | ({f"stderr: {run.stderr}"} if run.stderr else set())


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    folder = program.parent
    failures = []

    def expect(shell, words, wanted, at=None):
        found = completions(shell, folder, words, at or len(words))
        if wanted - found or any(row.startswith("stderr") for row in found):
            failures.append(f"{shell}: callcost {' '.join(words)}<TAB>: {sorted(wanted - found)} not in {sorted(found)}")

    for shell in SHELLS:
        expect(shell, ["t"], {"top"})
        expect(shell, [""], set(commands(program)) | {"help"})
        for command in commands(program):
            long = {name for name in options(program, command) if name.startswith("--")}
            expect(shell, [command, "--"], long | {"--help"})
        expect(shell, ["top", "--sort", ""], {"self", "inclusive", "called", "name"})
        expect(shell, ["annotate", "--sort", ""], {"self", "inclusive", "called", "name"})
        expect(shell, ["top", "--contexts", "f"], {"fold"})
        expect(shell, ["top", "--group", ""], {"object", "file", "directory", "namespace", "cycle"})
        expect(shell, ["top", PROFILE, "-e", ""], {"Ir", "D1mr", "CEst"})
        expect(shell, ["annotate", PROFILE, "--show", ""], {"Ir", "D1mr", "CEst"})
        expect(shell, ["top", PROFILE, "--show", "mai"], {"main"})
        expect(shell, ["annotate", "--tree", ""], {"none", "caller", "calling", "both"})
        expect(shell, ["annotate", "--auto", ""], {"yes", "no"})
        expect(shell, ["annotate", "-I", "sr"], {"src/" if shell == "fish" else "src"})
        expect(shell, ["top", "tests/profiles/callgrind/cachesim-b"], {PROFILE})
        # bash cuts words at a '=', and completes what follows it.
        expect(shell, ["top", "--color=al"], {"--color=always"}) if shell != "bash" else expect(
            shell, ["top", "--color", "=", "al"], {"always"}
        )
        # Functions: the pattern of peek, before the file; fish is asked about ends of lines only, where none is.
        if "peek" in commands(program) and shell != "fish":
            expect(shell, ["peek", "mai", PROFILE], {"main"}, 2)

    print("\n".join(failures) or "completions: all there")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
