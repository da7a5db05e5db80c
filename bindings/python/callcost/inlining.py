"""Which code of a program was inlined: read by the command, as the library knows no debug information."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import subprocess
from typing import Any


def inlined_maps(path: str | os.PathLike[str], *, command: str | os.PathLike[str] = "callcost") -> list[dict[str, Any]]:
    """Maps for Profile.expand_inlined(), from the debug information of the programs that the profile names.

    The command `callcost` must be installed. Empty if nothing is known; the command says why on standard error. Raises
    subprocess.CalledProcessError if it fails. docs/protocol.md has the form of a map.
    """
    words = [command, "report", "--inlined=yes", "--no-sources", "--no-code", "--output=-", "--", os.path.abspath(path)]
    page = subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout.decode()
    block = re.search(r'<script type="application/octet-stream;base64" id="i0">([^<]*)</script>', page)
    maps: list[dict[str, Any]] = json.loads(gzip.decompress(base64.b64decode(block[1])))["maps"] if block else []
    return maps
