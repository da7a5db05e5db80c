"""What `check` finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _native
from .inputs import Inputs, Source, thread_count


@dataclass(frozen=True)
class Diagnostic:
    """All occurrences of one problem of a file that can be read; docs/format.md lists them."""

    id: str
    """Stable name."""
    severity: str
    """note, warning or error."""
    message: str
    hint: str
    rule: str
    count: int
    source: str
    """Name of the input of the first one; its place is line and column, from 1, and the excerpt."""
    line: int
    column: int
    excerpt: str


@dataclass(frozen=True)
class Check:
    """One of the checks C1 to C22 of docs/checks.md."""

    number: str
    name: str
    verdict: str
    """holds, not-applicable, expected (broken, as in valid files of its producer) or broken."""
    severity: str | None
    """None if it is not broken."""
    count: int
    line: int
    """Of the first violation; 0: no place. `subject` is the function or part that it is about."""
    subject: str


@dataclass(frozen=True)
class Report:
    """Whether a file is consistent, and how other readers get along with it."""

    producer: str
    diagnostics: list[Diagnostic]
    checks: list[Check]
    readers: dict[str, tuple[str, list[str]]]
    """By name: right, differs, wrong or refuses, and the traits of the file that are the reason."""

    @property
    def ok(self) -> bool:
        """No error among the diagnostics and checks: `callcost check` would succeed."""
        severities = {found.severity for found in self.diagnostics} | {check.severity for check in self.checks}
        return "error" not in severities


def diagnostics_of(rows: list[dict[str, Any]]) -> list[Diagnostic]:
    return [Diagnostic(**row) for row in rows]


def check(source: Source, *more: Source, threads: int | None = None) -> Report:
    """Checks a file, or several that belong together. Raises Error and OSError as `read` does."""
    with Inputs((source, *more)) as inputs:
        found = _native.check(inputs.native, inputs.is_compressed, thread_count(threads))
    checks = [Check(**row) for row in found["checks"]]
    return Report(found["producer"], diagnostics_of(found["diagnostics"]), checks, found["readers"])
