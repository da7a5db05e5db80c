"""Where a series of costs changes its level."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Iterable

import numpy as np

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

    `costs` are integers in the order of the series, of whatever type; None, NaN and pandas.NA are values that are missing. `threshold` is the smallest change
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
    if _is_missing(cost):
        return None
    try:
        number = operator.index(cost)
    except TypeError:  # pandas makes floating point numbers of integers beside NaN
        number = _integer(cost)
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"costs are 64-bit integers: {number}")
    return number


def _is_missing(cost: Any) -> bool:
    if cost is None:
        return True
    unequal = cost != cost
    if isinstance(unequal, (bool, np.bool_)):
        return bool(unequal)  # of NaN, NaT
    return unequal is cost  # of pandas.NA and numpy.ma.masked


def _integer(cost: Any) -> int:
    """Of a number of any type that has no fraction."""
    try:
        if not isinstance(cost, (str, bytes, bytearray)) and float(cost).is_integer():
            number = int(cost)
            if number == cost:
                return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise TypeError(f"costs are integers or None, not {cost!r}")
