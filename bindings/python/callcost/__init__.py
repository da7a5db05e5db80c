"""Profiles in the Callgrind format: read, ask, compare, check and write them.

    profile = callcost.read("callgrind.out.1234")
    functions = profile.functions()          # a structured array of numpy
    functions["self"]["Ir"].sum() == profile.total("Ir")

docs/python.md is the guide, docs/glossary.md has the words.
"""

from __future__ import annotations

from . import _native
from .changes import ChangePoint, ChangePoints, change_points, counts_exactly
from .comparison import Diff, diff
from .errors import Error
from .inlining import inlined_maps
from .inputs import Source
from .profile import Profile, merge, read
from .report import Check, Diagnostic, Report, check
from .tables import Table
from .tree import Tree
from .writer import Writer

__version__: str = _native.version()
__all__ = [
    "ChangePoint",
    "ChangePoints",
    "Check",
    "Diagnostic",
    "Diff",
    "Error",
    "Profile",
    "Report",
    "Source",
    "Table",
    "Tree",
    "Writer",
    "change_points",
    "check",
    "counts_exactly",
    "diff",
    "inlined_maps",
    "merge",
    "read",
]
