#!/usr/bin/env python3
"""Checks what each file of the page (web/src) may import: modules, circles, packages.

usage: check_page_modules.py [--root DIR] [--self-test]

A module is a folder of web/src; each folder of web/src/views is one. MODULES has a line per module, from the lowest up; a module
imports itself and those that its line names. Views may import each other. No file imports itself by way of others, and
no module does.
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile

MODULES = {
    "protocol": (),
    "model": ("protocol",),
    "package": ("protocol",),  # the npm package, with `protocol`
    "command": (),  # the command in Node.js, as the npm package has it
    "engine": ("protocol", "package"),
    "opening": ("protocol", "package", "engine"),
    "app": ("protocol", "engine", "model"),
    "components": ("protocol", "model", "app"),
    "views/*": ("protocol", "model", "app", "components", "views/*"),
    "views": ("model", "app", "views/*"),
    "shell": ("protocol", "model", "engine", "opening", "app", "components", "views"),
    "history": ("protocol", "model", "engine", "app", "components"),
    "style": (),
    ".": ("protocol", "model", "package", "engine", "opening", "app", "shell", "history", "style"),  # main.tsx, page.tsx
}
PACKAGES = {
    "d3-hierarchy": ("model",),
    "fzstd": ("package",),
    "node:child_process": ("command",),
    "node:crypto": ("package",),
    "node:fs": ("package", "command"),
    "node:tty": ("command",),
    "node:url": ("command",),
    "node:v8": ("command",),
    "node:worker_threads": ("package",),
    "prismjs": ("views/source",),
    "solid-js": ("app", "components", "views/*", "views", "shell", "history", "."),
}
IMPORT = re.compile(
    r"""^[ \t]*(?:import|export)\b(?://[^\n]*|/\*.*?\*/|[^;'"])*?\bfrom\s*['"]([^'"]+)['"]|"""
    r"""^[ \t]*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|"""
    r"""\bnew\s+URL\(\s*['"]([^'"]+)['"]\s*,\s*import\.meta""",
    re.MULTILINE | re.DOTALL,
)
STYLE_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?['"]?([^'"\s)]+)""")
SUFFIXES = (".ts", ".tsx", ".css")


def module_of(file):
    return str(pathlib.PurePosixPath(file).parent)


def rule_of(module):
    return "views/*" if module.startswith("views/") else module


def imports_of(text, pattern=IMPORT):
    for match in pattern.finditer(text):
        line = text.count("\n", 0, match.end()) + 1
        yield line, next(name for name in match.groups() if name)


def resolve(file, name, files):
    """The file that a relative import means."""
    path = os.path.normpath(os.path.join(os.path.dirname(file), name.split("?")[0]))
    return next((path + end for end in ("", ".ts", ".tsx") if path + end in files), None) or next(
        (file for file in files if path.endswith(".js") and file == path[:-3] + ".ts"), None
    )


def package_of(name):
    return "/".join(name.split("/")[: 2 if name.startswith("@") else 1])


def circles(graph):
    """Each way from a node back to itself that a search in depth meets."""
    found, done = [], set()
    for start in sorted(graph):
        path, stack = [], [(start, iter(sorted(graph[start])))]
        if start in done:
            continue
        path.append(start)
        while stack:
            node, others = stack[-1]
            for other in others:
                if other in path:
                    found.append(path[path.index(other) :] + [other])
                elif other not in done:
                    path.append(other)
                    stack.append((other, iter(sorted(graph.get(other, ())))))
                    break
            else:
                done.add(node)
                path.pop()
                stack.pop()
    return found


def check(source):
    files = {
        path.relative_to(source).as_posix(): path
        for path in sorted(source.rglob("*"))
        if path.is_file() and not path.name.endswith(".d.ts")
    }
    violations, graph, modules = [], {}, {}
    for file, path in files.items():
        module = module_of(file)
        rule = rule_of(module)
        graph[file] = set()
        modules.setdefault(module, set())
        if rule not in MODULES or module.count("/") > 1:
            violations.append(f"{file}: '{module}' is no module; MODULES has all of them")
            continue
        if path.suffix not in SUFFIXES:
            violations.append(f"{file}: only {', '.join(SUFFIXES)} files are checked, so there are no others")
            continue
        text = path.read_text()
        if "import.meta.glob" in text:
            violations.append(f"{file}: import.meta.glob does not say what is imported")
        for line, name in imports_of(text, STYLE_IMPORT if path.suffix == ".css" else IMPORT):
            if path.suffix == ".css" and not name.startswith("."):
                name = "./" + name
            if name.endswith(".wasm"):
                continue  # of the engine; it is not among the sources
            if not name.startswith("."):
                allowed = PACKAGES.get(package_of(name))
                if allowed is None:
                    violations.append(f"{file}:{line}: '{name}' is in no module yet: add it to PACKAGES")
                elif rule not in allowed and module not in allowed:
                    violations.append(f"{file}:{line}: '{name}' belongs to {', '.join(allowed)}")
                continue
            other = resolve(file, name, files)
            if other is None:
                violations.append(f"{file}:{line}: there is no '{name}' in the page's sources")
                continue
            graph[file].add(other)
            if module_of(other) == module:
                continue
            modules[module].add(module_of(other))
            if rule_of(module_of(other)) not in MODULES[rule]:
                violations.append(f"{file}:{line}: module '{module}' may not import '{module_of(other)}'")
    in_circle = circles(graph)
    violations += [f"{circle[0]}: a circle of imports: {' -> '.join(circle)}" for circle in in_circle]
    if not in_circle:
        violations += [f"a circle of modules: {' -> '.join(circle)}" for circle in circles(modules)]
    return violations


# Files, and a part of what must be said about them; None: nothing.
CASES = (
    ({"model/a.ts": "import type { B } from '../protocol/b';\n", "protocol/b.ts": ""}, None),
    ({"views/flame/a.tsx": "import { b } from '../pictures/b';\n", "views/pictures/b.tsx": ""}, None),
    ({"views/source/a.ts": "import core from 'prismjs/components/prism-core';\nimport { For } from 'solid-js';\n"}, None),
    ({"components/a.tsx": "import './a.css';\n", "components/a.css": ""}, None),
    ({"engine/a.ts": "import W from './b?worker&inline';\n", "engine/b.ts": ""}, None),
    (
        {"components/a.ts": "\nimport {\n  b,\n} from '../views/b';\n", "views/b.ts": ""},
        "components/a.ts:4: module 'components' may not import 'views'",
    ),
    ({"views/flame/a.ts": "import { b } from '../../shell/b';\n", "shell/b.ts": ""}, "may not import 'shell'"),
    ({"model/a.ts": "import { b } from '../app/b';\n", "app/b.ts": ""}, "module 'model' may not import 'app'"),
    ({"protocol/a.ts": "export type { B } from '../model/b';\n", "model/b.ts": ""}, "may not import 'model'"),
    ({"model/a.ts": "const b = await import('../app/b');\n", "app/b.ts": ""}, "may not import 'app'"),
    ({"components/a.ts": "import '../shell/b.css';\n", "shell/b.css": ""}, "may not import 'shell'"),
    ({"model/a.ts": "import {\n  b, // it's b's\n} from '../app/b';\n", "app/b.ts": ""}, "a.ts:3: module 'model' may not import"),
    ({"model/a.ts": "new URL('../app/b.ts', import.meta.url);\n", "app/b.ts": ""}, "may not import 'app'"),
    ({"model/a.ts": "import.meta.glob('../app/*.ts');\n"}, "import.meta.glob"),
    ({"package/a.ts": "new URL('./b.js', import.meta.url);\nnew URL('./c.wasm', import.meta.url);\n", "package/b.ts": ""}, None),
    ({"style/a.css": "@import 'b.css';\n@import url(\"./c.css\");\n", "style/b.css": "", "style/c.css": ""}, None),
    ({"style/a.css": "@import '../shell/b.css';\n", "shell/b.css": ""}, "may not import 'shell'"),
    ({"model/a.js": ""}, "model/a.js: only"),
    (
        {"model/a.ts": "import { b } from './b';\n", "model/b.ts": "import { c } from './c';\n", "model/c.ts": "import { a } from './a';\n"},
        "a circle of imports: model/a.ts -> model/b.ts -> model/c.ts -> model/a.ts",
    ),
    ({"model/a.ts": "import type { A } from './a';\n"}, "a circle of imports: model/a.ts -> model/a.ts"),
    (
        {
            "views/a/1.ts": "import '../b/1';\n",
            "views/b/1.ts": "",
            "views/b/2.ts": "import '../a/2';\n",
            "views/a/2.ts": "",
        },
        "a circle of modules: views/a -> views/b -> views/a",
    ),
    ({"views/treemap/a.ts": "import { h } from 'd3-hierarchy';\n"}, "'d3-hierarchy' belongs to model"),
    ({"views/code/a.ts": "import core from 'prismjs/components/prism-core';\n"}, "belongs to views/source"),
    ({"model/a.ts": "import { createStore } from 'solid-js/store';\n"}, "'solid-js/store' belongs to"),
    ({"app/a.ts": "import lodash from 'lodash';\n"}, "is in no module yet"),
    ({"app/a.ts": "import { b } from './b';\n"}, "there is no './b'"),
    ({"utils/a.ts": ""}, "'utils' is no module"),
    ({"views/flame/deep/a.ts": ""}, "'views/flame/deep' is no module"),
)


def self_test():
    failed = 0
    for files, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = check(pathlib.Path(folder))
        if found if expected is None else not any(expected in line for line in found):
            failed += 1
            print(f"{list(files)[0]}: expected {expected or 'no violation'!r}, got {found}")
    print(f"self test: {len(CASES) - failed} passed, {failed} failed")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true", help="prove that each rule can fail")
    options = parser.parse_args()
    if options.self_test:
        return 1 if self_test() else 0
    source = options.root / "web/src"
    if not source.is_dir():
        parser.error(f"{options.root} has no web/src/")
    violations = check(source)
    print("\n".join(violations) or "modules of the page: no violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
