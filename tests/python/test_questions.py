"""Groups, callers and callees, call sites and call paths are those of the command; change points are those of the library."""

import decimal
import fractions
import math
import threading

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


# Callers and callees


@pytest.mark.parametrize("path", SOME)
def test_neighbors_are_those_of_the_command(path, ask):
    wanted = ask("peek", "/./", "--limit", "0", "--contexts=fold", path)
    profile = callcost.read(conftest.PROFILES / path)
    event = wanted["event"]
    names = [profile.function_names, profile.file_names, profile.object_names]
    functions = profile.functions([event])
    rows = {}
    for row in functions:
        rows.setdefault(tuple(array[row[field]] for array, field in zip(names, ("function", "file", "object"))), int(row["function"]))
    for want in wanted["functions"][:50]:
        row = rows[want["function"], want["file"], want["object"]]
        for end in ("callers", "callees"):
            table, listed = getattr(profile, end)(row, [event]), want[end]
            frame = table.to_pandas()
            assert frame["function"].tolist() == [each["function"] for each in listed]
            assert frame["file"].tolist() == [each["file"] for each in listed]
            assert table["called"].tolist() == [each["count"] or 0 for each in listed]
            assert table["recursive"].tolist() == [each["recursive"] for each in listed]
            assert table["counted_again"].tolist() == [each["counted_again"] for each in listed]
            assert (~table["called_at_least"]).tolist() == [each["count_is_exact"] for each in listed]
            if table.dtype["inclusive"].names:
                assert table["inclusive"][event].tolist() == [one(each["inclusive"]) for each in listed]
            arcs = profile.arcs([event])[table["arc"]]
            assert (arcs["called"] == table["called"]).all()
            for each in listed:
                other = rows[each["function"], each["file"], each["object"]]
                check_sites(profile.call_sites(*((other, row) if end == "callers" else (row, other)), event), each)


def check_sites(sites, wanted):
    found = zip(sites.column("source_file").tolist(), sites["line"].tolist(), sites["address"].tolist(), sites["called"].tolist())
    assert sorted(found) == sorted((site["file"], site["line"], site["address"], site["count"] or 0) for site in wanted["sites"])
    assert sites["called"].sum() == (wanted["count"] or 0)


def test_functions_are_found_by_name(profile):
    row = profile.find("do_lookup_x")
    assert profile.function_names[row] == "do_lookup_x"
    assert profile.find("do_lookup_x", file="./elf/./elf/dl-lookup.c") == row
    assert profile.callers("do_lookup_x").to_pandas()["function"].tolist() == ["_dl_lookup_symbol_x"]
    assert (profile.callers("do_lookup_x") == profile.callers(np.int64(row))).all()
    for names in ({"name": "do_lookup"}, {"name": "do_lookup_x", "file": "a.c"}, {"name": "do_lookup_x", "object": "a"}):
        with pytest.raises(callcost.Error) as caught:
            profile.find(**names)
        assert caught.value.code == "unknown-function" and names["name"] in caught.value.message


def test_of_several_functions_the_most_expensive_is_found():
    data = b"events: Ir\nfl=a\nfn=f\n1 5\nfl=b\nfn=f\n1 7\nfl=c\nfn=f\n1 6\n"
    profile = callcost.read(data)
    files = profile.functions().column("file")
    assert [files[profile.find("f")], files[profile.find("f", file="c")]] == ["b", "c"]


def test_neighbors_of_nothing_are_errors(profile):
    for row in (-1, len(profile.function_names)):
        for question in (profile.callers, profile.callees, profile.call_sites):
            with pytest.raises(IndexError, match="384"):
                question(row)
        with pytest.raises(IndexError):
            profile.tree(root=row)
    with pytest.raises(TypeError):
        profile.callers(1.5)
    with pytest.raises(TypeError, match="caller"):
        profile.call_sites()
    with pytest.raises(callcost.Error) as caught:
        callcost.read(DEFAULT, detail="functions").call_sites("do_lookup_x")
    assert caught.value.code == "needs-detail"


def test_call_sites_of_all_calls_are_the_most_expensive_first(profile):
    sites = profile.call_sites(caller="do_lookup_x")
    assert sites.columns() == ["caller", "callee", "source_file", "arc", "line", "address", "called", "inclusive_Ir", "called_at_least"]
    assert (np.diff(sites["inclusive"]["Ir"]) <= 0).all()
    assert sites["inclusive"]["Ir"].sum() == profile.callees("do_lookup_x")["inclusive"]["Ir"].sum()
    assert sites["called"].sum() == profile.callees("do_lookup_x")["called"].sum()


# Call paths


@pytest.mark.parametrize("direction", ["callees", "callers"])
@pytest.mark.parametrize("path", SOME)
def test_trees_are_those_of_the_command(path, direction, ask):
    wanted = ask("tree", "--depth", "6", "--limit", "0", "--threshold", "0", *(["--inverted"] if direction == "callers" else []), path)
    profile = callcost.read(conftest.PROFILES / path)
    tree = profile.tree(wanted["event"], direction=direction, max_levels=6)
    assert (tree.event, tree.direction, tree.estimated) == (wanted["event"], direction, wanted["estimated"])
    for fact in ("inclusive", "certain", "not_expanded", "unbalanced", "unrecorded_callees", "unattributed", "partly_paid", "negative"):
        assert getattr(tree, fact) == pytest.approx(wanted[fact], abs=0.001), fact
    frames = tree.frames()
    assert len(frames) == len(wanted["frames"])
    names = [frames.column(name) for name in ("function", "file", "object", "kind")]
    for row, (frame, want) in enumerate(zip(frames, wanted["frames"])):
        assert [column[row] for column in names] == [want["function"], want["file"], want["object"], want["kind"]]
        assert frame["parent"] == (-1 if want["parent"] is None else want["parent"])
        assert (frame["level"], frame["partly_paid"]) == (want["level"], want["partly_paid"])
        for field in ("self", "inclusive"):
            assert frame[field] == pytest.approx(want[field]["estimate"], abs=0.001)
            assert (frame[f"{field}_at_least"], frame[f"{field}_at_most"]) == (want[field]["least"], want[field]["most"])


def test_estimates_are_called_so_and_lie_between_their_bounds(profile):
    tree = profile.tree()
    frames = tree.frames()
    assert tree.estimated and 0 < tree.certainty < 1 and "estimated" in repr(tree)
    for field in ("self", "inclusive"):
        assert (frames[f"{field}_at_least"] - 0.5 <= frames[field]).all() and (frames[field] <= frames[f"{field}_at_most"] + 0.5).all()
    assert (frames["self_at_least"] < frames["self_at_most"]).any()
    below = np.bincount(frames["parent"][frames["parent"] >= 0], frames["inclusive"][frames["parent"] >= 0], len(frames))
    assert np.allclose(frames["self"] + below, frames["inclusive"])
    assert frames["inclusive"][frames["parent"] == -1].sum() == pytest.approx(profile.total("Ir"))
    assert (frames["parent"] < np.arange(len(frames))).all()


def test_recorded_paths_are_exact():
    profile = callcost.read(conftest.PROFILES / "xdebug/plain.cachegrind.out")
    tree = profile.tree()
    frames = tree.frames()
    assert not tree.estimated and tree.certainty == 1 and "exact" in repr(tree)
    assert (frames["inclusive_at_least"] == frames["inclusive_at_most"]).all()
    assert (frames["inclusive_at_least"] == frames["inclusive"]).all()


def test_trees_begin_at_a_function_and_have_limits(profile):
    tree = profile.tree(root="do_lookup_x", max_levels=1)
    frames = tree.frames()
    assert frames.to_pandas()["function"].tolist() == ["do_lookup_x", None]
    assert frames.column("kind").tolist() == ["function", "not_expanded"]
    assert tree.inclusive == 642869 and tree.not_expanded == frames["inclusive"][1]
    assert len(profile.tree(max_frames=10).frames()) < 30
    assert len(profile.tree(min_cost=500_000).frames()) < len(profile.tree(min_cost=5_000).frames())
    assert (profile.tree(min_cost=500_000).frames()["inclusive"][:3] >= 500_000).all()
    for wrong in ({"max_frames": -1}, {"max_levels": -1}, {"min_cost": -1}, {"min_cost": math.nan}, {"direction": "up"}, {"recursion": "no"}):
        with pytest.raises(ValueError):
            profile.tree(**wrong)
    with pytest.raises(callcost.Error):
        profile.tree("Dr")


def test_recursion_is_folded_unless_it_is_not_to_be():
    kept = callcost.read(conftest.PROFILES / "callgrind/sepcallers1-seprecs3.out").select(fold_contexts=False)
    folded, unfolded = kept.tree(max_levels=8), kept.tree(max_levels=8, recursion="unfold")
    assert not any("'" in str(name) for name in folded.frames().column("function"))
    assert any("'2" in str(name) for name in unfolded.frames().column("function"))
    assert folded.function_names[-1] is None


def test_several_threads_make_trees_at_once(profile):
    found = []
    threads = [threading.Thread(target=lambda: found.append(profile.tree().frames()["inclusive"].sum())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1


# Change points


def test_change_points_pass_over_what_is_missing():
    found = callcost.change_points([100, 100, 100, None, 120, math.nan, 120, 120])
    assert found.points == [callcost.ChangePoint(at=4, before=100, after=120, count_before=3, count_after=3)]
    assert found.exact and found.noise == 0
    assert callcost.change_points([]).points == callcost.change_points([None, 5]).points == []


def test_change_points_take_arrays_and_columns():
    pandas = pytest.importorskip("pandas")
    for costs in (np.array([5, 5, 9, 9]), pandas.Series([5, 5, 9, 9]), pandas.Series([5, 5, 9, None]), iter((5, 5, 9))):
        assert [point.at for point in callcost.change_points(costs).points] == [2]
    for dtype in ("Int64", "Float32", "object"):
        costs = pandas.Series([5, 5, pandas.NA, 9], dtype=dtype)
        assert [point.at for point in callcost.change_points(costs).points] == [3]
    assert callcost.change_points([2**63 - 1, -(2**63)]).points[0].after == -(2**63)


def test_change_points_take_numbers_of_any_type():
    one = [5, np.float32(5), np.int8(5), decimal.Decimal(5), fractions.Fraction(5), 5.0, np.float16("nan"), np.ma.masked, decimal.Decimal("nan"), False]
    found = callcost.change_points(one)
    assert [(point.at, point.before, point.after, point.count_before) for point in found.points] == [(9, 5, 0, 6)]
    large = decimal.Decimal(2**62 + 1)
    assert callcost.change_points([1, large]).points[0].after == 2**62 + 1


def test_change_points_have_options():
    six = [500, 600, 650, 660, 640, 700]
    assert not callcost.counts_exactly("D1mr") and callcost.counts_exactly("Ir")
    assert callcost.change_points(six).points == []
    assert len(callcost.change_points(six, exact=True).points) == 5
    assert callcost.change_points([100, 100, 101, 101], threshold=0.02).points == []


@pytest.mark.parametrize("costs, error", [([1.5], TypeError), ([np.float32(1.5)], TypeError), ([math.inf], TypeError), (["1"], TypeError), ([b"1"], TypeError), ([[1]], TypeError), ([2**63], OverflowError), (5, TypeError)])
def test_what_are_no_costs_is_an_error(costs, error):
    with pytest.raises(error):
        callcost.change_points(costs)
    for threshold in (-1, math.nan):
        with pytest.raises(ValueError):
            callcost.change_points([1], threshold=threshold)
