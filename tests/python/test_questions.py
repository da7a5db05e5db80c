"""Groups are those of the command."""

import callcost
import conftest
import numpy as np
import pytest

DEFAULT = conftest.PROFILES / "callgrind/default.out"
SOME = (
    "cachegrind/branch.out",
    "callgrind/all-events.out",
    "callgrind/default.out",
    "callgrind/sepcallers-chain.out",
    "callgrind/names-latin1-utf8-long.out",
    "go-pprof/cpu-diff-negative.callgrind",
    "hostile/cycle-entered-late.out",
    "hostile/numbers.out",
    "mercurial/hg-log.callgrind",
    "phpspy/sample.cg",
    "xdebug/plain.cachegrind.out",
)


@pytest.fixture(scope="module")
def profile():
    return callcost.read(DEFAULT)


def one(costs):
    """By the only event type; none if it does not add up."""
    return next(iter(costs.values())) if costs else None


# Groups


@pytest.mark.parametrize("by", ["object", "file", "directory", "namespace", "cycle"])
@pytest.mark.parametrize("path", SOME)
def test_groups_are_those_of_the_command(path, by, ask):
    wanted = ask("top", f"--group={by}", "--limit", "0", path)
    profile = callcost.read(conftest.PROFILES / path)
    event = wanted["event"]
    groups = profile.groups(by, [event])
    assert len(groups) == len(wanted["rows"])
    for row, want in zip(groups, wanted["rows"]):
        if by in ("namespace", "object", "file"):
            assert row["name"] == (want[by] or "")
        assert (row["functions"], row["self"][event]) == (want["functions"], one(want["self"]))
        assert row["called"] == (want["called"] or 0)
        if want["inclusive"] and want["inclusive"][event] is not None:
            assert row["inclusive"][event] == want["inclusive"][event]
            bounds = want.get("inclusive_bounds", {}).get(event) or [want["inclusive"][event]] * 2
            assert [row["inclusive_at_least"][event], row["inclusive_at_most"][event]] == bounds
    assert groups["self"][event].sum() == profile.total(event)
    assert groups["functions"].sum() == len(profile.functions())


def test_groups_have_all_event_types_at_once():
    profile = callcost.read(conftest.PROFILES / "callgrind/all-events.out")
    groups = profile.groups("object")
    events = groups["self"].dtype.names
    assert len(events) > 5
    for event in events:
        alone = profile.groups("object", [event])
        by_name = dict(zip(alone["name"], zip(alone["self"][event].tolist(), alone["inclusive"][event].tolist())))
        assert dict(zip(groups["name"], zip(groups["self"][event].tolist(), groups["inclusive"][event].tolist()))) == by_name
    assert (np.diff(groups["self"][events[0]]) <= 0).all()
    assert profile.groups("object", [])["name"].tolist() == sorted(groups["name"].tolist())


def test_groups_are_tables(profile):
    groups = profile.groups("object")
    assert groups.columns() == ["name", "cycle", "functions", "called", "self_Ir", "inclusive_Ir", "inclusive_at_least_Ir", "inclusive_at_most_Ir", "called_at_least"]
    assert groups[:1].to_pandas()["name"].tolist() == ["/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"]
    pytest.importorskip("pyarrow")
    assert groups.to_arrow().column("name").to_pylist() == groups["name"].tolist()


def test_cycles_have_their_numbers(profile):
    groups, functions = profile.groups("cycle"), profile.functions()
    for row in groups:
        assert (functions["cycle"] == row["cycle"]).sum() == row["functions"]
