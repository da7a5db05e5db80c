"""Where a series of costs changes its level."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Iterable

from . import _native


@dataclass(frozen=True)
class ChangePoint:
    """The first value of a series with another level of cost."""

    at: int
    """Its index."""
    before: int
    """In an exact series the value before it, in a noisy one the median up to the change point before; so is `after`."""
    after: int
    count_before: int
    """Known values up to the neighboring change points; so is `count_after`."""
    count_after: int


@dataclass(frozen=True)
class ChangePoints:
    """Those of a series, in its order."""

    points: list[ChangePoint]
    exact: bool
    """Any noise is too small to be taken for a change."""
    noise: float
    """Mean deviation of the values from the median of their level, relative to it."""


def change_points(costs: Iterable[Any], *, threshold: float = 0.001, exact: bool = False) -> ChangePoints:
    """Finds where the costs of a series change, by the rules of docs/change-points.md, in O(n log² n).

    `costs` are integers in the order of the series; None and NaN are values that are missing. `threshold` is the smallest change
    worth reporting, relative to the smaller of the two levels. `exact`, as counts_exactly() has it for an event type: even 5 to
    11 values count as exact, however they differ. The GIL is not held.
    """
    if not threshold >= 0:
        raise ValueError(f"threshold must be at least 0, not {threshold}")
    found = _native.change_points([_cost(cost) for cost in costs], threshold, exact)
    return ChangePoints([ChangePoint(*point) for point in found["points"]], found["exact"], found["noise"])


def counts_exactly(event: str) -> bool:
    """Whether an event type is the same in every run that does the same: Ir, Dr, Dw, Bc and Bi."""
    return _native.counts_exactly(event)


def _cost(cost: Any) -> int | None:
    if cost is None or cost != cost:
        return None
    if isinstance(cost, float) and cost.is_integer():  # pandas makes floating point numbers of integers beside NaN
        cost = int(cost)
    try:
        number = operator.index(cost)
    except TypeError:
        raise TypeError(f"costs are integers or None, not {cost!r}") from None
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"costs are 64-bit integers: {number}")
    return number
