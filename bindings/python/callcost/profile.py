"""A profile, its tables, and how it is read, merged and written."""

from __future__ import annotations

import operator
import os
from functools import cached_property
from typing import Any, Callable, Literal, Mapping, Protocol, Sequence, TypeVar, Union

import numpy as np

from . import _native, page
from .errors import Error
from .inputs import Source, read_model
from .report import Diagnostic, diagnostics_of
from .tables import Table, cost_fields, inlined_field, named_table_of, table_of, table_of_tuples
from .tree import Tree, tree_of

Dialect = Literal["portable", "compact", "strict", "cachegrind"]


class Writable(Protocol):
    """A file object in binary mode."""

    def write(self, data: bytes, /) -> Any: ...


Target = Union[str, "os.PathLike[str]", Writable]
Result = TypeVar("Result")
Member = TypeVar("Member")
Number = TypeVar("Number", int, float)
Strings = np.ndarray[Any, Any]

_MOST_EVENTS = 32  # with more, tables have the default one unless others are asked for


def read(source: Source, *more: Source, detail: str = "full", threads: int | None = None) -> Profile:
    """Reads a file, or several of one run (dumps, threads), which add up.

    A source is a path, bytes, or a file object in binary mode; gzip, bzip2 and xz are decompressed. With
    `detail="functions"` cost lines are not kept: less memory, but no lines, no selection of parts, no writing.
    `threads`: how many read (default: all cores, at most 4). The GIL is not held while they do.

    Raises Error if it is no profile, OSError if it cannot be opened.
    """
    return Profile(read_model((source, *more), detail, threads).graph)


def merge(profiles: Sequence[Profile]) -> Profile:
    """Adds up profiles of several runs or machines, in any order with the same result."""
    merged = _native.merge([graph_of(profile) for profile in profiles])
    return Profile(lambda: merged)


def graph_of(profile: Profile) -> _native.Graph:
    if not isinstance(profile, Profile):  # a path, most likely
        raise TypeError(f"expected a profile, as callcost.read() returns it, not {type(profile).__name__}")
    return profile._graph


def list_of_names(events: Sequence[str]) -> list[str]:
    if isinstance(events, str):
        raise TypeError("events is a list of names: write ['Ir'], not 'Ir'")
    return list(events)


def names_array(names: list[str]) -> Strings:
    array = np.empty(len(names), dtype=object)
    array[:] = names
    return array


class LateFile:
    """A file that is opened by its first bytes: what cannot be written leaves it as it was."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._file: Any = None

    def write(self, data: bytes, /) -> int:
        if self._file is None:
            self._file = open(self._path, "wb")  # noqa: SIM115
        return int(self._file.write(data))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> LateFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_to(target: Target, write: Callable[[Callable[[bytes], Any]], Result]) -> Result:
    """Calls `write` with the function that takes the bytes."""
    if not isinstance(target, (str, os.PathLike)):
        return write(target.write)
    with LateFile(target) as file:
        return write(file.write)


class Profile:
    """What one or more files say. It never changes; costs are 64-bit integers of which sums wrap.

    Functions, arcs and lines are tables (see Table); event types are chosen by name or formula, as in
    `functions(["Ir", "Ir + 10 Bcm"])`. None: all of the file, or the default one if there are more than 32.
    """

    def __init__(self, make_graph: Callable[[], _native.Graph]) -> None:
        self._make_graph = make_graph

    @cached_property
    def _graph(self) -> _native.Graph:
        """Made when the first question is asked."""
        return self._make_graph()

    def __repr__(self) -> str:
        event = self.default_event
        sources = ", ".join(self.sources[:3]) + (", ..." if len(self.sources) > 3 else "")
        return f"<callcost.Profile {sources or 'of bytes'}: {self.total(event):,} {event}, {len(self.function_names):,} functions>"

    def _repr_html_(self) -> str:
        return page.html_of(self)

    @property
    def sources(self) -> list[str]:
        """Names of the inputs."""
        return self._graph.sources()

    @property
    def default_event(self) -> str:
        """The first event type with a total that is not 0."""
        return self._graph.default_measure().name

    def total(self, event: str | None = None) -> int:
        """Sum over all cost lines: 100 %."""
        return self._graph.total(self._measure(event))

    def events(self) -> Table:
        """Event types: those of the file, then the derived ones. `total` is 0 if it does not add up (`additive`)."""
        rows = [
            (m.name, m.long_name, m.unit, m.formula, m.additive, self._graph.total(m) if m.additive else 0)
            for m in self._graph.measures()
        ]
        texts = [(name, object) for name in ("name", "long_name", "unit", "formula")]
        return table_of_tuples(rows, [*texts, ("additive", "?"), ("total", "=i8")])

    def parts(self, events: Sequence[str] | None = None) -> Table:
        """Sections of the files: dumps, threads, processes."""
        names = [m.name for m in self._raw(events)]
        texts = ("source", "command", "creator", "trigger", "timerange")
        numbers = ("part", "thread", "pid", "cost_lines", "call_records", "called")
        rows = [
            (*(part[name] for name in texts), *(part[name] for name in numbers), part["called_at_least"], tuple(part["self"].get(name, 0) for name in names))
            for part in self._graph.parts()
        ]
        fields = [*((name, object) for name in texts), *((name, "=u8") for name in numbers), ("called_at_least", "?")]
        return table_of_tuples(rows, [*fields, ("self", cost_fields(names))])

    def functions(self, events: Sequence[str] | None = None) -> Table:
        """function, file, object (rows of the names), cycle (-1: none), called, self, inclusive and its bounds, called_at_least.

        `inclusive` is exact where `inclusive_at_least` and `inclusive_at_most` are equal, else an estimate: recursive calls overlap.
        """
        measures = self._measures(events)
        fields: list[tuple[str, Any]] = [("function", "=u4"), ("file", "=u4"), ("object", "=u4"), ("cycle", "=i4"), ("called", "=i8")]
        fields += [("self", cost_fields([m.name for m in measures])), *_inclusive(measures)]
        fields += [*_inclusive(measures, "inclusive_at_least"), *_inclusive(measures, "inclusive_at_most"), ("called_at_least", "?")]
        lookup = {
            "function": ("function", lambda: self.function_names),
            "file": ("file", lambda: self.file_names),
            "object": ("object", lambda: self.object_names),
        }
        return table_of(self._graph.functions(measures), fields, lookup)

    def arcs(self, events: Sequence[str] | None = None) -> Table:
        """Call arcs: caller, callee (rows of function_names), called, inclusive, recursive, counted_again, called_at_least, and
        of a profile with inlined code `inlined`: the compiler put the code of the callee into the caller, which calls nothing.

        Where `counted_again`, the calls may be nested: `inclusive` has some cost more than once and is no share of the total.
        """
        measures = self._measures(events)
        fields = [("caller", "=u4"), ("callee", "=u4"), ("called", "=i8"), *_inclusive(measures)]
        fields += [("recursive", "?"), ("counted_again", "?"), ("called_at_least", "?"), *inlined_field(self.has_inlined)]
        lookup = {name: (name, lambda: self.function_names) for name in ("caller", "callee")}
        return table_of(self._graph.arcs(measures), fields, lookup)

    @property
    def has_inlined(self) -> bool:
        """Whether inlined code is functions of its own: see expand_inlined()."""
        return self._graph.has_inlined()

    def expand_inlined(self, maps: Sequence[Mapping[str, Any]]) -> Profile:
        """The same profile with inlined code as functions, by maps that say which code that is: those of inlined_maps().

        Needs detail="full" and instruction addresses. The profile itself is as it was if the maps are of other objects.
        """
        expanded = self._graph.expand([dict(one) for one in maps])
        return Profile(lambda: expanded)

    def inlined(self, events: Sequence[str] | None = None) -> Table:
        """Functions with inlined code: function, file, entries (about how often that was entered; -1: not known), self (its part in it)."""
        measures = self._measures(events)
        fields: list[tuple[str, Any]] = [("function", "=u4"), ("file", "=u4"), ("entries", "=i8"), ("self", cost_fields([m.name for m in measures]))]
        return table_of(self._graph.inlined(measures), fields, {"function": ("function", lambda: self.function_names), "file": ("file", lambda: self.file_names)})

    def inlined_places(self, events: Sequence[str] | None = None) -> Table:
        """Where code is inlined: function, inlined_in, host, source_file, line (of the call; 0: not known), entries, self.

        `inlined_in` is the function that the code is directly in, `host` the one around all of it that is not inlined.
        """
        measures = self._measures(events)
        functions = ("function", "inlined_in", "host")
        fields: list[tuple[str, Any]] = [*((name, "=u4") for name in (*functions, "source_file")), ("line", "=i8"), ("entries", "=i8")]
        fields += [("self", cost_fields([m.name for m in measures]))]
        lookup = {name: (name, lambda: self.function_names) for name in functions}
        return table_of(self._graph.inlined_places(measures), fields, {**lookup, "source_file": ("source_file", lambda: self.file_names)})

    def groups(
        self, by: Literal["object", "file", "directory", "namespace", "cycle"], events: Sequence[str] | None = None
    ) -> Table:
        """Functions taken together: name, cycle (-1: none), functions (how many), called, self, inclusive and its bounds, called_at_least.

        The most expensive groups by self cost of the first event type come first. Every function is in one group: of those in no
        class or namespace, or in no cycle, the name is empty. `inclusive` is exact where its bounds are equal.
        """
        kind = member_of(_native.GroupBy.__members__, "by", by)
        measures = self._measures(events)
        fields = [("cycle", "=i4"), ("functions", "=u4"), ("called", "=i8"), ("self", cost_fields([m.name for m in measures])), *_inclusive(measures)]
        fields += [*_inclusive(measures, "inclusive_at_least"), *_inclusive(measures, "inclusive_at_most"), ("called_at_least", "?")]
        names, rows = self._graph.groups(kind, measures)
        return named_table_of(names, table_of(rows, fields, {}))

    def find(self, name: str, *, file: str | None = None, object: str | None = None) -> int:
        """The row of a function, by its whole name; of several the one with the highest inclusive cost.

        Raises Error with the code `unknown-function` if there is none.
        """
        rows = np.flatnonzero(self.function_names == name)
        if rows.size and not (file is object is None and rows.size == 1):
            functions = self.functions([self.default_event])
            if file is not None:
                rows = rows[functions.column("file")[rows] == file]
            if object is not None:
                rows = rows[functions.column("object")[rows] == object]
            costs = functions["inclusive" if functions.dtype["inclusive"].names else "self"][self.default_event]
            rows = rows[np.argsort(-costs[rows], kind="stable")]
        if not rows.size:
            message = f"the profile has no function {name!r}" + "".join(f" of {what} {value!r}" for what, value in (("file", file), ("object", object)) if value is not None)
            raise Error(f"error: {message} [unknown-function]", "unknown-function", message=message)
        return int(rows[0])

    def callers(self, function: int | str, events: Sequence[str] | None = None) -> Table:
        """Functions that call this one: arc (row of arcs()), function, file, object, called, inclusive, recursive, counted_again, called_at_least.

        `function` is a row of function_names, or a name as for `find`. `called` and `inclusive` are those of its calls, of which
        the most expensive by the first event type come first. A function that calls itself is among its callers and callees.
        """
        return self._neighbours(self._graph.callers, function, events)

    def callees(self, function: int | str, events: Sequence[str] | None = None) -> Table:
        """Functions that this one calls, as `callers`."""
        return self._neighbours(self._graph.callees, function, events)

    def _neighbours(self, rows_of: Callable[..., np.ndarray[Any, Any]], function: int | str, events: Sequence[str] | None) -> Table:
        measures = self._measures(events)
        fields = [("arc", "=u4"), ("function", "=u4"), ("file", "=u4"), ("object", "=u4"), ("called", "=i8"), *_inclusive(measures)]
        fields += [("recursive", "?"), ("counted_again", "?"), ("called_at_least", "?"), *inlined_field(self.has_inlined)]
        lookup = {
            "function": ("function", lambda: self.function_names),
            "file": ("file", lambda: self.file_names),
            "object": ("object", lambda: self.object_names),
        }
        return table_of(rows_of(self._row(function), measures), fields, lookup)

    def call_sites(self, caller: int | str | None = None, callee: int | str | None = None, event: str | None = None) -> Table:
        """Places of calls: caller, callee, arc, source_file, line (0: not known), address (0: not known), called, inclusive, called_at_least.

        All calls that `caller` makes, all calls to `callee`, or those from one to the other: rows or names as for `callers`. The
        most expensive places come first.
        """
        if caller is None and callee is None:
            raise TypeError("call_sites() needs a caller, a callee, or both")
        measure = self._measure(event)
        from_row, to_row = (None if function is None else self._row(function) for function in (caller, callee))
        fields = [("caller", "=u4"), ("callee", "=u4"), ("arc", "=u4"), ("source_file", "=u4"), ("line", "=i8"), ("address", "=u8"), ("called", "=i8")]
        fields += [*_inclusive([measure]), ("called_at_least", "?")]
        lookup = {name: (name, lambda: self.function_names) for name in ("caller", "callee")}
        return table_of(self._graph.call_sites(from_row, to_row, measure), fields, {**lookup, "source_file": ("source_file", lambda: self.file_names)})

    def tree(
        self,
        event: str | None = None,
        *,
        direction: Literal["callees", "callers"] = "callees",
        recursion: Literal["fold", "unfold"] = "fold",
        root: int | str | None = None,
        max_frames: int = 20_000,
        max_levels: int | None = None,
        min_cost: float = 0,
    ) -> Tree:
        """Call paths, as flame graphs show them: from the roots of the program down, or inverted (`callers`), from self costs up.

        With a `root`, a row or name as for `callers`, the tree begins at this function, whoever called it. `recursion="fold"`
        makes one frame of a function that calls itself. Frames with less than `min_cost` are not expanded, and at most
        `max_frames` are, the most expensive first; roots are level 1. What is left out is in frames of the kind `not_expanded`.

        Most profiles hold the cost of calls, not of paths: then costs are estimates between bounds, see Tree.
        """
        measure = self._measure(event)
        levels = None if max_levels is None else _at_least_zero("max_levels", operator.index(max_levels))
        limits = (_at_least_zero("max_frames", operator.index(max_frames)), levels, _at_least_zero("min_cost", float(min_cost)))
        chosen = member_of(_native.Recursion.__members__, "recursion", recursion)
        facts, rows = self._graph.tree(
            measure, member_of(_native.TreeDirection.__members__, "direction", direction), chosen, None if root is None else self._row(root), limits
        )
        lookup = {
            "function": lambda: names_array(self._graph.frame_names(chosen)),
            "file": lambda: self.file_names,
            "object": lambda: self.object_names,
        }
        return tree_of(measure.name, direction, facts, self.has_inlined, rows, lookup)

    def lines(self, events: Sequence[str] | None = None) -> Table:
        """Self cost by function, source_file and line (0: not known). Code inlined from elsewhere is where it is from."""
        measures = self._measures(events)
        fields: list[tuple[str, Any]] = [("function", "=u4"), ("source_file", "=u4"), ("line", "=i8"), ("self", cost_fields([m.name for m in measures]))]
        lookup = {"function": ("function", lambda: self.function_names), "source_file": ("source_file", lambda: self.file_names)}
        return table_of(self._graph.lines(measures), fields, lookup)

    @cached_property
    def function_names(self) -> Strings:
        """Names by row, of functions."""
        return names_array(self._graph.function_names())

    @cached_property
    def file_names(self) -> Strings:
        """Names by row, of source files; row 0 is the unknown one."""
        return names_array(self._graph.file_names())

    @cached_property
    def object_names(self) -> Strings:
        """Names by row, of objects (programs, libraries); row 0 is the unknown one."""
        return names_array(self._graph.object_names())

    def diagnostics(self) -> list[Diagnostic]:
        """Problems found in the files: empty for most. Of severity `error`: data were lost."""
        return diagnostics_of(self._graph.diagnostics())

    def select(
        self, parts: Sequence[int] = (), threads: Sequence[int] = (), pids: Sequence[int] = (), *, fold_contexts: bool = True,
        inlined: Literal["fold", "keep", "in_host"] = "fold",
    ) -> Profile:
        """The same profile with these parts only, by their numbers; none given: all. Needs detail="full".

        `fold_contexts` adds recursion levels and caller contexts (`f'2`) to their function, as in the whole profile.
        Of expand_inlined(), `inlined="keep"` has a function for each place, `"in_host"` what was before.
        """
        chosen = member_of(_native.Inlined.__members__, "inlined", inlined)
        selected = self._graph.select(list(parts), list(threads), list(pids), fold_contexts, chosen)
        return Profile(lambda: selected)

    def write(self, target: Target, dialect: Dialect = "portable", *, canonical: bool = False, without_calls: bool = False) -> dict[str, int]:
        """Writes it to a path or a binary file object; returns how much the dialect could not say. See docs/writing.md."""
        chosen = dialect_of(dialect)
        return write_to(target, lambda to: self._graph.write(to, chosen, canonical, without_calls))

    def page(self) -> str:
        """The page of `callcost report` with this profile in it, as HTML that needs nothing else.

        Raises FileNotFoundError if the page is not installed (Debian package callcost).
        """
        return page.standalone(self)

    def _row(self, function: int | str) -> int:
        if isinstance(function, str):
            return self.find(function)
        row = operator.index(function)
        if not 0 <= row < len(self.function_names):
            raise IndexError(f"no function {row}: there are {len(self.function_names)}, from 0")
        return row

    def _measure(self, event: str | None) -> _native.Measure:
        if event is None:
            return self._graph.default_measure()
        # By the text of the name first: its bytes may be no UTF-8.
        for measure in self._graph.measures():
            if measure.name == event:
                return measure
        return self._graph.find(event)

    def _measures(self, events: Sequence[str] | None) -> list[_native.Measure]:
        if events is None:
            return self._raw(None)
        return [self._measure(event) for event in list_of_names(events)]

    def _raw(self, events: Sequence[str] | None) -> list[_native.Measure]:
        if events is not None:
            return [m for m in self._measures(events) if not m.formula]
        count = self._graph.event_count
        return [self._graph.default_measure()] if count > _MOST_EVENTS else self._graph.measures()[:count]


def member_of(members: Mapping[str, Member], what: str, name: str) -> Member:
    try:
        return members[name]
    except KeyError:
        raise ValueError(f"{what} must be one of {', '.join(members)}, not {name!r}") from None


def dialect_of(name: str) -> _native.FileDialect:
    return member_of(_native.FileDialect.__members__, "dialect", name)


def _at_least_zero(what: str, number: Number) -> Number:
    if not number >= 0:  # NaN neither
        raise ValueError(f"{what} must be at least 0, not {number}")
    return number


def _inclusive(measures: Sequence[_native.Measure], name: str = "inclusive") -> list[tuple[str, Any]]:
    return [(name, cost_fields([m.name for m in measures if m.additive]))]


__all__ = ["Error", "Profile", "merge", "read"]
