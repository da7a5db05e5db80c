"""Libraries of tests/faults that are loaded into the program under test before its own."""

import pathlib
import subprocess

SOURCES = pathlib.Path(__file__).resolve().parent / "faults"


def compiled(name, folder):
    """Of SOURCES/NAME.c; its path in the folder."""
    library = pathlib.Path(folder) / f"{name}.so"
    subprocess.run(["gcc", "-std=gnu11", "-O1", "-shared", "-fPIC", SOURCES / f"{name}.c", "-o", library, "-ldl"], check=True)
    return library
