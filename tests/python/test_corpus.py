"""Every profile of tests/profiles has the figures that the command has, which tests/corpus compares with the manifest."""

import os

import callcost
import conftest
import numpy as np
import pytest

PROFILES = conftest.PROFILES


def key(row):
    return row["function"] + (row["context"] or ""), row["file"], row["object"]


def costs(table, field, row):
    return {event: int(table[field][event][row]) for event in table.dtype[field].names}


@pytest.mark.parametrize("path", conftest.REAL + conftest.HOSTILE)
def test_figures_are_those_of_the_command(path, ask):
    info = ask("info", path)
    if info is None:
        with pytest.raises(callcost.Error):
            callcost.read(PROFILES / path)
        return
    profile = callcost.read(PROFILES / path)
    functions, arcs, parts = profile.functions(), profile.arcs(), profile.parts()
    raw = [event["name"] for event in info["events"] if event["formula"] is None]
    assert len(functions) == info["functions"]
    assert len(arcs) == info["arcs"]
    assert functions.flags.aligned and arcs.flags.aligned
    assert {event: profile.total(event) for event in raw} == info["self"]
    assert [event["name"] for event in info["events"]] == list(profile.events()["name"])
    assert parts["part"].tolist() == [part["part"] or 1 for part in info["parts"]]
    assert int(parts["call_records"].sum()) == info["call_records"]
    assert sorted({found.id for found in profile.diagnostics()}) == sorted({found["id"] for found in info["diagnostics"]})
    if len(raw) <= 32:
        for event in raw:
            assert int(functions["self"][event].sum()) == info["self"][event]
    check_functions(functions, ask("top", "--limit", "0", path))
    check_lines(profile, info)


def check_functions(functions, top):
    wanted = {}
    for row in top["rows"]:
        wanted.setdefault(key(row), []).append(row)
    names = [functions.column(name) for name in ("function", "file", "object")]
    for row in range(len(functions)):
        # JSON has null for inclusive costs where no calls are recorded, and for unknown numbers of calls.
        candidates = wanted[tuple(column[row] for column in names)]
        events = functions.dtype["self"].names
        found = {
            "self": costs(functions, "self", row),
            "inclusive": costs(functions, "inclusive", row),
            "called": int(functions["called"][row]) or None,
            "cycle": int(functions["cycle"][row]) + 1 or None,
        }
        assert any(
            found["self"] == {event: other["self"].get(event, 0) for event in events}
            and all(other["inclusive"][event] in (cost, None) for event, cost in found["inclusive"].items())
            and found["called"] == (other["called"] or None)
            and found["cycle"] == other["cycle"]
            for other in candidates
        ), (found, candidates)


def check_lines(profile, info):
    lines = profile.lines()
    for event in lines.dtype["self"].names:
        assert int(lines["self"][event].sum()) == info["self"][event]


def test_lines_are_those_of_the_command(ask):
    path = "callgrind/default.out"
    lines = callcost.read(PROFILES / path).lines()
    found = {}
    for file, line, cost in zip(lines.column("source_file"), lines["line"], lines["self"]["Ir"]):
        found[file, int(line)] = found.get((file, int(line)), 0) + int(cost)
    wanted = {(row["source_file"], row["line"]): row["self"]["Ir"] for row in ask("lines", "--limit", "0", path)["rows"]}
    assert {place: cost for place, cost in found.items() if cost} == wanted


@pytest.mark.parametrize("path", [path for path in conftest.REAL[::7] if (PROFILES / path).stat().st_size])
def test_bytes_files_and_threads_give_the_same(path):
    wanted = callcost.read(PROFILES / path)
    data = (PROFILES / path).read_bytes()
    with open(PROFILES / path, "rb") as file:
        others = [callcost.read(data), callcost.read(file), callcost.read(os.fspath(PROFILES / path), threads=3), callcost.read(bytearray(data), threads=1)]
    for other in others:
        assert np.array_equal(np.asarray(other.functions()), np.asarray(wanted.functions()))
        assert np.array_equal(np.asarray(other.arcs()), np.asarray(wanted.arcs()))
        assert list(other.function_names) == list(wanted.function_names)


@pytest.mark.parametrize("path", ["callgrind/default.out", "callgrind/bbs.out", "xdebug/plain.cachegrind.out", "hostile/truncated-after-calls.out"])
def test_checks_are_those_of_the_command(path, ask):
    said = ask("check", path)
    wanted = said["files"][0]
    report = callcost.check(PROFILES / path)
    assert report.ok == (said["errors"] == 0)
    assert len(report.checks) == len(wanted["checks"])
    for check, other in zip(report.checks, wanted["checks"]):
        assert (check.number, check.name, check.verdict, check.severity, check.count) == tuple(
            other[name] for name in ("number", "name", "verdict", "severity", "count")
        )
    assert {name: verdict for name, (verdict, _) in report.readers.items()} == {reader["name"]: reader["verdict"] for reader in wanted["readers"]}
    assert report.producer == (wanted["producer"] or "")


@pytest.mark.parametrize("match", ["exact", "canonical", "fuzzy"])
def test_differences_are_those_of_the_command(match, ask):
    before, after = "callgrind/default.out", "callgrind/pos-plain.out"
    folded = [callcost.read(PROFILES / path).select(fold_contexts=True) for path in (before, after)]
    found = callcost.diff(*folded, event="Ir", match=match)
    wanted = ask("diff", "--event", "Ir", "--match", match, "--force", "--limit", "0", before, after)
    assert found.total == (wanted["totals"][0]["cost"]["before"], wanted["totals"][0]["cost"]["after"])
    table = found.functions()
    names = [table.column(name) for name in ("function", "file", "object", "match")]
    changes = {
        (*(column[row] for column in names), *(int(table[field][side][row]) for field in ("self", "inclusive") for side in ("before", "after")))
        for row in range(len(table))
    }
    assert len(wanted["functions"]) > 100
    for row in wanted["functions"]:
        figures = [row[field][side] for field in ("self", "inclusive") for side in ("before", "after")]
        assert (row["function"], row["file"], row["object"], row["match"], *figures) in changes


@pytest.mark.parametrize("path", conftest.HOSTILE)
def test_hostile_bytes_do_not_crash(path):
    data = (PROFILES / path).read_bytes()
    for end in range(0, len(data), max(1, len(data) // 40)):
        try:
            profile = callcost.read(data[:end])
        except callcost.Error as error:
            assert error.code
            continue
        for table in (profile.functions(), profile.arcs(), profile.lines(), profile.parts(), profile.events()):
            assert len(table.to_pandas()) == len(table)
        profile._repr_html_()
        profile.diagnostics()
        callcost.check(data[:end])
