"""What docs/format.md makes of what reader.py has read: functions, arcs, cycles, inclusive costs (section 7), and the checks of
section 11. Slow, and with rules to break, as reader.py.
"""

import re

from reader import BUILT_IN, MODULUS, NOT_ADDITIVE, UNITS, VALGRIND, signed

# What reports breaches of the rules for writers.
WRITERS = {"W1": "late-header", "W2": "unknown-line", "W3": "address-column", "W4": "spaced-events", "W5": "C1", "W6": "C4", "W7": "empty-name",
           "W8": "cost-after-object", "W9": "fi-without-fl", "W10": "late-callee-place", "W11": "C11", "W12": "shifted-positions", "W13": "hex-cost",
           "W14": "jump-without-source", "W15": "id-undefined-in-part", "W18": "C2"}


def add(costs, more, sign=1):
    for event, value in more.items():
        costs[event] = costs.get(event, 0) + sign * value
    return costs


class Model:
    def __init__(self, reader):
        self.reader, self.broke, self.note = reader, reader.broke, reader.note
        self.negatives = {}
        self.self_costs, self.in_costs, self.out_costs, self.recorded, self.arcs, self.sites, self.located = {}, {}, {}, {}, {}, {}, {}
        self.add_up()
        self.find_cycles()
        self.leaving = {function: self.leaving_of(function) for function in self.functions}
        self.levels = reader.dialect == "callgrind" and any(self.level(function) for function in self.functions)
        self.inclusive = {function: self.inclusive_of(function) for function in self.functions}

    def key(self, function):
        obj, file, name = (part.text for part in function)
        if self.broke("F71"):
            return "", "", name
        return file if self.broke("F84") else obj, file, name

    def add_up(self):
        numbers = {}
        for line in self.reader.lines:
            function = self.key(line["function"])
            self.recorded[function] = True
            numbers.setdefault(line["function"][2].number, set()).add(function)
            costs = {} if self.broke("F73") and line["file"].text != function[1] else line["costs"]
            add(self.self_costs.setdefault(function, {}), costs)
            add(self.located.setdefault((function, line["file"].text, self.place(line["position"])), {}), line["costs"])
        for call in self.reader.calls:
            caller = self.key(call["caller"])
            self.recorded[caller] = True
            self.self_costs.setdefault(caller, {})
            numbers.setdefault(call["caller"][2].number, set()).add(caller)
        by_name = {}
        for function in self.recorded:
            by_name.setdefault(function[2], []).append(function)
        for call in self.reader.calls:
            callee = self.linked(self.key(call["callee"]), call["callee"][2].number, numbers, by_name)
            self.self_costs.setdefault(callee, {})
            arc = self.arcs.setdefault((self.key(call["caller"]), callee), {"calls": 0, "known": True, "costs": {}})
            if not (self.broke("F74") and arc["costs"]) and not (self.broke("F60") and arc["costs"]):
                add(arc["costs"], call["costs"])
                arc["calls"] += call["count"]
            arc["known"] &= call["count"] > 0
            if call["position"] is not None:
                site = self.sites.setdefault((self.key(call["caller"]), callee, call["file"].text, self.place(call["position"])), {"calls": 0, "known": True, "costs": {}})
                add(site["costs"], call["costs"])
                site["calls"] += call["count"]
                site["known"] &= call["count"] > 0
        self.functions = list(self.self_costs)

    def linked(self, callee, number, numbers, by_name):
        if callee in self.recorded or self.broke("F61"):
            return callee
        same_number = numbers.get(number, set()) if number is not None else set()
        candidates = list(same_number) if len(same_number) == 1 else by_name.get(callee[2], [])
        if len(candidates) == 1:
            self.note("callee-linked-by-name")
            return candidates[0]
        return callee

    def place(self, position):
        positions = self.reader.positions
        line = address = 0
        for kind, value in zip(positions, position):
            if kind == "line":
                line = value or 0
            elif kind in ("instr", "addr"):
                address = value or 0
        return line, address

    def find_cycles(self):
        """Strongly connected components, without recursion."""
        callees = {function: [] for function in self.functions}
        for caller, callee in self.arcs:
            callees[caller].append(callee)
        index, low, on_stack, stack, self.cycle, count = {}, {}, set(), [], {}, 0
        for root in self.functions:
            if root in index:
                continue
            work = [(root, iter(callees[root]))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
            while work:
                function, rest = work[-1]
                for callee in rest:
                    if callee not in index:
                        index[callee] = low[callee] = len(index)
                        stack.append(callee)
                        on_stack.add(callee)
                        work.append((callee, iter(callees[callee])))
                        break
                    if callee in on_stack:
                        low[function] = min(low[function], index[callee])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[function])
                    if low[function] == index[function]:
                        members = []
                        while True:
                            member = stack.pop()
                            on_stack.discard(member)
                            members.append(member)
                            if member == function:
                                break
                        if len(members) > 1:
                            for member in members:
                                self.cycle[member] = count
                            count += 1
        self.total = {}
        for part in self.reader.parts:
            add(self.total, part["self"])
        for (caller, callee), arc in self.arcs.items():
            if (caller == callee or self.inside(caller, callee)) and not self.broke("F75"):
                continue
            add(self.in_costs.setdefault(callee, {}), arc["costs"])
            add(self.out_costs.setdefault(caller, {}), arc["costs"])

    def inside(self, caller, callee):
        return caller in self.cycle and self.cycle[caller] == self.cycle.get(callee)

    def level(self, function):
        """Of recursion; 0 = the first."""
        context = self.context(function[2]) or ""
        first = context.split("'")[1] if context else ""
        return int(first) if first.isdigit() else 0

    def inclusive_of(self, function):
        """By event, what was spent while the function was on the stack; [least, most] where the file only bounds it."""
        if self.broke("F76") or function not in self.cycle:
            return self.leaving[function]
        arcs_in = [(caller, arc["costs"]) for (caller, callee), arc in self.arcs.items() if callee == function != caller]
        arcs_out = [arc["costs"] for (caller, callee), arc in self.arcs.items() if caller == function != callee]
        members = [member for member in self.functions if self.cycle.get(member) == self.cycle[function]]
        exact = self.levels and not self.level(function) and (function, function) not in self.arcs
        result = {}
        for event in self.reader.all_events:
            def capped(cost):
                return min(cost, self.total.get(event, 0)) if self.reader.dialect == "callgrind" and not self.negative(event) else cost
            own = self.self_costs[function].get(event, 0) + sum(costs.get(event, 0) for costs in arcs_out)
            paid = sum(costs.get(event, 0) for _, costs in arcs_in)
            entering = sum(costs.get(event, 0) for caller, costs in arcs_in if not self.inside(caller, function))
            whole = sum(self.self_costs[member].get(event, 0) + self.out_costs.get(member, {}).get(event, 0) for member in members)
            if self.reader.dialect == "callgrind" and not self.negative(event):  # some of its arcs may be lost
                whole = capped(max(whole, sum(self.in_costs.get(member, {}).get(event, 0) for member in members)))
            if exact and (self.negative(event) or min(own, paid) <= whole + whole // 100):
                least = most = capped(max(own, paid))
            else:
                leaving = self.self_costs[function].get(event, 0) + self.out_costs.get(function, {}).get(event, 0)
                least = capped(max(entering, leaving))
                most = min(max(own, paid), whole)
                if min(self.self_costs[function].get(event, 0), leaving, own, entering, paid, whole) >= 0:  # else neither is a bound
                    most = max(least, most)
            if least or most:
                result[event] = least if least == most else sorted([least, most])
        return result

    def leaving_of(self, function):
        """Without the calls inside of a cycle."""
        if self.broke("F76"):
            return add(dict(self.self_costs[function]), add({}, self.in_costs.get(function, {})))
        if function not in self.recorded:
            return self.in_costs.get(function, {})
        result = add(dict(self.self_costs[function]), self.out_costs.get(function, {}))
        if self.reader.dialect == "callgrind" and function not in self.cycle:
            for event, cost in self.in_costs.get(function, {}).items():
                if cost > result.get(event, 0) and not self.negative(event):
                    result[event] = cost
        if self.reader.dialect == "callgrind":
            for event in result:
                if not self.negative(event):
                    result[event] = min(result[event], self.total.get(event, 0))
        return result

    def negative(self, event):
        if event not in self.negatives:
            self.negatives[event] = any(signed(record["costs"].get(event, 0)) < 0 for record in self.reader.lines + self.reader.calls)
        return self.negatives[event]

    def roots(self):
        for function in self.functions:
            weight = add(add(dict(self.self_costs[function]), self.out_costs.get(function, {})), self.in_costs.get(function, {}), -1)
            if self.broke("F77") and function in self.in_costs:
                continue
            if any(0 < value for value in weight.values()):
                yield {"name": function[2], "weight": weight}

    # Event types

    def additive(self, event):
        creator = self.reader.shared.get("creator", "")
        return self.broke("F78") or (re.split("[ -]", creator)[0], event) not in NOT_ADDITIVE

    def totals(self):
        reader = self.reader
        totals = {event: self.total.get(event, 0) for event in reader.all_events if self.additive(event)}
        if self.broke("F70") and reader.part.get("summary_costs"):
            totals = dict(reader.part["summary_costs"])
        if self.broke("F82"):
            totals = {event: int(float(value)) for event, value in totals.items()}
        if self.broke("F80"):
            totals = {event: value + sum(jump["executed"] for jump in reader.jumps) for event, value in totals.items()}
        if self.broke("F81") and len(reader.parts) > 1:
            totals = {event: reader.parts[-1]["self"].get(event, 0) for event in totals}
        if self.broke("F79"):
            totals = {event: value - sum(line["costs"].get(event, 0) for line in reader.lines if self.place(line["position"])[0] == 0) for event, value in totals.items()}
        if self.broke("F69"):
            return totals
        defined = {name: formula for name, formula in reader.defined_formulas.items() if name not in totals}
        for name in list(defined):
            value = self.derived(name, defined, totals, [])
            if value is not None:
                totals[name] = value
        for name, formula in BUILT_IN.items():
            if name not in totals and name not in defined and any(word in totals for word in re.findall(r"[A-Z]\w+", formula)):
                totals[name] = self.derived(name, BUILT_IN, totals, [], quiet=True)
        return totals

    def derived(self, name, formulas, totals, way, quiet=False):
        if name in totals:
            return totals[name]
        if name in way:
            self.note("formula-cycle")
            return None
        if name not in formulas:
            if not quiet and name not in VALGRIND:
                self.note("unknown-event-in-formula")
            return 0
        terms = re.findall(r"([+-]?)\s*(?:(\d+)\s*\*?\s*)?([A-Za-z_]\w*)", formulas[name])
        if re.sub(r"([+-]?)\s*(?:(\d+)\s*\*?\s*)?([A-Za-z_]\w*)\s*", "", formulas[name]).strip():
            self.note("bad-formula")
            return None
        value = 0
        for sign, factor, word in terms:
            part = self.derived(word, formulas, totals, [*way, name], quiet)
            if part is None:
                return None
            value += (-1 if sign == "-" else 1) * int(factor or 1) * part
        return value

    def events(self):
        reader = self.reader
        for name in [*reader.all_events, *reader.defined_formulas]:
            long_name = reader.long_names.get(name)
            yield {"name": name, "long_name": long_name, "unit": self.unit(name, long_name or ""), "formula": reader.defined_formulas.get(name),
                   "additive": self.additive(name)}

    def unit(self, name, long_name):
        if self.broke("F68"):
            return None
        for text in (name, long_name):
            if match := re.search(r"_?\((?:.*[ ])?([^ ()]+)\)$", text):
                return match[1]
        for text in (name, long_name):
            if text.lower() in UNITS:
                return UNITS[text.lower()]
        if name == "Time" and not self.reader.shared.get("creator") and "version" in self.reader.profile_keys:
            return "us"
        return None

    # Names

    def context(self, name):
        if self.reader.dialect != "callgrind" or self.broke("F72"):
            return None
        names = {function[2] for function in self.functions}
        pieces = name.split("'")
        for first in range(1, len(pieces)):
            rest = pieces[first:]
            if rest[0].isdigit():
                rest = rest[1:]
            if all(piece in names for piece in rest):
                return "'" + "'".join(pieces[first:])
        return None

    # Checks, section 11

    def checks(self):
        reader, broken = self.reader, set()
        ids = reader.diagnostics
        named = {"C3": {"undefined-name-id"}, "C13": {"negative-cost"}, "C14": {"negative-position", "minus-one-line"}, "C16": {"callee-linked-by-name"},
                 "C17": {"short-position", "surplus-costs"}, "C18": {"call-target-short", "call-target-extra"}, "C19": {"non-utf8-name", "nul-byte"},
                 "C20": {"truncated-file"}, "C12": {"jcnd-order"}}
        broken |= {check for check, wanted in named.items() if ids & wanted} | {trait for trait in reader.traits if re.fullmatch(r"C\d+", trait)}
        if any(re.search(r"[\x00-\x1f]", name) for name in (function[2] for function in self.functions)):
            broken.add("C19")
        for part in reader.parts:
            for key, check in (("totals_costs", "C1"), ("summary_costs", "C2" if reader.dialect == "cachegrind" else "C5")):
                stated = part.get(key)
                if stated is None:
                    continue
                for event, value in stated.items():
                    exact = part["self"].get(event, 0)
                    excess = signed(value - exact)
                    if check == "C5" and (excess < 0 or excess > max(1000, exact // 100)) or check != "C5" and excess:
                        broken.add(check)
        if reader.dialect == "cachegrind" and not reader.data.rstrip().split(b"\n")[-1].startswith(b"summary:"):
            broken.add("C2")
        broken |= set(self.balance())
        if any(call["count"] == 0 and "inlined" not in call for call in reader.calls):
            broken.add("C11")
        if any(callee not in self.recorded for _, callee in self.arcs):
            broken.add("C15")
        if self.recorded and not any(function not in self.cycle and not any(callee == function for _, callee in self.arcs) for function in self.recorded):
            broken.add("C10")
        numbers = [part["meta"].get("part") for part in reader.parts]
        numbers = [number for number in numbers if number is not None]
        if numbers != sorted(set(numbers)):
            broken.add("C21")
        return {check for check in broken if not self.broke(check)}

    def balance(self):
        for function in self.functions:
            incoming, recorded = self.in_costs.get(function), function in self.recorded
            for event in self.reader.all_events:
                if self.leaving[function].get(event, 0) > self.total.get(event, 0):
                    yield "C9"
                if incoming and recorded and function not in self.cycle and incoming.get(event, 0) != self.self_costs[function].get(event, 0) + self.out_costs.get(function, {}).get(event, 0):
                    yield "C6"
        for cycle in set(self.cycle.values()):
            members = [function for function in self.functions if self.cycle.get(function) == cycle]
            for event in self.reader.all_events:
                def summed(table):
                    return sum(table.get(member, {}).get(event, 0) for member in members)
                if summed(self.in_costs) and summed(self.in_costs) != summed(self.self_costs) + summed(self.out_costs):
                    yield "C7"
        for (caller, callee), arc in self.arcs.items():
            if caller == callee:
                continue
            for event, cost in arc["costs"].items():
                whole = self.leaving[callee].get(event, 0)
                if callee in self.cycle:
                    whole = sum(self.leaving[member].get(event, 0) for member in self.functions if self.cycle.get(member) == self.cycle[callee])
                if cost > whole and not self.inside(caller, callee):
                    yield "C8"

    def notes(self):
        """Diagnostics of the model."""
        reader = self.reader
        for event in reader.all_events:
            summary = sum((part["summary_costs"] or {}).get(event, 0) for part in reader.parts)
            most = max(self.total.get(event, 0), summary) + len(reader.lines) + len(reader.calls)  # each may have been rounded
            if self.additive(event) and not self.negative(event) and any(costs.get(event, 0) > most for costs in self.leaving.values()):
                self.note("inclusive-exceeds-total")
        if reader.dialect == "callgrind" and any(value < 0 for call in reader.calls for value in call["costs"].values()) and not any(
                value < 0 for line in reader.lines for value in line["costs"].values()):
            self.note("counters-zeroed")
        if any(not self.additive(event) for event in reader.all_events):
            self.note("non-additive-column")

    def row(self, function):
        obj, file, name = function
        return {"name": name, "file": file, "object": obj, "context": self.context(name), "self": self.self_costs[function], "inclusive": self.inclusive[function]}

    def ends(self, caller, callee, arc):
        return {"caller": caller[2], "callee": callee[2], "caller_file": caller[1], "callee_file": callee[1], "caller_object": caller[0], "callee_object": callee[0],
                "calls": arc["calls"] if arc["known"] else None, "calls_at_least": arc["calls"], "inclusive": arc["costs"]}

    def answer(self):
        reader = self.reader
        totals = self.totals()
        self.notes()
        checks = sorted(self.checks() if reader.lines or reader.calls else ())
        overlooked = {report for rule, report in WRITERS.items() if self.broke(rule)}
        functions = [self.row(function) for function in self.functions]
        arcs = [self.ends(caller, callee, arc) for (caller, callee), arc in self.arcs.items()]
        if self.broke("F83"):
            functions = [row | {"file": functions[0]["file"]} for row in functions]
        cycles = {}
        for function, number in self.cycle.items():
            cycles.setdefault(number, []).append(function[2])
        return {
            "totals": {event: value % MODULUS for event, value in totals.items()}, "function_count": len(functions), "arc_count": len(arcs), "part_count": len(reader.parts),
            "functions": functions, "arcs": arcs, "cycles": list(cycles.values()), "roots": list(self.roots()),
            "lines": [{"function": function[2], "file": file, "line": place[0], "address": place[1], "self": costs} for (function, file, place), costs in self.located.items()],
            "sites": [self.ends(caller, callee, site) | {"file": file, "line": place[0], "address": place[1]} for (caller, callee, file, place), site in self.sites.items()],
            "jumps": [self.jump(jump) for jump in reader.jumps],
            "parts": [{"part": part["meta"].get("part"), "thread": part["meta"].get("thread"), "pid": part["meta"].get("pid", self.pid()), "self": part["self"],
                       "summary": part["summary_costs"], "totals": part["totals_costs"], "timerange": dict(part["desc"]).get("Timerange"),
                       "trigger": dict(part["desc"]).get("Trigger")} for part in reader.parts],
            "events": list(self.events()), "metadata": {"creator": reader.shared.get("creator"), "command": reader.shared.get("cmd"), "headers": sorted(reader.headers)},
            "records": sorted(function[2].text for function in reader.records) if self.broke("F66") else [function[2].text for function in reader.records],
            "mime_type": "text/plain" if self.broke("F88") else "application/x-kcachegrind",
            "diagnostics": sorted(reader.diagnostics), "checks": checks, "reports": sorted({*checks, *reader.diagnostics, *reader.traits} - overlooked),
            "portable": self.broke("C22") or not reader.traits & {"jump"} and len(reader.parts) == 1,
        }

    def pid(self):
        pid = self.reader.shared.get("pid")
        return int(pid) if pid and pid.isdigit() else None

    def jump(self, jump):
        (line, address), (target_line, target_address) = self.place(jump["position"]), self.place(jump["target"])
        return {"function": jump["function"][2].text, "file": jump["file"].text, "line": line, "address": address, "target_line": target_line,
                "target_address": target_address, "target_file": jump["target_file"].text, "target_function": jump["target_fn"].text,
                "executed": jump["executed"], "taken": jump["taken"], "conditional": jump["conditional"]}
