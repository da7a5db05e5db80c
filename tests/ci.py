#!/usr/bin/env python3
"""The shell steps of docs/ci.md do what the page says: on the main branch, for a change without effect, for a regression.

usage: ci.py EXECUTABLE   (named callcost)

A small C++ program is really built and profiled. Actions of GitHub, apt-get and gh are simulated; all other lines run.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = """#include <cstdio>
#include <cstdlib>

__attribute__((noinline)) static unsigned hash_of(unsigned word) {
    unsigned hash = word;
    for (int round = 0; round < %d; ++round) hash = hash * 33 + static_cast<unsigned>(round);
    return hash;
}

int main() {
    unsigned sum = 0;
    for (unsigned word = 0; word < 20000; ++word) sum += hash_of(word);
    std::printf("%%u\\n", sum);
}
"""
SAME, SLOWER = 20, 23
SIMULATED = {
    "sudo": 'exec "$@"\n',
    "apt-get": "exit 0\n",
    # Comments are files in $COMMENTS: `gh api [--paginate] PATH --jq FILTER`, `gh api --method POST|PATCH PATH -F body=@FILE`.
    "gh": """
[ -n "$GH_TOKEN" ] && [ "$1" = api ] || exit 9
case "$*" in
    *--jq*) [ ! -e "$COMMENTS/1" ] || { head -n 1 "$COMMENTS/1" | grep -q '^<!-- callcost-report:words -->$' && echo 1; } ;;
    *"--method POST repos/o/r/issues/7/comments -F body=@"*)
        cp "${!##body=@}" "$COMMENTS/$(($(ls "$COMMENTS" | wc -l) + 1))" ;;
    *"--method PATCH repos/o/r/issues/comments/1 -F body=@"*) cp "${!##body=@}" "$COMMENTS/1" ;;
    *) echo "gh: $*"; exit 9 ;;
esac
""",
}

failures = []


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what}: {found!r}, expected {wanted!r}")


# --- the page -----------------------------------------------------------------------------------------------------------


def blocks(language):
    """(heading, text)"""
    heading, found = "", []
    for part in re.split(r"^(## .*)$", (ROOT / "docs/ci.md").read_text("utf-8"), flags=re.M):
        if part.startswith("## "):
            heading = part[3:]
        found += [(heading, text) for text in re.findall(rf"^```{language}\n(.*?)^```", part, re.M | re.S)]
    return dict(found)


def block_of(lines, at):
    """The lines behind `key: |` that are deeper, and the number of the next one."""
    depth = len(lines[at]) - len(lines[at].lstrip(" -"))
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth - 2):
        if lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) < depth:
            break
        end += 1
    return textwrap.dedent("\n".join(lines[at + 1 : end])) + "\n", end


def steps_of(yaml):
    """The steps of the workflow: name, if, uses, run, env."""
    lines = re.sub(r"  +#.*| # .*", "", yaml[yaml.index("    steps:\n") :]).splitlines()[1:]
    steps, at, section = [], 0, None
    while at < len(lines):
        line = lines[at]
        key, _, value = line.strip().removeprefix("- ").partition(": ")
        if not line.strip():
            at += 1
            continue
        if line.startswith("      - "):
            steps.append({"env": {}})
        if line.startswith("          "):  # of `with:`, `env:`
            steps[-1].setdefault(section, {})[key] = value
        elif value == "|":
            steps[-1][key], at = block_of(lines, at)
            continue
        elif value:
            steps[-1][key] = value
        else:
            section = key.rstrip(":")
        at += 1
    return steps


def script_of(yaml):
    """All items of the job's `script:`, which one shell runs."""
    lines = yaml.splitlines()
    at, script = lines.index("  script:") + 1, ""
    while lines[at].strip() == "- |":
        text, at = block_of(lines, at)
        script += text
    return script


# --- the world around it ------------------------------------------------------------------------------------------------


class World:
    def __init__(self, folder, program):
        self.folder, self.bin, self.origin = folder, folder / "bin", folder / "origin"
        self.comments, self.cache = folder / "comments", folder / "cache"
        for each in (self.bin, self.origin / "src", self.comments):
            each.mkdir(parents=True)
        for name, text in SIMULATED.items():
            (self.bin / name).write_text(f"#!/bin/bash\n{text}")
            (self.bin / name).chmod(0o755)
        (self.bin / "callcost").symlink_to(program)
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("GIT", "CI", "GITHUB"))}
        self.environment = inherited | {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "HOME": str(folder),
            "COMMENTS": str(self.comments),
            "LC_ALL": "C.UTF-8",
            **{f"GIT_{who}_{what}": "ci@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit(SAME, "first")

    def git(self, *arguments, where=None):
        subprocess.run(["git", *arguments], cwd=where or self.origin, env=self.environment, check=True, capture_output=True, timeout=60)

    def commit(self, rounds, message):
        (self.origin / "src/words.cpp").write_text(PROGRAM % rounds)
        self.git("add", "src")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)

    def branch(self, name, rounds):
        self.git("checkout", "--quiet", "-B", name, "main")
        self.commit(rounds, name)

    def checkout(self, branch):
        workspace = self.folder / "work" / "checkout"
        shutil.rmtree(workspace.parent, ignore_errors=True)
        workspace.parent.mkdir()
        self.git("clone", "--quiet", "--branch", branch, str(self.origin), str(workspace), where=self.folder)
        if branch != "main":
            self.git("branch", "main", "origin/main", where=workspace)
        return workspace

    def restore(self, workspace):
        if self.cache.is_dir():
            shutil.copytree(self.cache, workspace / ".callcost")

    def save(self, workspace):
        shutil.rmtree(self.cache, ignore_errors=True)
        shutil.copytree(workspace / ".callcost", self.cache)

    def shell(self, script, workspace, **more):
        environment = self.environment | more
        run = subprocess.run(["bash", "-e", "-c", script], cwd=workspace, env=environment, capture_output=True, text=True, timeout=300)
        return run.returncode, run.stdout + run.stderr


# --- GitHub -------------------------------------------------------------------------------------------------------------


def github(world, steps, branch):
    """(exit status of the first step that failed, all that was written, the workspace)"""
    is_pull_request = branch != "main"
    workspace = world.checkout(branch)
    variables = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_SHA": "0123456789abcdef",
        "GITHUB_STEP_SUMMARY": str(workspace / "summary.md"),
        "GITHUB_OUTPUT": str(workspace / "output.txt"),
    }
    values = {"${{ github.token }}": "secret", "${{ github.event.pull_request.number }}": "7"}
    conditions = {
        "github.event_name == 'pull_request'": lambda: is_pull_request,
        "github.ref == 'refs/heads/main'": lambda: not is_pull_request,
        "always() && hashFiles('callcost.md') != '' && "
        "github.event.pull_request.head.repo.full_name == github.repository": lambda: (
            is_pull_request and (workspace / "callcost.md").exists()
        ),
    }
    status, log = 0, ""
    for step in steps:
        condition = step.get("if", "")
        if condition and not conditions[condition]() or status and "always()" not in condition:
            continue
        action = step.get("uses", "").partition("@")[0]
        if action == "actions/cache/restore":
            world.restore(workspace)
        elif action == "actions/cache/save":
            world.save(workspace)
        elif action:
            expect("an action", action, "actions/checkout")
        else:
            given = {name: values[value] for name, value in step["env"].items()}
            done, text = world.shell(step["run"], workspace, **variables, **given)
            status, log = status or done, log + text
    return status, log, workspace


def text_of(path):
    return path.read_text("utf-8") if path.exists() else ""


def check_reports(what, workspace, is_regression):
    headline = (text_of(workspace / "callcost.md").splitlines() + ["", ""])[1]
    expect(f"{what}: regression in the comment", "regression" in headline, is_regression)
    try:
        suites = xml.etree.ElementTree.parse(workspace / "callcost.xml").getroot()
        expect(f"{what}: tests", suites.get("tests"), "2")
        expect(f"{what}: failures", suites.get("failures") != "0", is_regression)
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        failures.append(f"{what}: callcost.xml: {error}")
    metrics = text_of(workspace / "callcost.prom")
    expect(f"{what}: metrics", metrics.startswith("# TYPE callcost_total gauge\n") and metrics.endswith("\n# EOF\n"), True)
    expect(f"{what}: metrics of Ir", len(re.findall(r'^callcost_total\{comparison="words",event="Ir"\} [0-9]+$', metrics, re.M)), 1)


def check_github(world):
    steps = steps_of(blocks("yaml")["GitHub Actions"])
    expect("steps", len([step for step in steps if "run" in step]), 5)

    status, log, workspace = github(world, steps, "same")
    expect("without a baseline", (status, "There is no baseline" in log), (0, True))
    status, log, workspace = github(world, steps, "main")
    expect(f"on main ({log})", (status, (world.cache / "main.callgrind.zst").exists()), (0, True))

    status, log, workspace = github(world, steps, "same")
    expect(f"without a change ({log})", (status, "::error" in log), (0, False))
    check_reports("without a change", workspace, False)
    expect("outputs", "regression=false\n" in text_of(workspace / "output.txt"), True)

    status, log, workspace = github(world, steps, "slower")
    expect(f"regression ({log})", (status, len(re.findall(r"^::error file=src/words\.cpp,", log, re.M))), (3, 2))
    check_reports("regression", workspace, True)
    expect("outputs of it", "regression=true\n" in text_of(workspace / "output.txt"), True)
    for name, text in (("summary", text_of(workspace / "summary.md")), ("comment", text_of(world.comments / "1"))):
        expect(f"{name}: marker", text.startswith("<!-- callcost-report:words -->\n"), True)
        expect(f"{name}: verdict", "regression: 2 of 2 rules failed" in text and "hash_of" in text, True)
    expect("comments", os.listdir(world.comments), ["1"])


# --- GitLab -------------------------------------------------------------------------------------------------------------


def gitlab(world, script, branch):
    workspace = world.checkout(branch)
    world.restore(workspace)
    given = {"CI_DEFAULT_BRANCH": "main", "CI_COMMIT_SHA": "0123456789abcdef"} | ({"CI_COMMIT_BRANCH": "main"} if branch == "main" else {})
    status, log = world.shell("set -o pipefail\n" + script, workspace, **given)
    if branch == "main":
        world.save(workspace)
    return status, log, workspace


def check_gitlab(world):
    shutil.rmtree(world.cache, ignore_errors=True)
    script = script_of(blocks("yaml")["GitLab CI"])
    status, log, workspace = gitlab(world, script, "slower")
    expect("GitLab, without a baseline", (status, "There is no baseline" in log), (0, True))
    for branch, wanted in (("main", 0), ("same", 0), ("slower", 3)):
        status, log, workspace = gitlab(world, script, branch)
        expect(f"GitLab, {branch} ({log})", status, wanted)
        check_reports(f"GitLab, {branch}", workspace, wanted == 3)


# --- the other steps ----------------------------------------------------------------------------------------------------


def check_others(world):
    scripts = blocks("sh")
    for branch, wanted in (("same", 0), ("slower", 3)):
        workspace = world.checkout(branch)
        status, log = world.shell(scripts["Anywhere else"], workspace)
        expect(f"anywhere else, {branch} ({log})", (status, (workspace / "callcost.md").exists()), (wanted, True))

    # From here on in the workspace of the regression, with the baseline of main.
    world.restore(workspace)
    status, log = world.shell(scripts["Baselines in the repository"], workspace)
    expect(f"in the repository ({log})", (status, (workspace / "ci/baselines/words.callgrind.zst").exists()), (0, True))
    status, log = world.shell(scripts["History"], workspace)
    expect(f"history ({log})", (status, "1 entry of series 'words'" in log), (0, True))
    accepting = scripts["Accepting a regression"]
    status, log = world.shell(accepting, workspace)
    expect(f"accepted ({log})", (status, log.count("accepted until 2099-12-31: words are normalised now")), (0, 2))
    status, log = world.shell(accepting.replace("2099", "2020"), workspace)
    expect(f"accepted until yesterday ({log})", (status, "acceptance expired after 2020-12-31" in log), (3, True))

    folder = workspace / "target/gungraun/package/file/group/bench.id"
    folder.mkdir(parents=True)
    for name in ("callgrind.bench.id.out", "callgrind.bench.id.out.old", "callgrind.bench.first.out"):
        shutil.copy(workspace / "callgrind.out.now", folder / name)
    status, log = world.shell(scripts["With gungraun"], workspace)
    expect(f"gungraun ({log})", (status, (folder / "callgrind.bench.id.xml").exists()), (0, True))
    shutil.copy(workspace / "callgrind.out.base", folder / "callgrind.bench.id.out.old")
    status, log = world.shell(scripts["With gungraun"], workspace)
    expect(f"gungraun, regression ({log})", (status, "FAILED  ir=5%" in log), (1, True))
    tested = {"Anywhere else", "Baselines in the repository", "History", "Accepting a regression", "With gungraun"}
    expect("sections with shell steps", set(scripts), tested)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        world = World(pathlib.Path(folder).resolve(), program)
        world.branch("same", SAME)
        world.branch("slower", SLOWER)
        world.git("checkout", "--quiet", "main")
        check_github(world)
        check_gitlab(world)
        check_others(world)
    print("\n".join(failures) or "docs/ci.md: its steps work")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
