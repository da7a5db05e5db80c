#!/usr/bin/env python3
"""The package for Python, with pytest and the Python that it is built for.

    run.py build BUILD EXECUTABLE   as it lies in the build directory
    run.py pip PROJECT EXECUTABLE   as `pip install` makes it of a copy of the project, without network

EXECUTABLE is the command, whose figures must be the same.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = sys.executable
NEEDED = ("CMakeLists.txt", "src", "include", "bindings", "bench", "packaging")  # of the project, to build the package


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], **options)
    if done.returncode:
        sys.exit(done.returncode)


def test(package, executable, *files):
    environment = os.environ | {"PYTHONPATH": str(package), "CALLCOST": executable, "PYTHONDONTWRITEBYTECODE": "1"}
    run(PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, env=environment, cwd=HERE.parent.parent)


def install(project, folder):
    for name in NEEDED:
        copy = shutil.copytree if (project / name).is_dir() else shutil.copy
        copy(project / name, folder / name)
    options = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--root-user-action=ignore")
    not_optimized = os.environ | {"CMAKE_BUILD_TYPE": "None"}  # a third of the time
    run(PYTHON, "-m", "pip", "install", *options, "--target", folder / "installed", folder / "bindings/python", env=not_optimized)
    return folder / "installed"


def main():
    what, where, executable = sys.argv[1:]
    if what == "build":
        return test(pathlib.Path(where, "python"), executable, HERE)
    with tempfile.TemporaryDirectory() as folder:
        package = install(pathlib.Path(where), pathlib.Path(folder))
        test(package, executable, HERE / "test_package.py", HERE / "test_guide.py")


if __name__ == "__main__":
    main()
