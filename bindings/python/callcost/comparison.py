"""Two profiles compared."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from . import _native
from .profile import Profile, Strings, graph_of, names_array
from .tables import Table, table_of

_CHANGE = [("before", "=i8"), ("after", "=i8"), ("delta", "=i8")]
_COUNTS = [("before", "=i8"), ("after", "=i8")]


def diff(before: Profile, after: Profile, *, event: str | None = None, match: Literal["exact", "canonical", "fuzzy"] = "fuzzy") -> Diff:
    """Compares two profiles by one event type or formula. docs/diff-rules.md says how functions are matched."""
    if match not in _native.MatchMode.__members__:
        raise ValueError(f"match must be one of {', '.join(_native.MatchMode.__members__)}, not {match!r}")
    return Diff(_native.diff(graph_of(before), graph_of(after), _native.MatchMode.__members__[match], event))


class Diff:
    """What changed between two profiles."""

    def __init__(self, native: _native.Diff) -> None:
        self._native = native

    def __repr__(self) -> str:
        before, after = self.total
        return f"<callcost.Diff: {before:,} -> {after:,} {self.event} ({after - before:+,})>"

    @property
    def event(self) -> str:
        """What it is compared by."""
        return self._native.event

    @property
    def total(self) -> tuple[int, int]:
        """Before and after."""
        return self._native.total()

    def functions(self) -> Table:
        """A row per function of either: function, match, before, after, called, self, inclusive.

        `before` and `after` are rows of the profiles' functions (-1: not there), `match` of `tiers`; `self` and
        `inclusive` have `before`, `after` and `delta`.
        """
        fields = [("function", "=u4"), ("match", "=u4"), ("before", "=i4"), ("after", "=i4"), ("called", _COUNTS)]
        fields += [("self", _CHANGE), ("inclusive", _CHANGE)]
        lookup = {
            "function": ("function", lambda: self.function_names),
            "file": ("function", lambda: names_array(self._native.file_names())),
            "object": ("function", lambda: names_array(self._native.object_names())),
            "match": ("match", lambda: names_array(list(self.tiers))),
        }
        return table_of(self._native.functions(), fields, lookup)

    def arcs(self) -> Table:
        """A row per call arc of either: caller, callee, called, inclusive."""
        fields = [("caller", "=u4"), ("callee", "=u4"), ("called", _COUNTS), ("inclusive", _CHANGE)]
        lookup = {name: (name, lambda: self.function_names) for name in ("caller", "callee")}
        return table_of(self._native.arcs(), fields, lookup)

    @cached_property
    def function_names(self) -> Strings:
        """Names by row: after or, if a function is not there any more, before."""
        return names_array(self._native.function_names())

    @property
    def tiers(self) -> tuple[str, ...]:
        """How functions can be matched, the surest way first; the last one: not at all."""
        return tuple(_native.tiers())
