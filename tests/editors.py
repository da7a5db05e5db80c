#!/usr/bin/env python3
"""`--quickfix` of `lines` and `diff` in editors: Vim and, if it is there, Neovim really make their lists of it; the tasks of
docs/editors.md for VS Code find the same places; what that page shows is what comes out.

usage: editors.py EXECUTABLE   (named callcost)

Skipped (status 77) where Vim is not installed; ./dev test installs it.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/editors.md").read_text("utf-8")
PROFILES = ROOT / "tests/profiles"
SOURCES = ["here/a b.c", "here/c:12:d.c", "here/é.c"]
WINDOWS = r"C:\proj\x.php"
failures = []


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what}:\n  found    {found!r}\n  expected {wanted!r}")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


def profile(costs):
    """Of (recorded file, line, cost); each file has a function of its own."""
    text = "events: Ir\n"
    for number, (file, line, cost) in enumerate(costs):
        text += f"fl={file}\nfn=f{number}(int)\n{line} {cost}\n"
    return text


def callcost(program, folder, *words):
    run = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=60)
    expect(f"callcost {' '.join(words)}: status and standard error", (run.returncode, run.stderr), (0, ""))
    return run.stdout


def editor_lists(editor, program, folder, words):
    """The list after the page's command with these words: its entries, where the cursor is, and how the list is shown."""
    (folder / "commands.vim").write_text(blocks("vim")[0])
    (folder / "after.vim").write_text("""
let list = map(getqflist(), {_, entry -> [entry.valid ? bufname(entry.bufnr) : '', entry.lnum, entry.col, trim(entry.text)]})
call writefile([json_encode([list, expand('%:p'), line('.'), execute('clist!')])], 'list.json')
qall!
""")
    start = ["vim", "-Nu", "commands.vim", "-es"] if editor == "vim" else [editor, "-u", "commands.vim", "--headless"]
    environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TERM": "dumb", "HOME": str(folder)}
    subprocess.run([*start, "-c", " ".join(words), "-c", "source after.vim"], cwd=folder, env=environment, capture_output=True, timeout=60)
    return json.loads((folder / "list.json").read_text())


def problems(matchers, output):
    """What VS Code makes of the output, one after the other; the expressions mean the same in Python."""
    found = []
    for line in output.splitlines():
        for matcher in matchers if isinstance(matchers, list) else [matchers]:
            pattern = matcher["pattern"]
            if match := re.search(pattern["regexp"], line):
                found.append((match[pattern["file"]], int(match[pattern["line"]]), matcher["severity"], match[pattern["message"]]))
    return found


def check_lists(program, folder):
    for name in SOURCES:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("line\n" * 20)
    # In the order of cost: found as they are, found elsewhere, a file of another machine, one that is not there.
    costs = [(SOURCES[0], 3, 400), (SOURCES[1], 5, 300), ("/build/é.c", 7, 100), (WINDOWS, 12, 90), ("/gone/x.c", 9, 60)]
    # In no place: no line, no file, no path. The last line is damaged, which a warning would say.
    nowhere = [(SOURCES[0], 0, 20), ("???", 4, 20), ("php:internal", 8, 10)]
    (folder / "new.out").write_text(profile(costs + nowhere) + "what is this\n")
    options = "--source-map /build=here new.out"
    wanted = [
        [SOURCES[0], 3, 1, "40.00% Ir (400): f0(int)"],
        [SOURCES[1], 5, 1, "30.00% Ir (300): f1(int)"],
        [SOURCES[2], 7, 1, "10.00% Ir (100): f2(int)"],
        [WINDOWS, 12, 1, "9.00% Ir (90): f3(int)"],
        ["/gone/x.c", 9, 1, "6.00% Ir (60): f4(int)"],
    ]
    rest = "95.00% Ir in 5 lines, 5.00% Ir in no known source line; 'callcost info' lists problems of the profile"
    output = callcost(program, folder, "lines", "--quickfix", *options.split())
    expect("lines", output, "".join(f"{place[0]}:{place[1]}:1: {place[3]}\n" for place in wanted) + rest + "\n")

    older = [(file, line, cost + change) for (file, line, cost), change in zip(costs, (-100, +50, 0, 0, 0))]
    (folder / "old.out").write_text(profile(older + nowhere))
    changes = [
        [SOURCES[0], 3, 1, "+10.53% of all Ir (300 -> 400): f0(int)"],
        [SOURCES[1], 5, 1, "-5.26% of all Ir (350 -> 300): f1(int)"],
    ]
    verdict = "costs more: Ir 950 -> 1000, +50 (+5.26%)"

    tasks = json.loads(blocks("json")[0])["tasks"]
    expect("tasks", [task["args"][:2] for task in tasks], [["lines", "--quickfix"], ["diff", "--quickfix"]])
    expect("VS Code: lines", problems(tasks[0]["problemMatcher"], output), [(file, line, "info", text) for file, line, _, text in wanted])
    (folder / "new.out").write_text(profile(costs + nowhere))
    output = callcost(program, folder, "diff", "--quickfix", "old.out", "new.out")
    expect("VS Code: diff", problems(tasks[1]["problemMatcher"], output),
           [(file, line, "warning" if text.startswith("+") else "info", text) for file, line, _, text in changes])  # fmt: skip

    for editor in filter(shutil.which, ("vim", "nvim")):
        (folder / "new.out").write_text(profile(costs + nowhere) + "what is this\n")
        places, opened, line, _ = editor_lists(editor, program, folder, ["Callcost", options])
        expect(f"{editor}: lines", places, [*wanted, ["", 0, 0, rest]])
        expect(f"{editor}: first place", (opened, line), (str(folder / SOURCES[0]), 3))
        (folder / "new.out").write_text(profile(costs + nowhere))
        places, opened, line, _ = editor_lists(editor, program, folder, ["CallcostDiff", "old.out new.out"])
        expect(f"{editor}: diff", places, [*changes, ["", 0, 0, verdict]])
        # An error is shown, and is no place.
        places, opened, _, _ = editor_lists(editor, program, folder, ["Callcost", "missing.out"])
        expect(f"{editor}: error", (places[0][:3], "missing.out" in places[0][3], opened), (["", 0, 0], True, ""))


def check_page(program, folder):
    for text in blocks("console"):
        command, wanted = text.removeprefix("$ callcost ").split("\n", 1)
        expect("docs/editors.md", callcost(program, PROFILES, *command.split()), wanted)
    shutil.copytree(PROFILES / "sources/php", folder / "sources/php")
    shutil.copytree(PROFILES / "xdebug", folder / "xdebug")
    words = re.search(r"`:Callcost (-n .*?)` this is", PAGE)[1]
    for editor in filter(shutil.which, ("vim", "nvim")):
        shown = editor_lists(editor, program, folder, ["Callcost", words])[3]
        expect(f"docs/editors.md: {editor}", shown.strip("\n") + "\n", blocks("text")[0])


def main():
    if not shutil.which("vim"):
        print("no Vim here: skipped")
        return 77
    program = pathlib.Path(sys.argv[1]).resolve()
    for check in (check_lists, check_page):
        with tempfile.TemporaryDirectory() as folder:
            check(program, pathlib.Path(folder))
    print("\n".join(failures) or "editors: all places found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
