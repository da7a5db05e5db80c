"""What the package promises beyond the figures: tables, errors, files, threads, types, notebooks."""

import ast
import bz2
import gc
import gzip
import io
import lzma
import os
import pathlib
import pickle
import threading
import time
import traceback

import callcost
import conftest
import numpy as np
import pytest

DEFAULT = conftest.PROFILES / "callgrind/default.out"
TOTAL = 1962662


@pytest.fixture(scope="module")
def profile():
    return callcost.read(DEFAULT)


# Tables


def test_tables_outlive_the_profile_and_are_not_copied():
    functions = callcost.read(DEFAULT).functions()
    gc.collect()
    assert functions["self"]["Ir"].sum() == TOTAL
    assert not functions.flags.owndata
    assert functions.flags.aligned and functions.flags.writeable


def test_slices_and_sorted_copies_keep_their_names(profile):
    functions = profile.functions()
    top = functions[np.argsort(functions["self"]["Ir"])[::-1]][:2].to_pandas()
    assert top["function"].tolist() == ["_dl_lookup_symbol_x", "do_lookup_x"]
    assert top["self_Ir"].tolist() == [635616, 477375]
    assert type(functions[:2]) is callcost.Table and type(functions["self"]["Ir"]) is np.ndarray


def test_columns_are_called_as_in_csv(profile):
    assert profile.functions().columns() == ["function", "file", "object", "cycle", "called", "self_Ir", "inclusive_Ir", "inclusive_at_least_Ir", "inclusive_at_most_Ir", "called_at_least"]
    assert profile.arcs().columns() == ["caller", "callee", "called", "inclusive_Ir", "recursive", "counted_again", "called_at_least"]
    assert profile.lines().columns() == ["function", "source_file", "line", "self_Ir"]


def test_event_types_can_be_formulas(profile):
    functions = profile.functions(["Ir", "2 Ir"])
    assert (functions["self"]["2 Ir"] == 2 * functions["self"]["Ir"]).all()
    assert profile.total("2 Ir") == 2 * TOTAL
    with pytest.raises(TypeError):
        profile.functions("Ir")


def test_arrow_tables(profile):
    pytest.importorskip("pyarrow")
    assert profile.arcs().to_arrow().column("caller").to_pylist() == profile.arcs().column("caller").tolist()
    assert profile.functions().to_arrow().num_rows == len(profile.functions())


def test_tables_are_plain_arrays_in_another_process(profile):
    copy = pickle.loads(pickle.dumps(profile.arcs()))
    assert np.array_equal(copy["caller"], profile.arcs()["caller"])


def test_many_event_types_leave_tables_narrow():
    names = [f"E{i}" for i in range(50)]
    data = f"events: {' '.join(names)}\nfn=f\n1 {' '.join(['1'] * 50)}\n".encode()
    wide = callcost.read(data)
    assert wide.functions().dtype["self"].names == ("E0",)
    assert wide.functions(names[48:])["self"]["E49"].tolist() == [1]


def test_names_of_events_may_be_any_bytes():
    odd = callcost.read(b"events: A\xc2 B\nfn=f\n1 2 3\n")
    assert odd.default_event == "A\xc2"
    assert odd.total(odd.default_event) == odd.functions([odd.default_event])["self"]["A\xc2"][0] == 2
    odd._repr_html_()


# Sources and errors


@pytest.mark.parametrize("module", [gzip, bz2, lzma])
def test_compressed_sources(module, tmp_path):
    packed = module.compress(DEFAULT.read_bytes())
    path = tmp_path / "packed"
    path.write_bytes(packed)
    for source in (packed, path, io.BytesIO(packed)):
        assert callcost.read(source).total("Ir") == TOTAL
    if module is bz2:  # has decoded nothing yet: its blocks are large
        with pytest.raises(callcost.Error, match="truncated"):
            callcost.read(packed[: len(packed) // 2])
        return
    half = callcost.read(packed[: len(packed) // 2])
    assert "truncated-compression" in [found.id for found in half.diagnostics()]
    assert 0 < half.total("Ir") < TOTAL


def test_a_pipe_is_read():
    reading, writing = os.pipe()
    data = DEFAULT.read_bytes()

    def write():
        with open(writing, "wb") as file:
            file.write(data)

    thread = threading.Thread(target=write)
    thread.start()
    with open(reading, "rb", buffering=0) as file:
        assert callcost.read(file).total("Ir") == TOTAL
    thread.join()


def test_errors_say_where_and_why():
    with pytest.raises(callcost.Error) as caught:
        callcost.read(b"events: Ir\nfn=f\n1 2\n", b"this is no profile\n")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.code, error.line) == ("not-a-profile", 1)
    assert error.message and str(error).endswith("[not-a-profile]")
    assert "callcost convert" in error.hint and error.hint in traceback.format_exception(error)[-1]
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.code, copy.hint) == (str(error), error.code, error.hint)


def test_other_errors(profile):
    with pytest.raises(callcost.Error) as caught:
        profile.total("Dr")
    assert caught.value.code == "unknown-event" and "Ir" in caught.value.hint
    with pytest.raises(callcost.Error) as caught:
        profile.total("Ir +")
    assert caught.value.code == "bad-formula" and caught.value.column > 0
    with pytest.raises(callcost.Error) as caught:
        profile.select(parts=[7])
    assert caught.value.code == "nothing-selected" and "1" in str(caught.value)
    with pytest.raises(callcost.Error) as caught:
        callcost.read(DEFAULT, detail="functions").lines()
    assert caught.value.code == "needs-detail"
    with pytest.raises(callcost.Error) as caught:
        callcost.read(b"\x28\xb5\x2f\xfd....")
    assert "zstd" in caught.value.hint
    with pytest.raises(callcost.Error):
        callcost.read(b"")


def test_what_cannot_be_opened_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        callcost.read(tmp_path / "missing")
    with pytest.raises(IsADirectoryError):
        callcost.read(tmp_path)
    with pytest.raises(TypeError):
        callcost.read(io.StringIO("events: Ir\n"))
    with pytest.raises(TypeError, match="read\\(\\*paths\\)"):
        callcost.read([DEFAULT, DEFAULT])
    with pytest.raises(ValueError):
        callcost.read(DEFAULT, detail="lines")


@pytest.mark.parametrize("threads", [1, 3])
def test_what_a_file_object_raises_comes_out(threads):
    class Broken:
        pieces = [b"events: Ir\nfn=f\n", *([b"1 2\n" * 10_000] * 100)]

        def read(self, size):
            if not self.pieces:
                raise KeyError("broken")
            piece, self.pieces[0] = self.pieces[0][:size], self.pieces[0][size:]
            self.pieces = [left for left in self.pieces if left]
            return piece

    with pytest.raises(KeyError, match="broken"):
        callcost.read(Broken(), threads=threads)


def test_errors_of_a_compressed_file_are_no_damage():
    packed = gzip.compress(DEFAULT.read_bytes())

    class Broken:
        pieces = [packed[:500]]

        def read(self, size):
            if not self.pieces:
                raise OSError(5, "Input/output error")
            return self.pieces.pop()

    with pytest.raises(OSError, match="Input/output error"):
        callcost.read(Broken())


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "p.out"
    path.write_bytes(DEFAULT.read_bytes())
    with pytest.raises(callcost.Error):
        callcost.read(path, detail="functions").write(path)
    with pytest.raises(callcost.Error):
        callcost.Writer(path, [])
    assert path.read_bytes() == DEFAULT.read_bytes()

    class Full:
        def write(self, data):
            return 0

    with pytest.raises(ValueError, match="took no bytes"):
        callcost.read(path).write(Full())


def test_chosen_fields_are_a_table(profile):
    chosen = profile.functions()[["function", "called"]]
    assert list(chosen.to_pandas().columns) == ["function", "called"]


def test_damaged_files_have_diagnostics():
    found = callcost.read(conftest.PROFILES / "hostile/truncated-after-calls.out").diagnostics()
    assert [(each.id, each.severity, each.line) for each in found[:1]] == [("calls-without-cost-line", "error", 17)]


def test_other_threads_run_while_a_file_is_read():
    data = b"events: Ir\nfn=f\n" + b"".join(b"%d %d\n" % (i % 1000, i) for i in range(1_000_000))
    beats, done = [], threading.Event()

    def beat():
        while not done.is_set():
            beats.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=beat)
    thread.start()
    begun = time.perf_counter()
    callcost.read(data, threads=1)
    ended = time.perf_counter()
    done.set()
    thread.join()
    assert len([moment for moment in beats if begun < moment < ended]) >= 3


# Selecting, merging, comparing, writing


def test_parts_can_be_selected():
    profile = callcost.read(conftest.PROFILES / "callgrind/threads-separate-combined.out")
    parts = profile.parts()
    thread = int(parts["thread"][0])
    chosen = profile.select(threads=[thread])
    assert chosen.total("Ir") == parts["self"]["Ir"][parts["thread"] == thread].sum() < profile.total("Ir")
    assert chosen.functions()["self"]["Ir"].sum() == chosen.total("Ir")


def test_contexts_can_be_kept():
    profile = callcost.read(conftest.PROFILES / "callgrind/sepcallers1-seprecs3.out")
    kept = profile.select(fold_contexts=False)
    assert len(profile.functions()) < len(kept.functions())
    assert len(profile.select().functions()) == len(profile.functions())
    assert kept.total() == profile.total()


def test_profiles_can_be_merged(profile):
    twice = callcost.merge([profile, profile])
    assert twice.total("Ir") == 2 * TOTAL
    assert len(twice.functions()) == len(profile.functions())
    with pytest.raises(callcost.Error):
        callcost.merge([])


@pytest.mark.parametrize("dialect", ["portable", "compact", "strict", "cachegrind"])
def test_profiles_can_be_written(profile, dialect, tmp_path):
    memory = io.BytesIO()
    left_out = profile.write(memory, dialect, without_calls=True)
    profile.write(tmp_path / "written", dialect, without_calls=True)
    assert (tmp_path / "written").read_bytes() == memory.getvalue()
    again = callcost.read(memory.getvalue())
    assert again.total("Ir") == TOTAL
    assert (left_out["calls"] > 0) == (dialect == "cachegrind")
    if dialect != "cachegrind":
        assert again.arcs()["inclusive"]["Ir"].sum() == profile.arcs()["inclusive"]["Ir"].sum()
    with pytest.raises(ValueError):
        profile.write(memory, "best")


def test_what_a_sink_raises_comes_out(profile):
    class Full(io.RawIOBase):
        def writable(self):
            return True

        def write(self, data):
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        profile.write(Full())


def test_a_diff_says_what_changed():
    before, after = (callcost.read(b"events: Ir\nfl=a\nfn=f\n1 %d\nfn=g\n2 7\n" % cost) for cost in (2, 5))
    changes = callcost.diff(before, after)
    assert changes.total == (9, 12)
    table = changes.functions()
    assert dict(zip(table.column("function"), table["self"]["delta"].tolist())) == {"f": 3, "g": 0}


def test_a_profile_does_not_differ_from_itself(profile):
    changed = callcost.read(DEFAULT)
    same = callcost.diff(profile, changed)
    assert same.total == (TOTAL, TOTAL)
    table = same.functions()
    assert not table["self"]["delta"].any()
    assert set(table.column("match")) == {"exact"}
    assert "self_before" in table.to_pandas().columns
    assert len(same.arcs()) == len(profile.arcs())
    with pytest.raises(ValueError):
        callcost.diff(profile, changed, match="best")
    with pytest.raises(callcost.Error):
        callcost.diff(profile, changed, event="Dr")


def test_tools_can_write_profiles(tmp_path):
    path = tmp_path / "out.callgrind"
    with callcost.Writer(path, ["Ir", "Dr"], creator="mytool-1.0", command="./soup") as writer:
        cook = writer.function("main", file="soup.c", object="soup")
        chop = writer.function("chop", file="soup.c", object="soup")
        writer.begin_function(cook)
        writer.cost(10, [20])
        writer.call(12, chop, 4, [100, 3])
        writer.begin_function(chop)
        writer.cost(30, [100, 3])
    profile = callcost.read(path)
    assert (profile.total("Ir"), profile.total("Dr")) == (120, 3)
    frame = profile.functions().to_pandas().set_index("function")
    assert frame.loc["main", "inclusive_Ir"] == 120
    assert frame.loc["chop", "called"] == 4
    assert frame.loc["chop", "object"] == "soup"
    assert profile.parts()["command"].tolist() == ["./soup"]
    assert all(verdict == "right" for verdict, _ in callcost.check(path).readers.values())


def test_paths_are_no_profiles(profile):
    for call in (lambda: callcost.diff(DEFAULT, profile), lambda: callcost.merge([DEFAULT]), lambda: callcost.merge(str(DEFAULT))):
        with pytest.raises(TypeError, match=r"as callcost.read\(\) returns it"):
            call()


def test_misuse_of_a_writer_is_an_error():
    with pytest.raises(callcost.Error) as caught:
        with callcost.Writer(io.BytesIO(), ["Ir"]) as writer:
            writer.cost(1, [1])
    assert caught.value.code == "bad-argument"
    with pytest.raises(callcost.Error):
        callcost.Writer(io.BytesIO(), [])
    with pytest.raises(TypeError, match="list of names"):
        callcost.Writer(io.BytesIO(), "Ir")
    with pytest.raises(ValueError, match="at least 0, not -3"):
        with callcost.Writer(io.BytesIO(), ["Ir"]) as writer:
            writer.begin_function(writer.function("main"))
            writer.cost(-3, [1])


# Notebooks and types


def test_notebooks_show_the_page_or_a_table(profile, monkeypatch, tmp_path):
    monkeypatch.setenv("CALLCOST_PAGE", str(tmp_path / "missing"))
    assert "<table>" in profile._repr_html_() and "_dl_lookup_symbol_x" in profile._repr_html_()
    with pytest.raises(FileNotFoundError):
        profile.page()
    page = tmp_path / "page.html"
    page.write_text("<html><body><!-- callcost:data --></body></html>")
    monkeypatch.setenv("CALLCOST_PAGE", str(page))
    assert profile._repr_html_().startswith('<iframe src="data:text/html;')
    assert '<script type="application/json" id="callcost-manifest">{"profiles": [{"name"' in profile.page()


def test_names_cannot_break_out_of_the_html(monkeypatch, tmp_path):
    profile = callcost.read(conftest.PROFILES / "hostile/html-names.out")
    monkeypatch.setenv("CALLCOST_PAGE", str(tmp_path / "missing"))
    assert "<script" not in profile._repr_html_() and "<img" not in profile._repr_html_()


def test_profiles_have_a_repr(profile):
    assert "1,962,662 Ir, 384 functions" in repr(profile)


def names_of(body):
    return {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("__")}


def test_the_stub_has_what_the_extension_module_has():
    from callcost import _native

    stub = ast.parse((pathlib.Path(callcost.__file__).parent / "_native.pyi").read_text())
    assert names_of(stub.body) == {name for name in dir(_native) if not name.startswith("__")}
    for node in stub.body:
        if isinstance(node, ast.ClassDef) and node.name not in ("FileDialect", "GroupBy", "Inlined", "MatchMode", "Recursion", "TreeDirection"):
            found = {name for name in dir(getattr(_native, node.name)) if not name.startswith("_")}
            assert names_of(node.body) == found, node.name
    assert (pathlib.Path(callcost.__file__).parent / "py.typed").exists()


INLINED = b"""positions: instr line
events: Ir
ob=prog
fl=main.c
fn=main
0x10 1 5
fi=vec.h
0x14 7 3
0x18 9 4
0x1c 9 6
fe=main.c
0x20 3 1
cfi=vec.h
cfn=hot
calls=1 0x40
0x24 3 30
fl=vec.h
fn=hot
0x40 9 30
"""
# main has mid at line 2, which has hot at line 7.
MAPS = [
    {
        "object": "prog",
        "files": ["main.c", "vec.h"],
        "functions": [["mid", "vec.h", 5], ["hot", "vec.h", 8]],
        "sites": [-1, 0, 0, 2, 20, 0, 1, 1, 7, 24],
        "runs": [20, 0, 4, 1, 8, -1],
    }
]


def test_inlined_code_is_functions():
    recorded = callcost.read(INLINED)
    assert not recorded.has_inlined
    assert len(recorded.inlined()) == len(recorded.inlined_places()) == 0
    profile = recorded.expand_inlined(MAPS)
    assert profile.has_inlined
    functions = profile.functions()
    costs = dict(zip(functions.column("function"), functions["self"]["Ir"].tolist()))
    assert costs == {"main": 6, "mid": 3, "hot": 40}
    inlined = profile.inlined()
    assert sorted(zip(inlined.column("function"), inlined["entries"].tolist(), inlined["self"]["Ir"].tolist())) == [("hot", 4, 10), ("mid", 3, 3)]
    places = profile.inlined_places()
    names = ("function", "inlined_in", "host", "source_file", "line")
    assert sorted(zip(*(places.column(name) for name in names))) == [("hot", "mid", "main", "vec.h", 7), ("mid", "main", "main", "main.c", 2)]
    callers = profile.callers("hot")
    assert dict(zip(callers.column("function"), callers["inlined"].tolist())) == {"main": False, "mid": True}
    arcs = profile.arcs()
    assert arcs["inlined"].sum() == 2
    frames = profile.tree().frames()
    assert sorted(frames.column("function")[frames["inlined"]]) == ["hot", "mid"]
    kept = profile.select(inlined="keep")
    assert sorted(kept.functions()["self"]["Ir"].tolist()) == [3, 6, 10, 30]
    hosts = profile.select(inlined="in_host").functions()
    assert sorted(hosts["self"]["Ir"].tolist()) == [19, 30]
    with pytest.raises(ValueError):
        profile.select(inlined="no")


def test_maps_of_inlined_code_are_checked():
    profile = callcost.read(INLINED)
    for change in ({"sites": [-1, 0, 0, 2]}, {"sites": [-2, 0, 0, 2, 20]}, {"runs": [20]}, {"functions": [["\u0100", "", 0]]}):
        with pytest.raises(ValueError):
            profile.expand_inlined([{**MAPS[0], **change}])
    with pytest.raises(callcost.Error) as refused:
        profile.expand_inlined([{**MAPS[0], "runs": [20, 7]}])
    assert refused.value.code == "bad-argument"
    for change in ({"runs": None}, {"functions": [1]}, {"runs": [20, "x"]}):
        with pytest.raises((TypeError, RuntimeError)):
            profile.expand_inlined([{**MAPS[0], **change}])
