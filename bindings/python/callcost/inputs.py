"""Paths, bytes and file objects as what the extension module reads; decompression by Python's own modules."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import zlib
from typing import Any, Callable, Protocol, Union

from . import _native
from .errors import Error, TruncatedCompression


class Readable(Protocol):
    """A file object in binary mode."""

    def read(self, size: int, /) -> bytes: ...


Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Readable]
"""What can be read: the path of a file, the bytes of one, or a file object in binary mode."""

DETAILS = ("full", "functions")
_OPENERS: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
_ZSTD = b"\x28\xb5\x2f\xfd"
_LONGEST = 6  # bytes that tell the kind of compression
_FAILURES = (EOFError, OSError, zlib.error, lzma.LZMAError)
_USUAL_THREADS = 4  # reading does not scale beyond a few

_Input = tuple[bytes, object, bool]  # name, what to read, whether it is compressed


class _Prefixed(io.RawIOBase):
    """A file object of which the first bytes have been read already."""

    def __init__(self, front: bytes, rest: Any) -> None:
        self._front, self._rest = front, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._front[: len(buffer)] or self._rest.read(len(buffer))
        self._front = self._front[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


def _opener(front: bytes, name: str) -> Callable[..., Any] | None:
    if front.startswith(_ZSTD):
        message, hint = "this file is compressed by zstd", "decompress it first: zstd -d"
        raise Error(f"{name}: error: {message} ({hint}) [not-a-profile]", "not-a-profile", 0, 0, 0, message, name, hint)
    return next((opener for magic, opener in _OPENERS.items() if front.startswith(magic)), None)


def _decompressing(file: Any) -> Callable[[int], bytes]:
    def read(size: int) -> bytes:
        try:
            piece: bytes = file.read1(size)  # not read(): that loses what came before an error
        except _FAILURES as reason:
            if getattr(reason, "errno", None) is not None:  # of the file, not of its compression
                raise
            raise TruncatedCompression(str(reason)) from reason
        return piece

    return read


def _of_file(file: Any, name: str) -> _Input:
    front = file.read(_LONGEST)
    if not isinstance(front, bytes):
        raise TypeError("a file object must yield bytes: open the file in binary mode ('rb')")
    joined = io.BufferedReader(_Prefixed(front, file))
    opener = _opener(front, name)
    if opener is None:
        return os.fsencode(name), joined.read1, False
    return os.fsencode(name), _decompressing(opener(joined)), True


def _of_bytes(data: Any) -> _Input:
    opener = _opener(bytes(memoryview(data).cast("B")[:_LONGEST]), "")
    if opener is None:
        return b"", memoryview(data).cast("B"), False
    return b"", _decompressing(opener(io.BytesIO(data))), True


def _of_path(path: str, open_files: list[Any]) -> _Input:
    file = open(path, "rb")  # OSError if it cannot be opened
    open_files.append(file)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode) or _opener(file.peek(_LONGEST)[:_LONGEST], path):
        return _of_file(file, path)
    return os.fsencode(path), None, False


class Inputs:
    """The inputs of one call, open while it reads."""

    def __init__(self, sources: tuple[Source, ...]) -> None:
        if not sources:
            raise TypeError("nothing to read: give a path, bytes or a file object")
        self._files: list[Any] = []
        try:
            inputs = [self._input(source) for source in sources]
        except BaseException:
            self.__exit__()
            raise
        self.native = [(name, what) for name, what, _ in inputs]
        self.is_compressed = any(compressed for _, _, compressed in inputs)

    def _input(self, source: Source) -> _Input:
        if isinstance(source, (bytes, bytearray, memoryview)):
            return _of_bytes(source)
        if hasattr(source, "read"):
            name = getattr(source, "name", "")
            return _of_file(source, name if isinstance(name, str) else "")
        if isinstance(source, (list, tuple)):
            raise TypeError("several sources are arguments of their own: read(*paths)")
        return _of_path(os.fspath(source), self._files)

    def __enter__(self) -> Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            file.close()


def thread_count(threads: int | None) -> int:
    if threads is not None and threads < 1:
        raise ValueError("threads must be at least 1")
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, _USUAL_THREADS) if threads is None else threads


def read_model(sources: tuple[Source, ...], detail: str, threads: int | None) -> _native.Model:
    if detail not in DETAILS:
        raise ValueError(f"detail must be one of {', '.join(DETAILS)}, not {detail!r}")
    with Inputs(sources) as inputs:
        return _native.read(inputs.native, detail == "full", thread_count(threads))
