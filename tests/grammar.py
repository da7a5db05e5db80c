#!/usr/bin/env python3
"""Compares the grammar of docs/format.md with the parser: a line is as the grammar says if, and only if, `callcost check` has nothing
to say about its spelling. Tried with the lines of all real profiles, and with lines that are made of them by changing some bytes.

usage: grammar.py EXECUTABLE [SEED]
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What the grammar says in words.
SPECIAL = {
    "any byte except LF": rb"[^\n]",
    "any byte except LF and Blank": rb"[^\n \t]",
    "any byte except LF, Blank and those of Sign, '*', ':' and '='": rb"[^\n \t:=+*-]",
    "any byte except LF, ':' and '='": rb"[^\n:=]",
    "LF": rb"\n",
    "CR": rb"\r",
    "TAB": rb"\t",
    "0xEF 0xBB 0xBF": rb"\xef\xbb\xbf",
    "0 to 9": rb"[0-9]",
    "A to Z, a to z": rb"[A-Za-z]",
    "0 to 9, A to F, a to f": rb"[0-9A-Fa-f]",
}
BLANKS = rb"[ \t]*"
TOKENS = "(* tokens: no blanks between their pieces *)"
# Of the lines that the grammar does not describe.
MISSPELLED = {"unknown-line", "bad-cost", "bad-call-count", "bad-number", "unreadable-summary", "unreadable-totals", "bad-formula", "unknown-position"}
CHANGES = b" \t0189axfe+-*=:#()'./,%_" + b"\xc3"
BEFORE = b"version: 1\ncreator: grammar\npositions: line\nevents: Ir Bc\nfl=a\nfn=f\n1 1 1\n"
AFTER = b"\nfn=f\n1 1 1\n"


class Grammar:
    """Rules as regular expressions; no rule of the format needs more."""

    def __init__(self, text):
        before, after = text.split(TOKENS)
        self.rules = {}
        for part, blanks in ((before, BLANKS), (after, b"")):
            part = re.sub(r"\(\*.*?\*\)", " ", part, flags=re.DOTALL)
            for rule in re.findall(r"(\w+)\s*=((?:\"[^\"]*\"|\?[^?]*\?|[^;\"?])*);", part):
                self.rules[rule[0]] = (rule[1], blanks)
        self.made = {}

    def expression(self, name):
        if name not in self.made:
            text, blanks = self.rules[name]
            words = re.findall(r"\"[^\"]*\"|\?[^?]*\?|\w+|[-|,{}\[\]()]", text)
            self.made[name], rest = self.alternatives(words, blanks)
            assert not rest, (name, rest)
        return self.made[name]

    def alternatives(self, words, blanks):
        all_of_them = []
        while True:
            one, words = self.sequence(words, blanks)
            all_of_them.append(one)
            if not words or words[0] != "|":
                return b"(?:" + b"|".join(all_of_them) + b")", words
            words = words[1:]

    def sequence(self, words, blanks):
        pieces = []
        while True:
            piece, words = self.piece(words, blanks)
            if words and words[0] == "-":  # there is one such rule, and what follows in it is a colon
                but, words = self.piece(words[1:], blanks)
                piece = b"(?!" + but + blanks + b":)" + piece
            pieces.append(piece)
            if not words or words[0] != ",":
                return blanks.join(pieces), words
            words = words[1:]

    def piece(self, words, blanks):
        word, rest = words[0], words[1:]
        if word in "{[(":
            inner, rest = self.alternatives(rest, blanks)
            inner = {"{": b"(?:" + inner + blanks + b")*", "[": inner + b"?", "(": inner}[word]
            return inner, rest[1:]
        if word[0] == '"':
            return re.escape(word[1:-1].encode()), rest
        if word[0] == "?":
            return SPECIAL[word[1:-1].strip()], rest
        return self.expression(word), rest

    def matcher(self, name):
        return re.compile(BLANKS + self.expression(name) + BLANKS, re.DOTALL)


def of_document():
    text = (ROOT / "docs/format.md").read_text()
    return Grammar(re.search(r"```ebnf\n(.*?)```", text, re.DOTALL)[1])


def verdicts(program, lines):
    """For each line, behind BEFORE: what `check` finds about its spelling."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for begin in range(0, len(lines), 400):
            names = []
            for number, line in enumerate(lines[begin : begin + 400]):
                names.append(f"{number:03}")
                (pathlib.Path(folder) / names[-1]).write_bytes(BEFORE + line + AFTER)
            done = subprocess.run([program, "check", "--json", *names], cwd=folder, capture_output=True, timeout=300)
            for file in json.loads(done.stdout)["files"]:
                found.append(sorted({finding["id"] for finding in file["findings"]} & MISSPELLED))
    return found


def lines_of(path):
    return {line.removesuffix(b"\r") for line in path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")}


def profiles():
    for path in sorted((ROOT / "tests/profiles").rglob("*")):
        if path.is_file() and path.suffix not in (".md", ".tsv", ".gz", ".zst", ".xz", ".bz2") and "sources" not in path.parts:
            yield path


def undescribed(program, described):
    """Of whole files: those with lines that the grammar does not describe, and those that `check` finds misspelled lines in."""
    paths = list(profiles())
    done = subprocess.run([program, "check", "--json", *map(str, paths)], capture_output=True, timeout=300)
    for path, file in zip(paths, json.loads(done.stdout)["files"], strict=True):
        others = [line for line in lines_of(path) if not described.fullmatch(line)]
        found = sorted({finding["id"] for finding in file["findings"]} & MISSPELLED)
        if file["is_profile"]:
            yield path, others, found


def sampled(rng, kind_of):
    """Lines of the real profiles, some of each kind."""
    by_kind = {}
    for path in profiles():
        for line in lines_of(path):
            if len(line) < 300:
                by_kind.setdefault(kind_of(line), set()).add(line)
    return {kind: rng.sample(sorted(lines), min(len(lines), 60)) for kind, lines in sorted(by_kind.items())}


def changed(rng, line):
    line = bytearray(line)
    for _ in range(rng.choice((1, 1, 2, 3))):
        place = rng.randrange(len(line) + 1)
        byte = rng.choice(CHANGES)
        how = rng.randrange(3)
        if how == 0 or place == len(line):
            line.insert(place, byte)
        elif how == 1:
            line[place] = byte
        else:
            del line[place]
    return bytes(line)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    whole = of_document().matcher("Described")
    of_files = list(undescribed(program, whole))
    grammar = of_document()
    # One position column and two event types, as BEFORE says.
    grammar.rules["Columns"] = ("Pos", BLANKS)
    grammar.rules["Values"] = ("Cost , [ B , Cost , [ B , Text ] ]", BLANKS)
    grammar.rules["Target"] = ("[ B , Pos , [ B , Text ] ]", BLANKS)
    described = grammar.matcher("Described")
    kinds = {name: grammar.matcher(name) for name in ("Empty", "Comment", "Separator", "CostLine", "NameSpec", "CallSpec", "JumpSpec", "HiddenSpec", "Version",
                                                      "Positions", "Events", "Event", "Costs", "Section", "Other")}

    def kind_of(line):
        return next((name + (line[:2].decode("latin-1") if name == "NameSpec" else "") for name, matcher in kinds.items() if matcher.fullmatch(line)), "Unknown")

    samples = sampled(rng, kind_of)
    missing = [name for name in kinds if not any(kind.startswith(name) for kind in samples)]
    lines = [line for some in samples.values() for line in some]
    lines += [changed(rng, line) for line in lines for _ in range(3)]
    wrong = [f"{path}: {others[:3]} not in the grammar, found: {found}" for path, others, found in of_files if bool(others) != bool(found)]
    misspelled = 0
    for line, found in zip(lines, verdicts(program, lines), strict=True):
        is_described = described.fullmatch(line) is not None
        misspelled += not is_described
        if is_described == bool(found):
            wrong.append(f"{line!r}: {'as the grammar says' if is_described else 'not in the grammar'}, but {found or 'nothing is found'}")
    print(f"{len(of_files)} whole profiles, {sum(bool(others) for _, others, _ in of_files)} with other lines than those of the grammar")
    print(f"{len(lines)} lines of {len(samples)} kinds, {misspelled} not in the grammar")
    for text in [f"no {name} in any profile" for name in missing] + wrong[:40]:
        print(text)
    if misspelled < len(lines) / 50:
        wrong.append("too few")
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
