#!/usr/bin/env python3
"""Makes web pages of the documents: every Markdown file becomes one, and links called "Example" to files of conformance/rules
become these files, folded.

usage: make_html.py FOLDER

Debian's cmark-gfm renders as GitHub does. A link that leads nowhere is an error: what a document names is a page, a heading, a rule or
a file of the project, which is copied. So is a line of a paragraph that is too long in docs/ and in the project's own papers.
"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST_EXAMPLE = 3_000  # bytes
LONGEST_LINE = 120  # characters
STYLE = """
:root { color-scheme: light dark; --text: light-dark(#1c1c1e, #e8e8ea); --back: light-dark(#fff, #161618); --soft: light-dark(#f4f4f6, #232326);
        --line: light-dark(#d8d8dc, #3a3a3f); --link: light-dark(#0b57d0, #8ab4f8) }
body { max-width: 56rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--back) }
a { color: var(--link) }
nav { font-size: .9rem; border-bottom: 1px solid var(--line); padding-bottom: .5rem }
h1, h2, h3 { line-height: 1.25 }
h2 { margin-top: 2.2em; border-bottom: 1px solid var(--line) }
.self { color: inherit; text-decoration: none }
.self:hover::after { content: " #"; color: var(--link) }
:target { background: light-dark(#fff3bf, #4a4110) }
pre, code { font: .875em/1.45 ui-monospace, monospace; background: var(--soft) }
pre { padding: .75rem 1rem; overflow-x: auto; border-radius: .4rem }
pre code { font-size: 1em; background: none }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top }
img { max-width: 100% }
li { margin: .3rem 0 }
details { margin: .4rem 0; font-size: .9em }
"""


def shown(bytes_):
    """The text of an example, with what cannot be seen."""
    if bytes_[:2] in (b"\x1f\x8b", b"BZ", b"\xfd7", b"(\xb5"):
        return "(compressed)"
    text = bytes_[:LONGEST_EXAMPLE].decode("utf-8", "backslashreplace").replace("\r", "\\r").replace("\t", "\\t")
    text = re.sub(r"[^\n\x20-\U0010ffff]", lambda found: f"\\x{ord(found[0]):02x}", text)
    return html.escape(text, quote=False) + ("\n…" if len(bytes_) > LONGEST_EXAMPLE else "")


def with_examples(body, source):
    """Links to examples as the examples themselves, to unfold."""

    def unfolded(match):
        profile = (source.parent / match[1]).resolve()
        facts = profile.with_name(profile.name.partition(".")[0] + ".json")
        if not facts.exists():
            return match[0]  # leads nowhere, which is found later
        why = json.loads(facts.read_text("utf-8")).get("why", "")
        return (f'<details><summary>Example: <a href="{match[1]}">{html.escape(profile.name)}</a></summary>'
                f"<p>{html.escape(why)}</p><pre>{shown(profile.read_bytes())}</pre></details>")

    return re.sub(r'<a href="([^"]*conformance/rules/[^"]*)">Example</a>', unfolded, body)


def heading_id(text, taken):
    """As GitHub makes them."""
    name = re.sub(r"[^\w\- ]", "", html.unescape(re.sub(r"<[^>]*>", "", text)).lower()).replace(" ", "-")
    taken[name] = taken.get(name, -1) + 1
    return f"{name}-{taken[name]}" if taken[name] else name


def rendered(source):
    body = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", str(source)],
                          check=True, capture_output=True, encoding="utf-8").stdout
    taken = {}
    body = re.sub(r"<(h[1-6])>(.*?)</\1>", lambda m: f'<{m[1]} id="{(name := heading_id(m[2], taken))}"><a class="self" href="#{name}">{m[2]}</a></{m[1]}>'
                  if "<a " not in m[2] else f'<{m[1]} id="{heading_id(m[2], taken)}">{m[2]}</{m[1]}>', body, flags=re.DOTALL)
    # A rule can be linked to by clicking on its name.
    return re.sub(r'<a id="([fcw]\d+)"></a>(<strong>.*?</strong>|\w+)', r'<a class="self" id="\1" href="#\1">\2</a>', body, flags=re.DOTALL)


def without_example(source):
    """Rules that the document defines: F12, C3, W4."""
    text = source.read_text("utf-8")
    places = [(match.start(), match[1].upper()) for match in re.finditer(r'<a id="([fcw]\d+)"></a>', text)]
    for (begin, rule), (end, _) in zip(places, [*places[1:], (len(text), "")]):
        if not re.search(rf"\[Example\]\([^)]*/{rule}-", text[begin:end]):
            yield rule


class Pages:
    def __init__(self, folder):
        self.folder = folder
        self.sources = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "RELEASING.md", "CHANGELOG.md", "conformance/README.md", "web/README.md")]
        self.sources = [source for source in self.sources if source.exists()] + sorted((ROOT / "docs").rglob("*.md"))
        self.anchors, self.wanted, self.problems = {}, [], []

    def write(self):
        for source in self.sources:
            body = with_examples(rendered(source), source)
            target = self.target(source)
            body = re.sub(r'\b(href|src)="([^"]*)"', lambda match, source=source: f'{match[1]}="{self.linked(source, html.unescape(match[2]))}"', body)
            ids = re.findall(r'\bid="([^"]+)"', body)
            self.problems += [f"{source.relative_to(ROOT)}: two places are called {name}" for name in set(ids) if ids.count(name) > 1]
            self.anchors[target] = set(ids)
            title = re.search(r"<h1.*?>(.*?)</h1>", body, re.DOTALL)
            top = "../" * (len(target.relative_to(self.folder).parts) - 1)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
                              f'<title>{re.sub("<[^>]*>", "", title[1] if title else source.stem)}</title>\n<style>{STYLE}</style>\n'
                              f'<nav><a href="{top}index.html">callcost</a> · <a href="{top}docs/index.html">documents</a> · '
                              f'<a href="{top}docs/format.html">the format</a></nav>\n<main>\n{body}</main>\n', "utf-8")
            self.problems += [f"{source.relative_to(ROOT)}: {rule} has no example" for rule in without_example(source)]
        for source, target, name in self.wanted:
            if name not in self.anchors.get(target, {name}):
                self.problems.append(f"{source.relative_to(ROOT)}: {target.relative_to(self.folder)} has no place {name}")
        return self.problems

    def target(self, source):
        path = source.relative_to(ROOT)
        return self.folder / (path.parent / "index.html" if path.name == "README.md" else path.with_suffix(".html"))

    def linked(self, source, address):
        """The address in the page; a file that is no page is copied."""
        if re.match(r"[a-z]+:", address):
            return html.escape(address)
        path, _, name = address.partition("#")
        file = (source.parent / urllib.parse.unquote(path)).resolve() if path else source
        if not file.exists() or ROOT not in (file, *file.parents):
            self.problems.append(f"{source.relative_to(ROOT)}: {address} leads nowhere")
            return html.escape(address)
        if file.is_dir() and (file / "README.md") in self.sources:
            file = file / "README.md"
        if file in self.sources:
            target = self.target(file)
            if name:
                self.wanted.append((source, target, name))
        elif file.is_dir():
            target = self.directory(file)
        else:
            target = self.folder / file.relative_to(ROOT)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
        if not path:
            return html.escape(f"#{name}")
        up = pathlib.Path(*[".."] * (len(self.target(source).relative_to(self.folder).parts) - 1))
        return html.escape(urllib.parse.quote(str(up / target.relative_to(self.folder))) + (f"#{name}" if name else ""))

    def directory(self, folder):
        """A page that lists what is in it."""
        target = self.folder / folder.relative_to(ROOT) / "index.html"
        if not target.exists():
            names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                              f"<title>{folder.name}</title>\n<ul>\n" + "".join(f"<li>{html.escape(name)}\n" for name in names) + "</ul>\n", "utf-8")
        return target


def long_lines():
    """Where paragraphs are to be wrapped: not in code, tables, headings and HTML, nor where there is no blank."""
    written = {ROOT / "docs/readers.md"}  # by conformance/scoreboard
    for source in sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")} - written):
        is_code = False
        for number, line in enumerate(source.read_text("utf-8").splitlines(), 1):
            text = line.strip()
            is_code ^= text.startswith("```")
            if len(line) > LONGEST_LINE and not is_code and text[0] not in "|#<" and " " in re.sub(r"^([-*+]|\d+\.) +", "", text):
                yield f"{source.relative_to(ROOT)}:{number}: a line of {len(line)} characters, more than {LONGEST_LINE}"


def main():
    if shutil.which("cmark-gfm") is None:
        print("cmark-gfm is not installed")
        return 77
    folder = pathlib.Path(sys.argv[1]).resolve()
    if folder in (ROOT, *ROOT.parents):
        sys.exit(f"{folder}: choose a folder of its own")
    if (folder / "docs/format.html").exists():  # of before
        shutil.rmtree(folder)
    problems = [*Pages(folder).write(), *long_lines()]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
