"""What goes wrong, as exceptions."""

from __future__ import annotations


class Error(ValueError):
    """Why a profile cannot be read, written or asked. `str()` has all of it in one line, as the command prints it.

    A file that can be read in part raises nothing: see `Profile.diagnostics()`. Files that cannot be opened raise
    `OSError`, as everywhere in Python.
    """

    def __init__(
        self,
        text: str,
        code: str,
        line: int = 0,
        column: int = 0,
        offset: int = 0,
        message: str = "",
        source: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(text, code, line, column, offset, message, source, hint)
        self.code = code
        """Stable name, such as `not-a-profile`."""
        self.line = line
        """From 1; 0: no place. So is `column`; `offset` counts bytes after decompression."""
        self.column = column
        self.offset = offset
        self.message = message
        """What is wrong, as a phrase."""
        self.source = source
        """Name of the input."""
        self.hint = hint
        """What to do about it, or what may be the cause; may be empty. Tracebacks show it, since Python 3.11."""
        if hint and hasattr(self, "add_note"):
            self.add_note(hint)

    def __str__(self) -> str:
        return str(self.args[0])


class TruncatedCompression(Exception):
    """Tells the reader that compressed data ended too early; what came before is kept."""
