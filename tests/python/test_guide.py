"""The programs of docs/python.md run as they are written, one after the other, and print what the page shows."""

import contextlib
import io
import os
import re

import conftest

ROOT = conftest.TESTS.parent
PAGE = ROOT / "docs/python.md"
BLOCKS = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.S | re.M)


def outputs():
    """(program, what it prints, what the page shows) of each block."""
    names = {}
    for block in BLOCKS.finditer(PAGE.read_text("utf-8")):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block[1], str(PAGE), "exec"), names)
        yield block, printed.getvalue(), block[2] or ""


def test_the_programs_of_the_guide_print_what_it_shows(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = list(outputs())
    assert len(found) > 7
    for block, printed, shown in found:
        assert printed == shown, block[1]


if __name__ == "__main__":  # writes what they print into the page
    os.chdir(ROOT)
    text = PAGE.read_text("utf-8")
    for block, printed, shown in outputs():
        if block[2] is not None:
            text = text.replace(block[0], f"```python\n{block[1]}```\n\n```text\n{printed}```\n")
    PAGE.write_text(text, "utf-8")
