#!/usr/bin/env python3
"""A slow reader and checker, written from docs/format.md alone, that breaks rules on demand: the files of conformance/rules
have to notice each of them. Prints the JSON of conformance/README.md.

    reader.py [--break RULE]... FILE
"""

import bz2
import json
import lzma
import pathlib
import re
import subprocess
import sys
import zlib
from fractions import Fraction

MODULUS = 2**64
LONGEST, KEPT = 16_000_000, 65536
TABLE = {key: table for table, keys in {"ob": "ob cob", "fl": "fl fi fe cfi cfl jfi", "fn": "fn cfn jfn frfn"}.items() for key in keys.split()}
SPEC = re.compile(rb"(c?ob|c?f[ile]|cfni?|fn|jfi|jfn|frfn|r?calls|jump|jcnd|bb|ln|rec|mp|totals)[ \t]*=(.*)", re.S)
HEADER = re.compile(rb"([A-Za-z][A-Za-z0-9_() -]*?)[ \t]*:(.*)", re.S)
NUMBER = re.compile(r"([+-]?)(0[xX][0-9a-fA-F]+|\d+)")
DECIMAL = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")
NESTED = re.compile(r"\(\d+\)('\d+)?('\(\d+\))*")
RANGE = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[-:+]\d+")
PROFILE_KEYS = ("magic", "separator", "version", "creator", "cmd")
PART_KEYS = ("pid", "part", "thread", "desc", "positions", "events", "timeframe (BB)")
VALGRIND = "I1mr D1mr D1mw I2mr D2mr D2mw ILmr DLmr DLmw Bim Bcm Ge Ir".split()
BUILT_IN = {"L1m": "I1mr + D1mr + D1mw", "L2m": "I2mr + D2mr + D2mw", "LLm": "ILmr + DLmr + DLmw", "Bm": "Bim + Bcm",
            "CEst": "Ir + 10 Bm + 10 L1m + 20 Ge + 100 L2m + 100 LLm"}
UNITS = {"ns": "ns", "nanoseconds": "ns", "us": "us", "microseconds": "us", "ms": "ms", "milliseconds": "ms"}
UNNAMED = ("UnknownInlinedFun", "AbsOriFnNameNotFound")
NOT_ADDITIVE = {("pprofile", "usphit"), ("remake", "Wt"), ("remake", "Rt")}


class Refused(Exception):
    pass


class Name:
    """A name that may become known later."""

    def __init__(self, text, number=None):
        self.text, self.number = text, number


def integer(token):
    """Value of a number with a sign, or None."""
    match = NUMBER.fullmatch(token)
    if not match:
        return None
    value = int(match[2], 16 if match[2][:2].lower() == "0x" else 10)
    return -value if match[1] == "-" else value


def signed(value):
    value %= MODULUS
    return value - MODULUS if value >= MODULUS // 2 else value


class Reader:
    def __init__(self, data, broken=(), other_relative=None):
        self.data, self.broken = data, set(broken)
        self.diagnostics, self.traits = set(), set()
        self.other_relative, self.saw_other_relative = other_relative, False
        self.body = False
        self.parts, self.lines, self.calls, self.jumps, self.records = [], [], [], [], []
        self.defined_formulas, self.long_names, self.all_events, self.headers = {}, {}, [], []
        self.new_profile()
        self.block = []

    def broke(self, rule):
        return rule in self.broken

    def note(self, identifier):
        self.diagnostics.add(identifier)

    # State, section 5

    def new_profile(self):
        self.tables = {"ob": {}, "fl": {}, "fn": {}}
        self.events, self.positions, self.dialect = None, ["line"], None
        self.shared = {}
        self.profile_keys = set()
        self.new_part()

    def new_part(self):
        self.part = {"self": {}, "meta": {}, "desc": [], "own": set()}
        self.parts.append(self.part)
        unknown = Name("???")
        self.ob = self.fl = self.file = self.basefile = unknown
        self.fileset, self.group, self.fn, self.fn_used, self.saw_fl = False, None, None, False, False
        self.forget_callee()
        self.call = self.jump = self.jfi = self.jfn = None
        self.inlined = None
        self.base = self.last = None
        self.ob_alone = False
        self.names_of_part = {}

    def forget_callee(self):
        self.cob = self.cfi = self.cfn = None
        self.after_cfn = set()

    # Bytes and lines

    def text_lines(self):
        data = self.data
        if data[:3] == b"\xef\xbb\xbf" and not self.broke("F2"):
            data = data[3:]
            self.note("bom")
        if data and not data.endswith(b"\n"):
            self.note("no-final-newline")
        pieces = data.split(b"\n")
        if pieces[-1] == b"":
            pieces.pop()
        elif self.broke("F1"):
            pieces.pop()
        for piece in pieces:
            if piece.endswith(b"\r") and not self.broke("F1"):
                piece = piece[:-1]
                self.note("crlf")
            if len(piece) > LONGEST and not self.broke("F67"):
                self.note("line-too-long")
                piece = piece[:KEPT]
            yield piece

    def decode(self, name):
        if b"\0" in name:
            self.note("nul-byte")
        try:
            return name.decode("utf-8")
        except UnicodeDecodeError:
            self.note("non-utf8-name")
            return name.decode("utf-8", "replace" if self.broke("F2") else "surrogateescape")

    def read(self):
        self.detect()
        for raw in self.text_lines():
            line = raw if self.broke("F6") else raw.strip(b" \t")
            if not line:
                if self.broke("F3"):
                    self.fn, self.call = None, None
                continue
            if line[:1] == b"#":
                if line == b"# callgrind format" or self.broke("F5") and b"callgrind" in line:
                    self.block.append(("magic", b""))
                elif self.broke("F4"):
                    self.call = None
                continue
            if self.broke("F4"):
                line = line.partition(b"#")[0]
            if raw[:1] in (b" ", b"\t"):
                self.note("indented-line")
            if line.startswith(b"==== NEW PROFILING FILE"):
                self.block.append(("separator", b""))
            elif line[:1] in b"0123456789+-*":
                self.flush()
                self.cost_line(line.decode("latin-1").split())
            elif match := self.spec_line(line):
                if match[1] == b"totals":
                    self.note("totals-equals-sign")
                    if not self.broke("F26"):
                        self.block.append(("totals", match[2]))
                else:
                    self.flush()
                    self.spec(match[1].decode(), match[2])
            elif match := HEADER.fullmatch(line):
                self.block.append((match[1].decode(), match[2].strip()))
            else:
                self.note("unknown-line")
                if self.broke("F8"):
                    break
        self.finish()
        return self

    def spec_line(self, line):
        if self.broke("F7"):  # the last = would count
            return re.fullmatch(SPEC.pattern.replace(rb"(.*)", rb"(?:.*=)?(.*)"), line, re.S)
        return SPEC.fullmatch(line)

    def detect(self):
        if not any(line.strip() and line.strip()[:1] != b"#" for line in self.data.split(b"\n")):
            if self.broke("F9"):
                return
            raise Refused("empty-file")
        if self.broke("F11"):
            return
        for line in self.text_lines():
            line = line.strip(b" \t")
            if line == b"# callgrind format" or re.match(rb"(events|creator)[ \t]*:", line):
                break
            if line and line[:1] != b"#" and (line[:1] in b"0123456789+-*" or not (SPEC.fullmatch(line) or HEADER.fullmatch(line) or line.startswith(b"===="))):
                raise Refused("not-a-profile")
        else:
            raise Refused("not-a-profile")
        self.diagnostics.clear()
        if not any(re.match(rb"[ \t]*(\xef\xbb\xbf)?events[ \t]*:", line) for line in self.data.split(b"\n")) and not self.broke("F14"):
            raise Refused("no-events")

    # Headers

    def flush(self, at_end=False):
        block, self.block = self.block, []
        keys = [key for key, _ in block]
        starts = "profile" if set(keys) & set(PROFILE_KEYS) else "part" if set(keys) & set(PART_KEYS) else None
        if self.broke("F21") and "summary" in keys:
            starts = "part"
        if self.broke("F22") and starts == "profile":
            starts = "part"
        if self.broke("F23") and starts == "part" and self.body:
            self.tables = {"ob": {}, "fl": {}, "fn": {}}
        first = next((i for i, key in enumerate(keys) if key in PROFILE_KEYS + PART_KEYS), len(keys))
        if not self.body:
            first, starts = 0, None
        if at_end and starts and "events" not in keys:
            kept = set(self.part["own"]) | set(self.shared)
            if set(keys[first:]) & ({"magic", "separator", "version", "creator", "positions"} | kept):
                block, starts = block[:first], None
            else:
                starts = None
        for key, value in block[:first]:
            self.header(key, value)
        if starts:
            self.end_part()
        if starts == "profile":
            before = self.run()
            self.new_profile()
        elif starts == "part":
            self.new_part()
        once = set()
        for key, value in block[first:]:
            if key in ("part", "events") and key in once:
                self.new_part()
                once = set()
            once.add(key)
            self.header(key, value)
        if starts == "profile" and (None in before or before != self.run()):
            self.note("several-profiles")
        if not at_end and block and self.body and starts == "part" and not {"events", "positions"} <= set(keys):
            self.note("inherited-columns")
        if not at_end and not self.body:
            self.body = True
        if not at_end and self.broke("F24") and starts == "part" and "positions" not in keys:
            self.positions = ["line"]

    def end_function(self):
        if self.call:
            self.keep_call()
        elif self.cfn:
            self.note("dangling-cfn")
        if self.jump:
            self.end_jump(None)
        if self.fn and not self.fn_used and not getattr(self, "unspecified", False):
            self.note("function-without-records")

    def end_part(self):
        self.end_function()
        self.fn = None

    def run(self):
        return self.shared.get("pid"), self.shared.get("creator"), self.shared.get("cmd")

    def header(self, key, raw):
        value = self.decode(raw.strip(b" \t"))
        if key == "events":
            self.events = raw.decode("latin-1").strip().split(" ") if self.broke("F14") else raw.decode("latin-1").split()
            if len(set(self.events)) < len(self.events):
                self.note("duplicate-event")
            if re.search(rb"[ \t]{2}|\t", raw.strip()):
                self.traits.add("spaced-events")
            self.all_events += [event for event in self.events if event not in self.all_events]
        elif key == "positions":
            self.positions = value.split() or ["line"]
            if self.broke("F15"):
                self.positions = sorted("instr" if word == "addr" else word for word in self.positions if word in ("instr", "line", "addr")) or ["line"]
            if set(self.positions) - {"instr", "bb", "line", "addr"}:
                self.note("unknown-position")
            if len(self.positions) > 1 or "line" not in self.positions:
                self.traits.add("address-column")
        if key in PROFILE_KEYS + PART_KEYS:
            self.profile_keys.add(key)
        if key in ("pid", "part", "thread", "positions") and "events" in self.part["own"]:
            self.traits.add("late-header")
            if self.broke("F12"):
                self.events = []
        if value == "" and key not in ("magic", "separator"):
            if self.broke("F13") and key in ("cmd", "creator"):
                self.shared[key] = ""
            return
        self.part["own"].add(key)
        if key in ("cmd", "creator"):
            self.shared.setdefault(key, value if key == "creator" else self.command(value))
            if key == "creator" and not self.broke("F20"):
                self.dialect = "callgrind" if value.startswith("callgrind-") else self.dialect
        elif key in ("pid", "part", "thread"):
            if not value.isdigit():
                self.note("bad-number")
                value = value if not self.broke("F18") else "0"
            number = int(value) if value.isdigit() else None
            if key == "pid":
                self.shared["pid"] = value
            if not (self.broke("F18") and key == "thread"):
                self.part["meta"][key] = number
        elif key == "version":
            if int(re.match(r"\d*", value)[0] or 0) > 1:
                if self.broke("F16"):
                    raise Refused("version")
                self.note("unsupported-version")
            elif self.broke("F16") and "." in value:
                raise Refused("version")
        elif key in ("desc", "timeframe (BB)"):
            kind, _, rest = value.partition(":") if key == "desc" else ("Timerange", ":", value)
            if self.broke("F92") and kind == "Thread name":
                self.part["meta"]["thread"] = rest.strip()
            if self.broke("F19"):
                rest = rest.split(":")[-1]
            if rest.strip():
                self.part["desc"].append((kind.strip(), rest.strip()))
        elif key in ("summary", "totals"):
            if key == "summary" and not self.events:
                self.traits.add("early-summary")
                if self.broke("F25"):
                    return
            self.part[key] = value
        elif key == "event":
            self.event(value)
        elif key not in ("magic", "separator", "events", "positions"):
            self.note("unknown-header")
            if not self.broke("F28"):
                self.headers.append(f"{key}: {value}")

    def command(self, value):
        version = re.match(r"callgrind-(\d+)\.(\d+)", self.shared.get("creator", ""))
        if version and (int(version[1]), int(version[2])) >= (3, 11) or self.shared.get("creator", "").startswith("callcost-") or self.broke("F17"):
            if not (self.broke("F17") and version):
                if value == "unknown" and self.shared.get("creator", "").startswith("callcost-") and not self.broke("F17"):
                    return None
                return re.sub(r"\\(.)", lambda m: {"n": "\n", "\\": "\\"}.get(m[1], m[0]), value)
        return value

    def event(self, value):
        match = re.match(r"([^ \t=:]+)[ \t]*(.?)(.*)", value, re.S)
        name, mark, rest = match[1], match[2], match[3]
        formula = long_name = None
        if mark == ":":
            long_name = rest.strip()
        elif mark == "=":
            formula, colon, long_name = rest.partition(":")
            formula, long_name = formula.strip(), long_name.strip() if colon else None
        elif mark:
            long_name = (mark + rest).strip()
            self.note("event-without-colon")
        if self.broke("F27") and long_name:
            long_name = long_name.split("=")[-1]
        if formula and name not in self.defined_formulas or self.broke("F27") and formula:
            self.defined_formulas[name] = formula
        elif formula and re.sub(r"\s", "", formula) != re.sub(r"\s", "", self.defined_formulas[name]):
            self.note("event-redefined")
        if long_name:
            self.long_names.setdefault(name, long_name)

    # Names

    def name(self, key, raw):
        """The name, and whether it is a nested definition."""
        table = self.tables.setdefault(key if self.broke("F29") else TABLE[key], {})
        stripped = raw.strip(b" \t")
        if stripped != raw and stripped:
            self.note("name-padding")
            self.traits.add("padded-name")
        text = self.decode(raw if self.broke("F33") else stripped)
        if self.broke("F35"):
            text = re.sub(r"['#\\:].*", "", text)
        match = re.match(r"\((\d+)\)[ \t]*(.*)", text, re.S) if not (self.broke("F30") and text.startswith("(0)")) else None
        if self.broke("F30") and text.startswith("(") and not match:
            match = re.match(r"\(([^)]*)\)?(.*)", text, re.S)
        if match and (not match[1].isdigit() or int(match[1]) < MODULUS):
            return self.numbered(key, table, match[1], match[2])
        if re.match(r"\(\d", text):
            self.note("odd-name-id")
        if text == "":
            self.note("empty-name")
            return Name("" if self.broke("F34") else "???"), False
        return Name(text), False

    def numbered(self, key, table, number, text):
        scope = (id(table), number)
        if not text:
            if number not in table:
                table[number] = Name(f"({number})", scope)
                table[number].undefined = True
                self.note("undefined-name-id")
            if scope not in self.names_of_part and len(self.parts) > 1:
                self.traits.add("id-undefined-in-part")
            return table[number], False
        nested = bool(NESTED.fullmatch(text)) and TABLE[key] == "fn" and self.dialect == "callgrind"
        if nested and not self.broke("F36"):
            self.note("nested-name-id")
            text = re.sub(r"\((\d+)\)", lambda m: table[m[1]].text if m[1] in table else m[0], text)
        old = table.get(number)
        if old is not None and getattr(old, "undefined", False):
            if not self.broke("F32"):
                old.text, old.undefined = text, False
                self.note("late-name-id")
                self.diagnostics.discard("undefined-name-id")
                return old, nested
        if old is None or old.text != text:
            if old is not None and not getattr(old, "undefined", False):
                self.note("name-id-redefined")
                if scope in self.names_of_part:
                    self.traits.add("C4")
                if self.broke("F31"):
                    return old, nested
            table[number] = Name(text, scope)
        if old is not None:
            self.traits.add("id-defined-again")
        self.names_of_part[scope] = text
        return table[number], nested

    # Body

    def spec(self, key, raw):
        if self.dialect is None:
            cachegrind = key == "fl" and "cmd" in self.profile_keys and not self.profile_keys & {"version", "creator", "positions", "pid", "part", "thread"}
            self.dialect = "cachegrind" if cachegrind and not self.broke("F20") else "generic"
        if key in ("calls", "rcalls"):
            self.calls_line(key, raw.decode("latin-1").split())
        elif key in ("jump", "jcnd"):
            self.jump_line(key, raw.decode("latin-1").replace("/", " / ").split())
        elif key == "cfni":
            self.inlined_line(raw.strip(b" \t"))
        elif key in ("bb", "ln", "rec", "mp", "frfn"):
            self.note("hidden-option-line")
            if key == "frfn" and raw.strip() != b"(spontaneous)":
                self.name(key, raw)
            if key in ("frfn", "rec") and not self.broke("F65"):
                self.base, self.file, self.fileset = None, self.fl, True
        else:
            name, nested = self.name(key, raw)
            if self.call and key in ("ob", "fl", "fi", "fe", "cob", "cfi", "cfl", "cfn", "jfi", "jfn"):
                self.split = True
                if self.broke("F59"):
                    self.call = None
            getattr(self, f"set_{key}")(name, nested)

    def set_ob(self, name, _):
        self.ob, self.ob_alone = name, True
        if self.broke("F48"):
            self.fn = None

    def set_fl(self, name, _):
        self.fl = self.file = self.basefile = name
        self.saw_fl, self.fileset = True, True
        if self.dialect == "cachegrind" and not self.broke("F50"):
            self.fn = (Name("???"), self.fl, Name("<unspecified>"))
            self.unspecified, self.fn_used = True, False
        elif self.broke("F48") and self.dialect == "generic":
            self.fn = None

    def set_fi(self, name, _):
        if not self.fn:
            self.traits.add("file-before-function")
        self.file, self.fileset = name, True
        if not self.saw_fl and not self.broke("F49"):
            self.fl = name
            self.note("fi-without-fl")

    def set_fe(self, name, nested):
        if self.broke("F52"):
            self.file = self.fl
        else:
            self.set_fi(name, nested)

    def set_fn(self, name, _):
        self.end_function()
        self.forget_callee()
        if not self.broke("F89"):
            self.inlined = None
        self.ob_alone = False
        self.fn, self.fn_used, self.unspecified = (self.ob, self.fl, name), False, False
        if not self.broke("F47"):
            self.file = self.basefile = self.fl
        self.fileset, self.group = True, None
        if self.broke("F41"):
            self.base = None

    def set_cob(self, name, _):
        self.cob = name
        if self.cfn:
            self.after_cfn.add("cob")
            self.traits.add("late-callee-place")

    def set_cfi(self, name, _):
        self.cfi = name
        if self.cfn:
            self.after_cfn.add("cfi")
            self.traits.add("late-callee-place")
            if self.broke("F53"):
                self.cfi = None

    def set_cfl(self, name, nested):
        if not self.broke("F53"):
            self.set_cfi(name, nested)

    def set_cfn(self, name, nested):
        if self.call:
            self.keep_call()
        elif self.cfn and not (nested and not self.broke("F55")):
            self.note("dangling-cfn")
            if not self.broke("F55"):
                self.cob = self.cob if "cob" in self.after_cfn else None
                self.cfi = self.cfi if "cfi" in self.after_cfn else None
        self.after_cfn = set()
        self.cfn = name

    def inlined_line(self, raw):
        if not self.fn:
            self.note("inlined-before-fn")
            return
        if self.call:
            self.split = True
        self.traits.add("inlined-function")
        name = self.name("fn", raw)[0].text if self.broke("F90") else self.decode(raw)
        if not name:
            self.note("empty-name")
        file = self.file if self.fileset or self.dialect != "callgrind" else self.basefile
        if name in UNNAMED and not self.broke("F90"):
            name = "???"
        elif name == "???":
            name = ""
        self.inlined = (self.fn[0], file, Name(name)) if name else None

    def of_inlined(self, function, costs, counts=True):
        """The function that a record belongs to: code that was inlined in this one is called by it, nobody knows how often."""
        if not self.inlined or self.broke("F91"):
            return function
        if counts:
            self.calls.append({"caller": function, "callee": self.inlined, "count": 0, "file": self.file, "position": None, "costs": costs,
                               "part": self.part, "inlined": True})
        return self.inlined

    def set_jfi(self, name, _):
        self.jfi = name

    def set_jfn(self, name, _):
        self.jfn = name

    def calls_line(self, key, words):
        if self.call:
            self.keep_call()
        count = integer(words[0]) if words else None
        if count is None:
            self.note("bad-call-count")
            count = 0
        elif count < 0:
            self.note("unknown-call-count")
            count = 0
        if key == "rcalls":
            self.note("deprecated-rcalls")
        if len(words) - 1 != len(self.positions):
            self.note("call-target-short" if len(words) - 1 < len(self.positions) else "call-target-extra")
        if self.broke("F58"):
            self.base = [integer(word) or 0 for word in (words[1:] + ["0"] * 3)[:len(self.positions)]]
        if self.broke("F57") and (key == "rcalls" or count == 0):
            self.forget_callee()
            return
        if count == 0:
            self.traits.add("unknown-calls-with-cost")
        self.call, self.split = {"count": count}, False

    def keep_call(self):
        """A call whose cost line does not come."""
        self.note("calls-without-cost-line")
        if not self.broke("F59"):
            self.add_call(None, {})
        else:
            self.call = None

    def add_call(self, position, costs):
        if self.cfn is None:
            self.note("call-without-callee")
        callee = (self.cob or self.ob_of_fn(), self.cfi or (self.basefile if self.dialect == "callgrind" and not self.broke("F54") else self.file),
                  self.cfn or Name("???"))
        if self.broke("F54"):
            callee = (self.cob or getattr(self, "last_cob", None) or self.ob_of_fn(), *callee[1:])
            self.last_cob = self.cob
        self.calls.append({"caller": self.of_inlined(self.fn or self.no_function(), costs), "callee": callee, "count": self.call["count"], "file": self.file,
                           "position": position, "costs": costs, "part": self.part})
        self.fn_used = True
        self.call = None

    def ob_of_fn(self):
        return self.fn[0] if self.fn else self.ob

    def no_function(self):
        self.note("cost-before-fn")
        return (self.ob, self.fl, Name("???"))

    def jump_line(self, key, words):
        self.traits.add("jump")
        if self.jump:
            self.end_jump(None)
        slash = "/" in words[:2]
        if slash:
            words = [words[0], *words[2:]]
        numbers = [integer(word) for word in words[:2]] + [None, None]
        if None in numbers[:1 if key == "jump" else 2]:
            self.note("bad-number")
        numbers = [number or 0 for number in numbers]
        if key == "jump":
            executed = taken = numbers[0]
            rest = words[1:]
        elif slash:
            taken, executed, rest = numbers[0], numbers[1], words[2:]
        else:
            executed, taken, rest = numbers[0], numbers[1], words[2:]
            if taken > executed:
                executed, taken = taken, executed
                self.note("jcnd-order")
        if self.broke("F62"):
            executed, taken = taken, executed
        if taken > executed:
            self.traits.add("C12")
        if len(rest) < len(self.positions):
            self.note("jump-target-short")
        target = self.position([word if word != "/" else "0" for word in rest[:len(self.positions)]])
        self.jump = {"conditional": key == "jcnd", "executed": executed, "taken": taken, "target": target, "target_file": self.jfi, "target_fn": self.jfn}

    def end_jump(self, position):
        jump, self.jump = self.jump, None
        if position is None:
            self.note("jump-without-source")
        else:
            default = self.basefile if self.dialect == "callgrind" else self.file
            jump |= {"position": position, "file": self.file, "function": self.fn or self.no_function(),
                     "target_file": jump["target_file"] or default, "target_fn": jump["target_fn"] or (self.fn or self.no_function())[2]}
            self.jumps.append(jump)
        if not self.broke("F64"):
            self.jfi = self.jfn = None

    # Cost lines

    def position(self, tokens):
        base = self.base or [0] * len(self.positions)
        values = []
        for column, kind in enumerate(self.positions):
            token = tokens[column] if column < len(tokens) else "0"
            values.append(self.one_position(token, base[column], kind in ("instr", "addr")))
        return values

    def one_position(self, token, base, address):
        if token == "*":
            self.saw_other_relative |= not address
            return 0 if self.broke("F38") else base
        if match := RANGE.fullmatch(token):
            self.note("position-range")
            return 0 if self.broke("F42") else integer(match[1])
        value = integer(token)
        if value is None:
            self.note("bad-cost")
            return 0
        if token[:1] not in "+-":
            return int(token.lstrip("0x") or "0") if self.broke("F37") and token[:2] == "0x" and token[2:].isdigit() else value
        if not address:
            if token != "-1":
                self.saw_other_relative = True
            elif not self.broke("F39") and self.other_relative is False and not re.match("callgrind-|callcost-", self.shared.get("creator", "")):
                self.note("minus-one-line")
                return None
        value = value if self.broke("F38") and token.startswith("+0x") else base + value
        if address:
            return value % MODULUS
        if value < 0:
            self.note("negative-position")
            return value if self.broke("F38") else 0
        return value

    def cost(self, token):
        value = integer(token)
        if value is not None:
            if token[:1] == "+":
                self.note("signed-cost")
            if abs(value) >= MODULUS:
                self.note("number-overflow")
                if self.broke("F44"):
                    value = MODULUS - 1
            if token[:2].lower() == "0x":
                self.traits.add("hex-cost")
                value = 0 if self.broke("F44") else value
        elif DECIMAL.fullmatch(token):
            self.note("fractional-cost")
            value = 0 if self.broke("F44") else int(Fraction(token) + Fraction(1, 2))
        else:
            self.note("bad-cost")
            value = 0
        if signed(value) < 0:
            self.note("negative-cost")
        return value

    def cost_line(self, tokens):
        if self.dialect is None:
            self.dialect = "generic"
        count = len(self.positions)
        if len(tokens) < count:
            self.note("short-position")
        if self.last != self.base and any(token[:1] in "+-*" for token in tokens[:count]):
            self.traits.add("shifted-positions")
        position = self.position(tokens[:count])
        self.last = [value or 0 for value in position]
        if self.ob_alone:
            self.traits.add("cost-after-object")
        if self.events is None:
            self.note("cost-before-events")
            return
        numbers = [self.cost(token) for token in tokens[count:]]
        if len(numbers) > len(self.events):
            self.note("surplus-costs")
            if self.broke("F43"):
                numbers[len(self.events) - 1] = numbers[-1]
        costs = {}
        for event, value in zip(self.events, numbers):
            costs[event] = (costs.get(event, 0) if not self.broke("F14") else 0) + value
        if not numbers and not self.jump:
            self.traits.add("C17")
        if len(numbers) < len(self.events) and self.broke("F43"):
            costs = {}
        is_call = self.call is not None
        if self.jump and not numbers and not self.broke("F63"):
            self.source(position, plain=False)
            self.end_jump(position)
            return
        if self.jump and numbers:
            self.end_jump(None)
        if not is_call and self.cfn and self.dialect != "callgrind" and not self.broke("F56"):
            self.note("call-without-calls")
            self.call, is_call = {"count": 0}, True
        if is_call and self.broke("F46"):
            self.calls.append({"caller": self.fn, "callee": (self.ob, self.file, self.cfn), "count": self.call["count"], "file": self.file,
                               "position": position, "costs": costs, "part": self.part})
            is_call, self.call = False, None
            self.forget_callee()
        if is_call:
            if getattr(self, "split", False):
                self.note("split-call")
                self.split = False
            self.source(position, plain=False)
            self.add_call(position, costs)
            self.forget_callee()
            return
        self.source(position, plain=True)
        if getattr(self, "unspecified", False):
            self.note("unspecified-function")
        function = self.fn or self.no_function()
        self.fn_used = True
        if self.broke("F45") and not any(numbers):
            return
        if not self.records or self.records[-1] is not function:
            self.records.append(function)
        self.lines.append({"function": self.of_inlined(function, costs), "file": self.file, "position": position, "costs": costs})
        for event, value in costs.items():
            self.part["self"][event] = self.part["self"].get(event, 0) + value

    def source(self, position, plain):
        """Which file a record is in (F51), and the base of relative positions (F40)."""
        callgrind = self.dialect == "callgrind" and not self.broke("F51")
        if callgrind:
            if not self.fileset and (plain or self.group != position):
                self.file = self.basefile
            if plain:
                self.basefile, self.group = self.file, None
            else:
                self.group = position
        self.fileset = False
        if plain or self.dialect != "callgrind" or self.broke("F40"):
            self.base = [value or 0 for value in position]

    # After reading

    def finish(self):
        pending = self.call or self.cfn
        if self.call:
            self.keep_call()
        if self.jump:
            self.end_jump(None)
        if self.fn and not self.fn_used and not getattr(self, "unspecified", False) and not pending:
            self.note("function-without-records")
        self.flush(at_end=True)
        lacks = {"callgrind": "totals", "cachegrind": "summary"}.get(self.dialect)
        cut = self.data and not self.data.endswith(b"\n") and not self.shared.get("creator", "").startswith("yappi")
        if cut or pending and not (self.dialect == "callgrind" and not self.call) or lacks and self.lines and lacks not in self.part:
            if not self.broke("F10"):
                self.note("truncated-file")
        if not self.lines and not self.calls and not self.diagnostics & {"cost-before-events"}:
            self.note("no-costs")
        for part in self.parts:
            self.declared(part)

    def declared(self, part):
        events = self.events or []
        for key in ("summary", "totals"):
            part[f"{key}_costs"] = None
            if key in part:
                values = [integer(word) for word in part[key].split()]
                if None in values:
                    self.note(f"unreadable-{key}")
                    continue
                if len(values) > len(events) and key == "summary":
                    self.note("surplus-summary")
                part[f"{key}_costs"] = dict(zip(events, values + [0] * len(events)))


def decompress(data, broken):
    if "F85" in broken:
        return data, None
    try:
        if data[:2] == b"\x1f\x8b":
            text = b""
            while data[:2] == b"\x1f\x8b":
                stream = zlib.decompressobj(31)
                text += stream.decompress(data)
                data = stream.unused_data
            return text, "truncated-compression" if data.strip(b"\0") or not stream.eof else None
        if data[:3] == b"BZh":
            return bz2.decompress(data), None
        if data[:6] == b"\xfd7zXZ\0":
            return lzma.decompress(data), None
        if data[:4] == b"\x28\xb5\x2f\xfd":
            return subprocess.run(["zstd", "-dcq"], input=data, capture_output=True, check=True).stdout, None
    except (zlib.error, OSError):
        return b"", "truncated-compression"
    return data, None


def shown(value):
    """Names are bytes inside, here text: what is not UTF-8 is Latin-1."""
    if isinstance(value, dict):
        return {shown(key): shown(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown(member) for member in value]
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogateescape").decode("latin-1")
    return value


def answer(path, broken=()):
    """The JSON of what is in a file."""
    from model import Model  # which uses names of this file

    path = pathlib.Path(path)
    data = path.read_bytes()
    if "F86" in broken and path.suffix == ".gz":
        return {"refused": "no gzip file"}
    if "F87" in broken:
        data += b"".join(other.read_bytes() for other in sorted(path.parent.glob(f"{path.name}.*[0-9]")))
    broken = set(broken)
    data, problem = decompress(data, broken)
    try:
        first = Reader(data, broken).read()
        reader = Reader(data, broken, first.saw_other_relative).read()
    except Refused as refusal:
        return {"refused": str(refusal)}
    if problem:
        reader.note(problem)
    return shown(Model(reader).answer()) | written(data.decode("utf-8", "replace"), broken)


def written(text, broken):
    """This is no writer, but it can be a bad one."""
    if not broken & {"W16", "W17", "W19"}:
        return {}
    text += "\n" if "W17" in broken else ""
    return {"written": {"portable": text, "cachegrind": text}}


def main():
    words, broken = sys.argv[1:], set()
    while words[:1] == ["--break"]:
        broken.add(words[1])
        words = words[2:]
    print(json.dumps(answer(words[0], broken)))


if __name__ == "__main__":
    sys.modules["reader"] = sys.modules["__main__"]
    main()
