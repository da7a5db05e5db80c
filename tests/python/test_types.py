"""The package's types are consistent, and those of a program that uses it."""

import os
import pathlib
import subprocess
import sys

import callcost
import pytest

PROGRAM = """
import callcost

profile: callcost.Profile = callcost.read("callgrind.out", b"events: Ir", threads=2)
total: int = profile.total("Ir")
names: list[str] = [str(name) for name in profile.function_names]
changes: callcost.Table = callcost.diff(profile, callcost.merge([profile])).functions()
objects: callcost.Table = profile.groups("object", ["Ir"])
callers: callcost.Table = profile.callers("main")
tree: callcost.Tree = profile.tree("Ir", direction="callers", root=profile.find("main"), max_levels=3)
frames: callcost.Table = tree.frames()
steps: list[int] = [point.at for point in callcost.change_points([1, None, 2]).points]
profile.groups("line")  # type: ignore[arg-type]
callcost.read(5)  # type: ignore[arg-type]
profile.write("out", "best")  # type: ignore[arg-type]
"""


def test_types(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    package = pathlib.Path(callcost.__file__).parent
    options = ["--strict", "--ignore-missing-imports", f"--cache-dir={tmp_path}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, package, program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(package.parent)},
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
