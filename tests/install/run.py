#!/usr/bin/env python3
"""What `cmake --install` and cpack put where, and that programs can be built with it.

    run.py files BUILD       all files of an installation are there; the library serves find_package and pkg-config
    run.py shared COMPILER   the same with BUILD_SHARED_LIBS=ON; what it exports is abi.txt (--update writes that)
    run.py packages BUILD    the Debian packages hold the right files and depend on the right packages
    run.py hardened FILE...  these programs and modules have what packaging/hardening.cmake asks for
    run.py release COMPILER  so has a small program as the release preset builds it

BUILD is a build directory in which everything is built already. Nothing outside of a temporary directory changes.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VERSION = re.search(r"VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text().split("project(")[1])[1]
MINOR = VERSION.rsplit(".", 1)[0]
WANTED = f"{VERSION}: main 100, calls 1, lines 8\n"

DOC = "share/doc"
PAPERS = ("CHANGELOG.md", "changelog.gz", "copyright")
COMMAND_FILES = {
    "bin/callcost",
    "share/applications/callcost.desktop",
    "share/bash-completion/completions/callcost",
    "share/callcost/magic",
    *(["share/callcost/page.html"] if (ROOT / "web/dist/page.html").exists() else []),
    "share/fish/vendor_completions.d/callcost.fish",
    "share/mime/packages/callcost.xml",
    "share/zsh/site-functions/_callcost",
    *(f"{DOC}/callcost/{name}" for name in (*PAPERS, "change-points.md", "history.md", "ci.md", "diff-rules.md", "editors.md", "exit-codes.md", "format.md", "glossary.md", "install.md", "javascript.md", "json.md", "protocol.md", "readers.md")),
    *(f"share/man/man{page.stem[-1]}/{page.stem}.gz" for page in (ROOT / "man").glob("*.[15].scd")),
}
LIBRARY_FILES = {
    "lib/cmake/callcost/callcost-config.cmake",
    "lib/cmake/callcost/callcost-config-version.cmake",
    "lib/cmake/callcost/callcost-targets.cmake",
    "lib/pkgconfig/callcost.pc",
    *(f"{DOC}/libcallcost-dev/{name}" for name in (*PAPERS, "library.md")),
    *(f"{DOC}/libcallcost-dev/examples/{path.name}" for path in (ROOT / "examples").glob("*.c*")),
    *(f"include/callcost/{path.name}" for path in (ROOT / "include/callcost").glob("*.h*")),
    *(f"share/man/man3/{page.stem}.gz" for page in (ROOT / "man").glob("*.3.scd")),
}
PYTHON_FILES = {
    f"lib/python3/dist-packages/callcost-{VERSION}.egg-info",
    "lib/python3/dist-packages/callcost/_native.so",
    *(f"lib/python3/dist-packages/callcost/{path.name}" for path in (ROOT / "bindings/python/callcost").glob("*.py*")),
    "lib/python3/dist-packages/callcost/py.typed",
    *(f"{DOC}/python3-callcost/{name}" for name in (*PAPERS, "python.md")),
}


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nexit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, expected {wanted!r}")


def expect_files(what, found, wanted):
    """`lib` stands for the folder of libraries, whatever the system calls it."""
    found = {re.sub(r"^lib(64|/[a-z0-9_]+-linux-[a-z0-9]+)/", "lib/", name) for name in found}
    found = {re.sub(r"(targets)-[a-z]+\.cmake$", r"\1.cmake", name) for name in found}
    found = {name.replace("zsh/vendor-completions", "zsh/site-functions") for name in found}
    found = {re.sub(r"/_native\.[\w-]+\.so$", "/_native.so", name) for name in found}
    missing, surplus = sorted(wanted - found), sorted(found - wanted)
    if missing or surplus:
        sys.exit(f"{what}\nmissing: {missing}\nnot expected: {surplus}")


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def cached(build, name):
    return re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]


def has_python(build):
    return cached(build, "CALLCOST_BUILD_PYTHON") == "ON"


def build_with_cmake(prefix, compiler, folder):
    run("cmake", "-S", HERE / "consumer", "-B", folder / "cmake", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug", "-G", "Ninja")  # fmt: skip
    run("cmake", "--build", folder / "cmake")
    expect("find_package", run(folder / "cmake/consumer"), WANTED)


def build_with_pkg_config(prefix, compiler, folder):
    pc = next(prefix.rglob("callcost.pc"))
    environment = os.environ | {"PKG_CONFIG_PATH": str(pc.parent)}
    expect("pkg-config", run("pkg-config", "--modversion", "callcost", env=environment), VERSION + "\n")
    flags = run("pkg-config", "--cflags", "--libs", "callcost", env=environment).split()
    run(compiler, "-std=c++20", HERE / "consumer/main.cpp", "-o", folder / "consumer", *flags)
    libraries = {"LD_LIBRARY_PATH": str(pc.parent.parent)}
    expect("pkg-config", run(folder / "consumer", env=os.environ | libraries), WANTED)
    run("cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-c", ROOT / "examples/c_functions.c",
        "-o", folder / "c_functions.o", *(flag for flag in flags if flag.startswith("-I")))  # fmt: skip
    run(compiler, folder / "c_functions.o", "-o", folder / "c_functions", *flags)
    printed = run(folder / "c_functions", ROOT / "tests/profiles/callgrind/default.out", env=os.environ | libraries)
    expect("in C", printed.splitlines()[0], "1962662 Ir")


def check_files(build, folder):
    prefix = folder / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    expect_files("files", files_below(prefix), COMMAND_FILES | LIBRARY_FILES | (PYTHON_FILES if has_python(build) else set()) | {"lib/libcallcost.a"})
    expect("version", run(prefix / "bin/callcost", "--version").split(" (")[0], f"callcost {VERSION}")
    check_exports(build)
    build_with_cmake(prefix, cached(build, "CMAKE_CXX_COMPILER"), folder)
    build_with_pkg_config(prefix, cached(build, "CMAKE_CXX_COMPILER"), folder)


def exported(library):
    """The names of ours that a shared library exports; what templates of the standard library leave behind is not."""
    rows = run("nm", "--dynamic", "--defined-only", "--demangle", library).splitlines()
    names = {re.sub(r"\[abi:\w+\]", "", row.split(maxsplit=2)[2]) for row in rows}
    return sorted(name for name in names if re.match(r"((vtable|typeinfo|typeinfo name) for )?callcost(::|_)", name))


def names_of_ours(kind, library):
    """`kind` is an option of nm."""
    rows = run("nm", kind, "--demangle", library, env=os.environ | {"LC_ALL": "C"}).splitlines()
    return {re.sub(r"\[abi:\w+\]", "", row[19:]) for row in rows if row[19:].startswith("callcost::")}


def check_exports(build):
    """What the command takes from the library is exported by the shared one, too."""
    taken = names_of_ours("--undefined-only", build / "src/libcallcost_engine.a")
    taken |= names_of_ours("--undefined-only", build / "src/libcallcost_program.a")
    taken &= names_of_ours("--defined-only", build / "src/libcallcost.a")
    hidden = taken - set((HERE / "abi.txt").read_text().splitlines())
    if hidden or not taken:
        sys.exit("\n".join(["not in tests/install/abi.txt: is CALLCOST_API missing?", *sorted(hidden)]))


def check_shared(compiler, folder, update):
    build, prefix = folder / "build", folder / "prefix"
    run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", "-DBUILD_SHARED_LIBS=ON",
        "-DCALLCOST_BUILD_APP=OFF", "-DCALLCOST_UNITE=ON", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
        f"-DCMAKE_INSTALL_PREFIX={prefix}")  # fmt: skip
    run("cmake", "--build", build, "-j2")
    run("cmake", "--install", build)
    names = {f"lib/libcallcost.so{suffix}" for suffix in ("", f".{MINOR}", f".{VERSION}")}
    expect_files("files", files_below(prefix), LIBRARY_FILES | names)
    abi = "".join(name + "\n" for name in exported(next(prefix.rglob("libcallcost.so"))))
    if update:
        (HERE / "abi.txt").write_text(abi)
    listed = (HERE / "abi.txt").read_text()
    if abi != listed:
        gone, new = set(listed.splitlines()) - set(abi.splitlines()), set(abi.splitlines()) - set(listed.splitlines())
        sys.exit("\n".join(["exported names are not those of tests/install/abi.txt (run with --update if that is right)",
                            *(f"- {name}" for name in sorted(gone)), *(f"+ {name}" for name in sorted(new))]))  # fmt: skip
    build_with_pkg_config(prefix, compiler, folder)


def check_packages(build, folder):
    run("cpack", "--config", build / "CPackConfig.cmake", "-B", folder)
    wanted = {
        "callcost": (COMMAND_FILES, r"libsqlite3-0.*libc6 .*libstdc\+\+6", "less, libcurl4"),
        "libcallcost-dev": (LIBRARY_FILES | {"lib/libcallcost.a"}, r"libexpected-dev", ""),
        "python3-callcost": (PYTHON_FILES, r"python3 \(>= 3\.\d+\), python3 \(<< 3\.\d+\), python3-numpy.*libstdc\+\+6", ""),
    }
    if not has_python(build):
        del wanted["python3-callcost"]
    packages = {path.name.split("_")[0]: path for path in folder.glob("*.deb")}
    expect("packages", sorted(packages), sorted(wanted))
    for name, (files, depends, recommends) in wanted.items():
        expect(name, packages[name].name.split("_")[1], VERSION)
        rows = [row.split(maxsplit=5) for row in run("dpkg-deb", "--contents", packages[name]).splitlines()]
        expect_files(name, {row[5].removeprefix("./usr/") for row in rows if row[0][0] == "-"}, files)
        expect(f"{name}: owners", {row[1] for row in rows}, {"root/root"})
        modes = {"d": {"drwxr-xr-x"}, "-": {"-rw-r--r--", "-rwxr-xr-x"}}
        for row in rows:
            if row[0] not in modes[row[0][0]]:
                sys.exit(f"{name}: {row[5]} has mode {row[0]}")
        field = lambda key: run("dpkg-deb", "--field", packages[name], key).strip()
        if not re.search(depends, field("Depends")):
            sys.exit(f"{name} depends on {field('Depends')!r}, expected {depends!r}")
        expect(f"{name}: recommends", field("Recommends"), recommends)


def check_hardened(file, is_small=False):
    """Of objects linked from elsewhere that jump targets are not marked in, as Debian's crt1.o, the linker leaves out the mark:
    the code has them nevertheless."""
    headers = run("readelf", "--wide", "--file-header", "--program-headers", "--dynamic", file)
    names = run("readelf", "--wide", "--syms", file)
    is_static = "INTERP" not in headers and "NEEDED" not in headers
    lacking = [what for what, is_there in {
        "position-independent (DYN)": re.search(r"Type: +DYN", headers),
        "GNU_RELRO": "GNU_RELRO" in headers,
        "BIND_NOW": is_static or re.search(r"\bNOW\b", headers),
        "a stack that is not executable": re.search(r"GNU_STACK .* RW ", headers),
        "__stack_chk_fail": "__stack_chk_fail" in names,
        "*_chk": is_small or re.search(r"\b__\w+_chk\b", names),
        "endbr64 (targets of jumps)": "X86-64" not in headers or run("objdump", "--disassemble", "--section=.text", file).count("endbr64") > 10,
    }.items() if not is_there]  # fmt: skip
    if lacking:
        sys.exit(f"{file} lacks {', '.join(lacking)}")


def check_release(compiler, folder):
    run("cmake", "--preset", "release", "-B", folder, f"-DCMAKE_CXX_COMPILER={compiler}", "-DCALLCOST_INSTALL=OFF", cwd=ROOT)
    run("cmake", "--build", folder, "--target", "generate_profile")
    check_hardened(folder / "bench/generate_profile", is_small=True)
    commands = (folder / "compile_commands.json").read_text()
    expect("-D_FORTIFY_SOURCE", commands.count(" -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE="), commands.count('"command":'))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("what", choices=("files", "shared", "packages", "hardened", "release"))
    parser.add_argument("where", nargs="+", help="BUILD, COMPILER or FILE")
    parser.add_argument("--update", action="store_true", help="write abi.txt")
    options = parser.parse_args()
    where = options.where[0]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if options.what == "files":
            check_files(pathlib.Path(where), folder)
        elif options.what == "packages":
            check_packages(pathlib.Path(where), folder)
        elif options.what == "hardened":
            for file in options.where:
                check_hardened(file)
        elif options.what == "release":
            check_release(where, folder)
        else:
            check_shared(where, folder, options.update)
    print(f"{options.what}: as they should be")


if __name__ == "__main__":
    main()
