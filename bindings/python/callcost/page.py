"""A profile as HTML: the page of `callcost report`, or a table where that is not installed."""

from __future__ import annotations

import base64
import gzip
import html
import io
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .profile import Profile

_PLACEHOLDER = "<!-- callcost:data -->"
_MOST_BYTES = 2_000_000  # of the page in a notebook: it is saved with it
_ROWS = 10


def _page_file() -> pathlib.Path:
    """Environment variable CALLCOST_PAGE, or where the Debian package callcost has it."""
    path = pathlib.Path(os.environ.get("CALLCOST_PAGE") or "/usr/share/callcost/page.html")
    if not path.is_file():
        raise FileNotFoundError(f"{path}: the page is not installed (Debian package callcost; or set CALLCOST_PAGE)")
    return path


class _Bounded(io.BytesIO):
    """Takes no more than a notebook shows."""

    def write(self, data: Any, /) -> int:
        if self.tell() + len(data) > _MOST_BYTES:
            raise ValueError("too large for a notebook")
        return super().write(data)


def standalone(profile: Profile, packed: io.BytesIO | None = None) -> str:
    """docs/protocol.md says what the page reads from the document."""
    before, found, after = _page_file().read_text("utf-8").partition(_PLACEHOLDER)
    if not found:
        raise ValueError(f"{_page_file()} is not the page of callcost: it has no place for a profile")
    packed = packed if packed is not None else io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        profile.write(file, "compact")
    name = profile.sources[0] if profile.sources and profile.sources[0] else "profile"
    manifest = {"profiles": [{"name": name, "side": "after", "block": "p0"}], "sources": []}
    harmless = json.dumps(manifest).replace("<", "\\u003c")
    block = base64.b64encode(packed.getvalue()).decode("ascii")
    return (
        f'{before}<script type="application/json" id="callcost-manifest">{harmless}</script>\n'
        f'<script type="application/octet-stream;base64" id="p0">{block}</script>\n{after}'
    )


def html_of(profile: Profile) -> str:
    """For notebooks."""
    try:
        page = standalone(profile, _Bounded())
    except (OSError, ValueError):  # not installed, read without detail, or too large
        page = ""
    if not 0 < len(page) <= _MOST_BYTES:
        return _table(profile)
    # Not srcdoc: the page keeps its state in its address, and there that would be the notebook's.
    address = f"data:text/html;charset=utf-8;base64,{base64.b64encode(page.encode()).decode('ascii')}#flame"
    return f'<iframe src="{address}" title="{html.escape(repr(profile))}" style="width:100%;height:600px;border:0"></iframe>'


def _table(profile: Profile) -> str:
    event = profile.default_event
    functions = profile.functions([event])
    rows = functions[functions["self"][event].argsort(kind="stable")[::-1][:_ROWS]]
    is_additive = bool(rows["inclusive"].dtype.names)
    lines = []
    for row in rows:
        inclusive = f"{row['inclusive'][event]:,}" if is_additive else ""
        name = html.escape(profile.function_names[row["function"]])
        lines.append(f"<tr><td>{row['self'][event]:,}</td><td>{inclusive}</td><td style='text-align:left'>{name}</td></tr>")
    head = f"<tr><th>self {html.escape(event)}</th><th>inclusive</th><th style='text-align:left'>function</th></tr>"
    return f"<table><caption>{html.escape(repr(profile))}</caption>{head}{''.join(lines)}</table>"
