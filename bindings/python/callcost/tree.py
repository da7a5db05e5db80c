"""Call paths, as flame graphs show them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Callable, Mapping

import numpy as np

from . import _native
from .tables import Names, Table, inlined_field, table_of

Strings = np.ndarray[Any, Any]

_FIELDS = [("parent", "=i4"), ("level", "=u4"), ("function", "=i4"), ("file", "=i4"), ("object", "=i4"), ("kind", "=u4")]


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree of call paths, by one event type.

    Where `estimated` is true, the profile does not record the cost of paths: `self` and `inclusive` of frames are estimates, and
    the true costs lie between the bounds if the profile is consistent. Else they are those of recorded call stacks, and exact.
    Costs that are estimated are floating point numbers; those of bounds are integers.
    """

    event: str
    direction: str
    """callees, or callers: inverted."""
    estimated: bool
    inclusive: float
    """Of the frames without parent together."""
    certain: float
    """How much of it is certain to be on its path, in the tree of 20,000 frames; `certainty` is that as a share, from 0 to 1."""
    certainty: float
    not_expanded: float
    """Of all frames of this kind together; so are the next three."""
    unbalanced: float
    unrecorded_callees: float
    unattributed: float
    partly_paid: float
    """What enters at functions whose recorded calls account for only a part of their cost."""
    negative: int
    """Negative self costs, which are in no frame."""
    _has_inlined: bool
    _rows: np.ndarray[Any, Any]
    _names: Mapping[str, Callable[[], Strings]]

    def __repr__(self) -> str:
        how = f"estimated, {self.certainty:.0%} certain" if self.estimated else "exact"
        return f"<callcost.Tree: {self.inclusive:,.0f} {self.event}, {len(self.frames()):,} frames, {how}>"

    def frames(self) -> Table:
        """A row per frame, in preorder: a frame, then those below it, the most expensive first.

        parent (row of the frame that calls it, -1: none; inverted: that it calls), level (from 1), function, file, object (rows of
        names, -1 if it is no function), kind (row of `kinds`), self, inclusive, both with bounds _at_least and _at_most
        (2^63 - 1: or more), partly_paid, inlined (in the frame that calls it; if the profile has inlined code). `inclusive` is `self` and `inclusive` of the frames directly below it.
        """
        fields: list[tuple[str, Any]] = list(_FIELDS)
        for name in ("self", "inclusive"):
            fields += [(name, "=f8"), (f"{name}_at_least", "=i8"), (f"{name}_at_most", "=i8")]
        lookup: dict[str, tuple[str, Names]] = {name: (name, partial(self._lookup, name)) for name in ("function", "file", "object")}
        lookup["kind"] = ("kind", lambda: np.array(self.kinds, dtype=object))
        return table_of(self._rows, [*fields, ("partly_paid", "?"), *inlined_field(self._has_inlined)], lookup)

    @cached_property
    def function_names(self) -> Strings:
        """Names of frames by row of functions, of contexts (`f'2`) without them if recursion is folded. The last one, -1, is None."""
        return self._lookup("function")

    @property
    def kinds(self) -> tuple[str, ...]:
        """function, and what is in no frame of a function: not_expanded, unbalanced, unrecorded_callees, unattributed."""
        return tuple(_native.frame_kinds())

    def _lookup(self, name: str) -> Strings:
        """With None for row -1."""
        return np.append(self._names[name](), np.array([None]))


def tree_of(
    event: str, direction: str, facts: Mapping[str, Any], has_inlined: bool, rows: np.ndarray[Any, Any], names: Mapping[str, Callable[[], Strings]]
) -> Tree:
    return Tree(event=event, direction=direction, **facts, _has_inlined=has_inlined, _rows=rows, _names=names)
