#!/usr/bin/env python3
"""Two checkouts in different directories, at different times, give the same bytes: a directory of the library, and the page in the
command; with --whole, as `./dev release` asks for, the library and the command. (-Wdate-time finds what says when it was compiled.)
They are compiled without optimization, which takes less time and changes no path.
(`./dev release` in two checkouts compares the rest: RELEASING.md.)

    reproducible.py COMPILER [--whole]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEEDED = ["CMakeLists.txt", "CMakePresets.json", "bench", "completions", "include", "packaging/hardening.cmake", "src", *(["web/dist"] if (ROOT / "web/dist").exists() else [])]
PAGE = "src/CMakeFiles/callcost_program.dir/program/server/embedded_page.cpp.o"
LIBRARY = "src/libcallcost.a"
DIRECTORY = "src/CMakeFiles/callcost.dir/Unity/unity_reader_cxx.cxx.o"


def build(folder, compiler, is_whole):
    """{name: content}"""
    for name in NEEDED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, copy_function=shutil.copyfile)  # with the time of now
        else:
            shutil.copyfile(source, target)
    page = [PAGE] if (ROOT / "web/dist/page.html").exists() else []
    targets, files = (["callcost_cli"], ["callcost", LIBRARY]) if is_whole else ([DIRECTORY, *page], [DIRECTORY, *page])
    for command in (
        ["cmake", "--preset", "release", f"-DCMAKE_CXX_COMPILER={compiler}", "-DCALLCOST_INSTALL=OFF", "-DCMAKE_CXX_COMPILER_LAUNCHER=env",
         "-DCMAKE_OPTIMIZE_DEPENDENCIES=ON",  # one object does not wait for others
         "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG"],
        ["cmake", "--build", "--preset", "release", "--target", *targets],
    ):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return {name: (folder / "build/release" / name).read_bytes() for name in files}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        first = build(folder / "a", sys.argv[1], "--whole" in sys.argv)
        second = build(folder / "another/checkout", sys.argv[1], "--whole" in sys.argv)
        wrong = [f"{name}: differs" for name in first if first[name] != second[name]]
        wrong += [f"{name}: names {folder}" for name, data in first.items() if os.fsencode(folder) in data]
    print(*wrong, f"{len(first)} files: {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
