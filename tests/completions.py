#!/usr/bin/env python3
"""What `callcost completion` prints completes commands, every option of every command's help, and what options take:
in bash, zsh and fish. There is no PowerShell to run its script in: the expressions in it find the same in all help texts.

usage: completions.py EXECUTABLE   (named callcost)
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from manual import commands, help_of, options

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = tempfile.TemporaryDirectory()
PROFILE = "tests/profiles/callgrind/cachesim-branch.out"

# Each gets the number of the word to complete and the words of a command line; it prints the completions, one per line.
BASH = """
source "$SCRIPTS"/bash
COMP_CWORD=$1 COMP_WORDS=("${@:2}") COMP_LINE="${*:2:$1+1}"
COMP_POINT=${#COMP_LINE}
_callcost
printf '%s\\n' "${COMPREPLY[@]}"
"""
# Outside of the line editor: what would show completions prints them.
ZSH = """
compadd() {
    local prefix=
    local suffix=
    while [[ $1 == -* && $1 != -- ]]; do
        case $1 in
            -P) prefix=$2; shift ;;
            -S*) suffix=${1#-S} ;;
        esac
        shift
    done
    print -rl -- $prefix${^@[2,-1]}$suffix
}
_describe() { print -rl -- ${${(P)@[-1]}%%:*} }
_files() { print -rl -- ${words[CURRENT]}*(N) }
compset() { words[CURRENT]=${words[CURRENT]#*=} }
words=("${@[2,-1]}") CURRENT=$(($1 + 1))
source $SCRIPTS/zsh
"""
FISH = """
source $SCRIPTS/fish
complete -C (string join ' ' -- (string escape -- $argv[2..-2]) $argv[-1]) | string replace -r '\\t.*' ''
"""
SHELLS = {
    "bash": ["bash", "--norc", "-c", BASH, "bash"],
    "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
    "fish": ["fish", "--no-config", "-c", FISH],
}


def write_scripts(program):
    for shell, file in {**{shell: f"callcost.{shell}" for shell in SHELLS}, "zsh": "_callcost", "powershell": "callcost.ps1"}.items():
        printed = subprocess.run([program, "completion", shell], capture_output=True, check=True, timeout=60).stdout
        if printed != (ROOT / "completions" / file).read_bytes():
            sys.exit(f"callcost completion {shell} does not print completions/{file}")
        pathlib.Path(SCRIPTS.name, shell).write_bytes(printed)


def completions(shell, folder, words, at, where):
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "SCRIPTS": SCRIPTS.name}
    run = subprocess.run(
        [*SHELLS[shell], str(at), "callcost", *words], cwd=where, env=environment, capture_output=True, text=True, timeout=60
    )
    return set(run.stdout.splitlines()) | ({f"stderr: {run.stderr}"} if run.stderr else set())


def expect_comparisons(expect, shell):
    """What `diff` takes."""
    reports = {"md", "json", "csv", "junit", "github", "openmetrics", "benchmark-action", "folded", "text"}
    expect(["diff", "--format", ""], reports, unwanted={"action"})
    expect(["diff", "-o", ""], {f"{name}=" for name in reports})
    expect(["diff", "--match", ""], {"exact", "canonical", "fuzzy"}, unwanted={"renamed", "names"})
    expect(["diff", "--sort", ""], {"change", "relative", "increase", "decrease", "name"})
    expect(["diff", "--contexts", ""], {"keep", "fold"})
    expect(["split", "-o", "per"], {"perf/" if shell == "fish" else "perf"})
    if shell == "bash":
        expect(["diff", "-o", "md", "=", "per"], {"perf"})
        expect(["diff", "--github", "=", "a"], {"auto", "always"})
    else:
        expect(["diff", "-o", "md=per"], {"md=perf/" if shell == "fish" else "perf"})
        expect(["diff", "--github=a"], {"--github=auto", "--github=always"})


def powershell_failures(program):
    """Its expressions mean the same in Python, case included, as the script compares with -cmatch."""
    script = (ROOT / "completions/callcost.ps1").read_text()
    expressions = dict(re.findall(r"^    \$(\w+) = '(.*)'$", script, re.M))
    failures = []

    def expect(what, found, wanted):
        if found != wanted:
            failures.append(f"powershell: {what}: {found!r}, expected {wanted!r}")

    def words_of(command, name):
        """As $wordsOf says."""
        placeholder, text = next(row[2:] for row in rows(command) if row[1] == name)
        text = text.replace(" (default)", "")
        if "|" in placeholder:
            return placeholder.strip("[]= ").split("|")
        if re.search(expressions["explained"], text):
            return re.findall(expressions["explainedWord"], text)
        return re.split(", | or ", re.search(expressions["listed"], text)[0])

    def rows(command):
        wide = subprocess.run([program, command, "--help", "--all"], capture_output=True, text=True, check=True, env=os.environ | {"COLUMNS": "1000"}).stdout
        return [found.groups(default="") for found in map(re.compile(expressions["optionRow"]).search, wide.splitlines()) if found]

    listed = help_of(program).split("\nCommands:\n")[1].split("\n\n")[0].splitlines()
    expect("commands", {found[1] for found in map(re.compile(expressions["commandRow"]).search, listed) if found}, set(commands(program)))
    for command in commands(program):
        names = {name for letter, long, *_ in rows(command) for name in (letter and f"-{letter}", long) if name}
        expect(command, names, options(program, command))
    expect("--sort", words_of("top", "--sort"), ["self", "inclusive", "called", "name"])
    expect("--match", words_of("diff", "--match"), ["exact", "canonical", "fuzzy"])
    expect("--contexts", words_of("top", "--contexts"), ["keep", "fold"])
    expect("--color", words_of("top", "--color"), ["auto", "always", "never"])
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|#.*", "", script)
    for opening, closing in ("()", "[]", "{}"):
        expect(f"{opening} and {closing}", bare.count(opening), bare.count(closing))
    return failures


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    folder = program.parent
    failures = powershell_failures(program)
    write_scripts(program)

    def expect(shell, words, wanted, at=None, where=ROOT, unwanted=frozenset()):
        found = completions(shell, folder, words, at or len(words), where)
        if wanted - found or unwanted & found or any(row.startswith("stderr") for row in found):
            failures.append(f"{shell}: callcost {' '.join(words)}<TAB>: {sorted(wanted - found)} not in {sorted(found)}")

    with tempfile.TemporaryDirectory() as where:
        pathlib.Path(where, "perf").mkdir()
        pathlib.Path(where, "callcost.toml").write_text("[record.bench]\nprogram = 'a'\n[record.parse]\nprogram = 'b'\n")
        for shell in SHELLS:
            expect(shell, ["record", ""], {"bench", "parse"}, where=where)
            expect(shell, ["record", "b"], {"bench"}, where=where)
            expect_comparisons(lambda *rest, **more: expect(shell, *rest, where=where, **more), shell)

    for shell in SHELLS:
        expect(shell, ["completion", ""], {"bash", "zsh", "fish", "powershell"}, unwanted={"README.md"})
        expect(shell, ["history", "a"], {"add"})
        expect(shell, ["t"], {"top"})
        expect(shell, [""], set(commands(program)) | {"help"})
        for command in commands(program):
            long = {name for name in options(program, command) if name.startswith("--")}
            expect(shell, [command, "--"], long | {"--help"})
        expect(shell, ["top", "--sort", ""], {"self", "inclusive", "called", "name"})
        expect(shell, ["annotate", "--sort", ""], {"self", "inclusive", "called", "name"})
        expect(shell, ["record", "--tool", ""], {"callgrind", "cachegrind"})
        expect(shell, ["record", "--start", ""], {"on", "off"})
        if shell != "bash":
            expect(shell, ["record", "--cache="], {"--cache=yes", "--cache=no"})
        expect(shell, ["help", ""], set(commands(program)), unwanted={"README.md"})
        expect(shell, ["convert", "--to", ""], {"portable", "pprof", "speedscope", "svg", "tsv"}, unwanted={"OUT"})
        expect(shell, ["top", "--contexts", "f"], {"fold"})
        expect(shell, ["top", "--group", ""], {"object", "file", "directory", "namespace", "cycle"})
        expect(shell, ["top", PROFILE, "-e", ""], {"Ir", "D1mr", "CEst"})
        expect(shell, ["annotate", PROFILE, "--columns", ""], {"Ir", "D1mr", "CEst"})
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
