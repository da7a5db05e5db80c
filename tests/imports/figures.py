#!/usr/bin/env python3
"""What the files beside this script say: self cost and inclusive cost (by presence in stacks) of every function.

Prints `event, function, self, inclusive` for a file. For pprof files the figures are those of `go tool pprof -top`; the
other formats are read here, sharing no code with the importers. `--update` rewrites the .tsv files of all of them.
"""

import collections
import fractions
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PPROF_UNITS = {"nanoseconds": "ns", "bytes": "B", "count": "count"}


def add_up(stacks):
    """`stacks` are (event, frames from the root, cost)."""
    own, present = collections.Counter(), collections.Counter()
    for event, frames, cost in stacks:
        own[event, frames[-1]] += cost
        for frame in set(frames):
            present[event, frame] += cost
    return [(*key, own[key], present[key]) for key in sorted(present) if present[key]]


def figures_of_pprof(path):
    raw = subprocess.run(["go", "tool", "pprof", "-raw", path], capture_output=True, text=True, check=True).stdout
    types = re.search(r"Samples:\n(.*)\n", raw)[1].replace("[dflt]", "").split()
    for index, (name, unit) in enumerate(t.split("/") for t in types):
        top = subprocess.run(
            ["go", "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0",
             f"-sample_index={index}", f"-unit={PPROF_UNITS[unit]}", path],
            capture_output=True, text=True, check=True).stdout
        for row in re.findall(r"^ *(-?\d+)\S* +\S+ +\S+ +(-?\d+)\S* +\S+  (.*)$", top, re.M):
            yield name, row[2].removesuffix(" (inline)"), int(row[0]), int(row[1])


def stacks_of_folded(path):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    scale = 1000 if any("." in line.rsplit(" ", 1)[1] for line in lines) else 1
    for line in lines:
        if path.stem.endswith("diff"):
            frames, before, after = line.rsplit(" ", 2)
            costs = {"before": before, "after": after}
        else:
            frames, cost = line.rsplit(" ", 1)
            costs = {"samples": cost} if scale == 1 else {"milli_samples": cost}
        for event, cost in costs.items():
            yield event, [re.sub(r"_\[[ki]\]$", "", f) for f in frames.split(";")], int(fractions.Fraction(cost) * scale)


def stacks_of_perf(path):
    for block in re.split(r"\n\s*\n", path.read_text()):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        period, event = re.search(r": +(\d+) (\S+): ", lines[0]).groups()
        frames = [re.sub(r"\+0x[0-9a-f]+$", "", line.split(None, 1)[1].rsplit(" (", 1)[0])
                  for line in lines[1:] if line.startswith("\t")]
        yield re.sub(r"[^A-Za-z0-9]", "_", event), frames[::-1], int(period)


def nested_nodes(head):
    """The nodes of a tree, each before those below it, with its parent's number."""
    nodes, left = [], [(head, None)]
    while left:
        node, parent = left.pop()
        nodes.append({"callFrame": node, **node, "number": len(nodes), "parent": parent})
        left += [(child, nodes[-1]["number"]) for child in reversed(node["children"])]
    return nodes


def v8_stacks(profile, has_samples=False):
    if "head" in profile:
        nodes = nested_nodes(profile["head"])
        parents = {node["number"]: node["parent"] for node in nodes}
    else:
        nodes = [{**node, "number": node["id"]} for node in profile["nodes"]]
        parents = {child: node["id"] for node in nodes for child in node.get("children", ())}
        parents |= {node["id"]: node["parent"] for node in nodes if "parent" in node}  # of traces
    for node in nodes:
        node["callFrame"] = {"url": "", "lineNumber": -1, "columnNumber": -1} | node["callFrame"]
    nodes = {node["number"]: node for node in nodes}
    by_id = {node.get("id"): number for number, node in nodes.items()}
    # v8-profiler-next counts from 1, and 0 is unknown
    first = 1 if "typeId" in profile or nodes[min(nodes)]["callFrame"]["lineNumber"] == 0 else 0
    lines, columns = collections.defaultdict(set), collections.defaultdict(set)
    for node in nodes.values():
        frame = node["callFrame"]
        lines[frame["functionName"], frame["url"]].add(frame["lineNumber"])
        columns[frame["functionName"], frame["url"], frame["lineNumber"]].add(frame["columnNumber"])

    def name(node):
        frame = node["callFrame"]
        name, url, line = frame["functionName"], frame["url"], frame["lineNumber"]
        place = ""
        if line >= first:
            has_columns = len(columns[name, url, line]) > 1
            if not name or len(lines[name, url]) > 1 or has_columns:
                place = f":{line + 1 - first}"
            if has_columns:
                place += f":{frame['columnNumber'] + 1 - first}"
        return (name or "(anonymous)") + place + "@" + (url or "???")

    def stack(number):
        frames = []
        while number is not None:
            frames.insert(0, name(nodes[number]))
            number = parents.get(number)
        return frames[1:] if len(frames) > 1 and frames[0] == "(root)@???" else frames

    for node in nodes.values():
        if "selfSize" in node:
            yield "size", stack(node["number"]), node["selfSize"]
    if has_samples:
        for sample in profile.get("samples", ()):
            if sample["nodeId"] in by_id:
                yield "samples", stack(by_id[sample["nodeId"]]), 1
    if "selfSize" in next(iter(nodes.values())):
        return
    sampled = collections.Counter(profile["samples"])
    for node in nodes.values():
        yield "hits", stack(node["number"]), node.get("hitCount", sampled[node["id"]])
    if "timestamps" in profile:
        times, end = list(zip(profile["timestamps"], profile["samples"])), 0
    else:
        times, now, end = [], profile["startTime"], profile.get("endTime", 0)
        for sample, delta in zip(profile["samples"], profile["timeDeltas"]):
            now += delta
            times.append((now, sample))
    times.sort(key=lambda one: one[0])
    ends = [time for time, _ in times[1:]] + [max(end, times[-1][0])]
    for (time, sample), end in zip(times, ends):
        yield "Time", stack(by_id[sample]), end - time


def stacks_of_v8(path):
    yield from v8_stacks(json.loads(path.read_text()), path.suffix == ".heapprofile")


def stacks_of_speedscope(path):
    file = json.loads(path.read_text())
    frames = [f["name"] + "@" + (f.get("file") or "???") for f in file["shared"]["frames"]]
    times = {"seconds": 10**9, "milliseconds": 10**6, "microseconds": 1000, "nanoseconds": 1}
    is_own = file["exporter"].startswith("callcost ")
    for profile in file["profiles"]:
        unit = profile["unit"]
        event = profile["name"] if is_own else "Time" if unit in times else {"none": "samples"}.get(unit, unit)
        factor = times.get(unit, 1)
        if profile["type"] == "sampled":
            for sample, weight in zip(profile["samples"], profile["weights"]):
                yield event, [frames[i] for i in sample], round(fractions.Fraction(weight) * factor)
            continue
        costs, stack, last = collections.Counter(), (), None
        for one in profile["events"]:
            at = fractions.Fraction(one["at"])
            if stack and at != last:
                costs[stack] += at - last
            last = at
            stack = (*stack, one["frame"]) if one["type"] == "O" else stack[:-1]
        for stack, cost in costs.items():
            yield event, [frames[i] for i in stack], round(cost * factor)


def stacks_of_firefox(path):
    def gecko(process):
        for thread in process["threads"]:
            strings = thread["stringTable"]
            names = []
            for row in thread["frameTable"]["data"]:
                text = strings[row[thread["frameTable"]["schema"]["location"]]]
                place = re.fullmatch(r"(.*) \((.+?)(?::(\d+))?(?::(\d+))?\)(?:\[\d+\])?", text, re.S)
                has_file = place and (place[3] or "/" in place[2])
                names.append(f"{place[1]}@{place[2]}" if has_file else text + "@???")
            table = thread["stackTable"]
            prefix, frame = table["schema"]["prefix"], table["schema"]["frame"]
            for row in thread["samples"]["data"]:
                frames, at = [], row[thread["samples"]["schema"]["stack"]]
                while at is not None:
                    frames.insert(0, names[table["data"][at][frame]])
                    at = table["data"][at][prefix]
                yield "samples", frames, 1
        for child in process["processes"]:
            yield from gecko(child)

    def processed(profile):
        shared = profile.get("shared", {})
        for thread in profile["threads"]:
            of = lambda name: thread.get(name) or shared.get(name)
            strings, stacks, functions = of("stringArray"), of("stackTable"), of("funcTable")

            def name(frame):
                function = of("frameTable")["func"][frame]
                file = functions["fileName"][function] if "fileName" in functions else functions["source"][function]
                if file is not None and "sources" in shared:
                    file = shared["sources"]["filename"][file]
                return strings[functions["name"][function]] + "@" + ("???" if file is None else strings[file])

            for table, event in (("samples", "samples"), ("nativeAllocations", "nativeAllocations")):
                samples = thread.get(table, {"stack": []})
                weights = samples.get("weight") or [1] * len(samples["stack"])
                for at, weight in zip(samples["stack"], weights):
                    frames = []
                    while at is not None:
                        frames.insert(0, name(stacks["frame"][at]))
                        if "prefix" in stacks:
                            at = stacks["prefix"][at]
                        else:
                            at = at - stacks["prefixOffset"][at] if stacks["prefixOffset"][at] else None
                    yield event, frames, weight

    profile = json.loads(path.read_text())
    yield from processed(profile) if "preprocessedProfileVersion" in profile["meta"] else gecko(profile)


def valgrind_frame(text):
    """Its name; with its file, where there is one."""
    named = re.fullmatch(r"0x[0-9A-F]+: (.*) \((?:in .*|(.*?)(?::\d+)?)\)", text)
    return f"{named[1]}@{named[2] or '???'}" if named else text + "@???"


def stacks_of_dhat(path):
    profile = json.loads(path.read_text())
    names = {"tb": "total_bytes", "tbk": "total_blocks", "gb": "peak_bytes", "gbk": "peak_blocks", "eb": "end_bytes",
             "ebk": "end_blocks", "rb": "read_bytes", "wb": "write_bytes"}
    if profile["mode"] == "ad-hoc":
        names = {"tb": profile["bsu"], "tbk": profile["bksu"]}
    for place in profile["pps"]:
        frames = [valgrind_frame(profile["ftbl"][frame]) for frame in reversed(place["fs"])]
        for key, event in names.items():
            yield event, frames, place[key]


def stacks_of_massif(path):
    text = path.read_text()
    lines = text[text.index("heap_tree=peak"):].split("\n#", 1)[0].splitlines()[1:]
    places = [re.fullmatch(r"( *)n\d+: (\d+) (.*)", line).groups() for line in lines]
    stack, costs = [], collections.Counter()
    for indent, size, what in places:
        depth = len(indent)
        del stack[depth:]
        if depth:
            costs[tuple(stack)] -= int(size)
        stack.append(valgrind_frame(what) if what.startswith("0x") else "(below threshold)@???")
        costs[tuple(stack)] += int(size)
    for frames, cost in costs.items():
        yield "heap_bytes", list(reversed(frames[1:])) or ["(heap)@???"], cost


def stacks_of_trace(path):
    file = json.loads(path.read_text())
    ns = lambda time: round(fractions.Fraction(str(time)) * 1000)
    spans, bounds, profiles = collections.defaultdict(list), collections.defaultdict(list), {}
    for order, event in enumerate(file if isinstance(file, list) else file["traceEvents"]):
        thread, phase = (event["pid"], event.get("tid")), event["ph"]
        if phase == "X" and "avg ms" not in event.get("args", {}):
            begin = ns(event["ts"])
            spans[thread].append((begin, -begin - ns(event.get("dur", 0)), order, event["name"]))
        elif phase in "BE":
            bounds[thread].append((ns(event["ts"]), order, phase, event.get("name")))
        elif phase == "P":
            profile = profiles.setdefault((event["pid"], event["id"]),
                                          {"nodes": [], "samples": [], "timeDeltas": []})
            data = event["args"]["data"]
            profile |= {key: data[key] for key in ("startTime", "endTime") if key in data}
            profile["timeDeltas"] += data.get("timeDeltas", [])
            for key in ("nodes", "samples"):
                profile[key] += data.get("cpuProfile", {}).get(key, [])
    for thread, ends in bounds.items():
        begun = []
        for time, order, phase, name in sorted(ends):
            if phase == "B":
                begun.append((time, order, name))
            elif begun:
                begin, order, name = begun.pop()
                spans[thread].append((begin, -time, order, name))
    for of_thread in spans.values():
        of_thread.sort()
        # What is on the stack between two times, from all spans around them: each is cut at those around it.
        stack = []
        for begin, end, _, name in [*of_thread, (1 << 62, -(1 << 63), 0, None)]:
            while stack and stack[-1][0] <= begin:
                last, frames, own = stack.pop()
                yield "Duration", frames, own
            end = min([-end, *(one[0] for one in stack[-1:])])
            if stack:
                stack[-1][2] -= end - begin
            stack.append([end, [*(stack[-1][1] if stack else []), f"{name}@???"], end - begin])
    for profile in profiles.values():
        yield from v8_stacks(profile)


def unsampled(objects, size, rate):
    factor = 1 / (1 - math.exp(-(size / objects) / rate)) if objects and rate > 1 else 1
    return int(objects * factor), int(size * factor)


def heap_costs(numbers, rate):
    """In use and allocated."""
    for kind, objects, size in (("inuse", *numbers[:2]), ("alloc", *numbers[2:])):
        objects, size = unsampled(objects, size, rate)
        yield kind + "_objects", objects
        yield kind + "_space", size


def stacks_of_gperftools(path):
    data = path.read_bytes()
    if data.startswith(b"heap profile"):
        for line in data.decode().splitlines():
            found = re.fullmatch(r" *(\d+): +(\d+) \[ *(\d+): +(\d+)\] @ (.*)", line)
            if found:
                for event, cost in heap_costs(list(map(int, found.groups()[:4])), 0):
                    yield event, found[5].split()[::-1], cost
        return
    text, mark, words = data.partition(b"--- profile\n")
    if not mark:
        text, words = b"", data
    text = re.sub(r"(?<=.)<[0-9a-f]{16}>(?=--|$)", "", text.decode(), flags=re.M)
    names = dict(re.findall(r"^0x0*([0-9a-f]+) (.*)$", text, re.M))
    words = [word for (word,) in struct.iter_unpack("<Q", words[:len(words) // 8 * 8])]
    period, at = words[3], 5

    def name(address):
        return names.get(f"{address:x}") or names.get(f"{address - 1:x}") or hex(address)

    while at < len(words) and words[at:at + 3] != [0, 1, 0]:
        count, frames = words[at:at + 2]
        stack = [name(address) for address in words[at + 2:at + 2 + frames]][::-1]
        at += 2 + frames
        yield "samples", stack, count
        if period > 1:
            yield "cpu", stack, count * period * 1000


def stacks_of_jemalloc(path):
    text = path.read_text()
    rate = int(re.match(r"heap_v2/(\d+)", text)[1])
    for stack, *numbers in re.findall(r"^@ (.*)\n +t\*: (\d+): (\d+) \[(\d+): (\d+)\]$", text, re.M):
        for event, cost in heap_costs(list(map(int, numbers)), rate):
            yield event, stack.split()[::-1], cost


def stacks_of_go_text(path):
    heading, *records = re.split(r"\n(?=\d+(?:: \d+ \[| \d+ @))", path.read_text())
    for record in records:
        frames = [f"{name}@{file}" for name, file in
                  re.findall(r"^#\t0x\w+\t(.*?)\+0x\w+\t+(.*?):\d+$", record, re.M)][::-1]
        numbers = list(map(int, re.findall(r"\d+", record.split("@")[0])))
        if "heap/" in heading:
            for event, cost in heap_costs(numbers, int(heading.rsplit("/", 1)[1]) // 2):
                yield event, frames, cost
        else:
            yield "contentions", frames, numbers[1]
            yield "delay", frames, round(numbers[0] / (int(heading.rsplit("=", 1)[1]) / 1e9))


def read_stackprof(path):
    script = "print JSON.generate(Marshal.load(File.binread(ARGV[0])))"
    is_json = path.read_bytes().startswith(b"{")
    text = path.read_text() if is_json else subprocess.run(
        ["ruby", "-rjson", "-e", script, path], capture_output=True, text=True, check=True).stdout
    profile = json.loads(text)
    return profile, {int(number): f"{frame['name']}@{frame['file'] or '???'}"
                     for number, frame in profile["frames"].items()}


def stacks_of_stackprof(path):
    profile, names = read_stackprof(path)
    raw = profile["raw"]
    while raw:
        frames = raw[0] + 1
        yield "samples", [names[number] for number in raw[1:frames]], raw[frames]
        raw = raw[frames + 1:]


READERS = {".folded": stacks_of_folded, ".txt": stacks_of_perf, ".cpuprofile": stacks_of_v8, ".heapprofile": stacks_of_v8,
           ".speedscope.json": stacks_of_speedscope, ".firefox.json": stacks_of_firefox,
           ".dhat.json": stacks_of_dhat, ".massif": stacks_of_massif, ".trace.json": stacks_of_trace,
           ".gperftools": stacks_of_gperftools, ".jemalloc": stacks_of_jemalloc, ".go-text": stacks_of_go_text,
           ".stackprof": stacks_of_stackprof}


def figures_of_pstats(path):
    """What the file says; it is read by a Python that knows it. C functions have no file."""
    program = "import marshal,json,sys; print(json.dumps([[k[0], k[1], k[2] if hasattr(k[2], 'lower') else " \
              "'code object ' + k[2].co_name, v[2], v[3]] for k, v in marshal.load(open(sys.argv[1], 'rb')).items()]))"
    python = os.environ.get("PYTHON2", "python2") if "python27" in path.name else sys.executable
    rows = json.loads(subprocess.run([python, "-c", program, path], check=True, capture_output=True).stdout)
    names = collections.Counter((file, name) for file, line, name, _, _ in rows)
    for file, line, name, own, inclusive in rows:
        if names[file, name] > 1 and line:
            name += f":{line}"
        yield "Time", name + "@" + ("???" if file in ("", "~") else file), round(own * 1e9), round(inclusive * 1e9)


def figures_of_stackprof_graph(path):
    profile, names = read_stackprof(path)
    for number, frame in profile["frames"].items():
        yield "samples", names[int(number)], frame["samples"], frame["total_samples"]


def figures(path):
    if path.suffix == ".pb":
        return figures_of_pprof(path)
    if path.suffix == ".pstats":
        return figures_of_pstats(path)
    if path.name in ("graph-dump.stackprof", "graph-json.stackprof"):
        return figures_of_stackprof_graph(path)
    return add_up(next(read for suffix, read in READERS.items() if path.name.endswith(suffix))(path))


def text_of(path):
    return "".join("\t".join(map(str, row)) + "\n" for row in sorted(figures(path)) if row[2] or row[3])


def main():
    if sys.argv[1:] == ["--update"]:
        for path in sorted(HERE.iterdir()):
            if path.name.endswith((".pb", ".pstats", *READERS)):
                path.with_name(path.name + ".tsv").write_text(text_of(path))
    else:
        print(text_of(pathlib.Path(sys.argv[1])), end="")


if __name__ == "__main__":
    main()
