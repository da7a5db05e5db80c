"""Writing what was measured, for tools."""

from __future__ import annotations

from typing import Any, Sequence

from . import _native
from .profile import Dialect, LateFile, Target, dialect_of, list_of_names


class Writer:
    """Writes a profile from front to back, with memory for the names only.

        with callcost.Writer("out.callgrind", events=["Ir"], creator="mytool-1.0") as writer:
            main, parse = writer.function("main", file="a.c"), writer.function("parse", file="a.c")
            writer.begin_function(main)
            writer.cost(10, [20])
            writer.call(12, parse, 4, [100])     # 4 calls, with their inclusive cost
            writer.begin_function(parse)
            writer.cost(30, [100])

    The file is whole when the `with` ends without an exception. Costs are by the event types, missing ones are 0.
    Names may come at any time; equal ones are the same. Misuse raises Error and writes nothing.
    """

    def __init__(
        self,
        target: Target,
        events: Sequence[str],
        *,
        creator: str = "",
        command: str = "",
        dialect: Dialect = "portable",
        pid: int | None = None,
        thread: int | None = None,
        part: int | None = None,
        descriptions: Sequence[str] = (),
        addresses: bool = False,
        without_calls: bool = False,
    ) -> None:
        self._file: Any = target if hasattr(target, "write") else LateFile(target)
        self._is_ours = self._file is not target
        try:
            self._native = _native.FileWriter(self._file.write, dialect_of(dialect), creator, without_calls)
            self.begin_part(events, command=command, pid=pid, thread=thread, part=part, descriptions=descriptions, addresses=addresses)
        except BaseException:
            self._close()
            raise

    def begin_part(
        self,
        events: Sequence[str],
        *,
        command: str = "",
        pid: int | None = None,
        thread: int | None = None,
        part: int | None = None,
        descriptions: Sequence[str] = (),
        addresses: bool = False,
    ) -> None:
        """Ends the part before; the constructor begins the first one. Only the compact and strict dialects have several."""
        self._native.begin_part(list_of_names(events), command, (pid, part, thread), list(descriptions), addresses)

    def function(self, name: str, *, file: str | None = None, object: str | None = None) -> int:
        """The number of a function: its name, the file that it is defined in, its program or library."""
        file_row = None if file is None else self._native.file(file)
        object_row = None if object is None else self._native.object(object)
        return self._native.function(object_row, file_row, name)

    def begin_function(self, function: int) -> None:
        """What follows belongs to this function. It may be begun many times."""
        self._native.begin_function(function)

    def cost(self, line: int, costs: Sequence[int], *, file: str | None = None, address: int = 0) -> None:
        """Self cost of a line (0: not known); `file`: if it is inlined from another one."""
        self._native.cost(self._place(line, file, address), list(costs))

    def call(self, line: int, callee: int, count: int, costs: Sequence[int], *, file: str | None = None, address: int = 0) -> None:
        """Calls made on a line, and their inclusive cost. A count of 0: not known."""
        self._native.call(self._place(line, file, address), callee, count, list(costs))

    def finish(self) -> None:
        """Ends the file; the end of `with` does it. Raises the first misuse, too."""
        try:
            self._native.finish()
        finally:
            self._close()

    def _place(self, line: int, file: str | None, address: int) -> tuple[int | None, int, int]:
        if line < 0 or address < 0:
            raise ValueError(f"lines and addresses are at least 0, not {min(line, address)}")
        return (None if file is None else self._native.file(file), line, address)

    def _close(self) -> None:
        if self._is_ours:
            self._file.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        if kind is None:
            self.finish()
        else:
            self._close()
