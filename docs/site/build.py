#!/usr/bin/env python3
"""The site and the book: build.py REDBLUE OUT [--book | --slides | --check | --pages NAME...].

Every text of the documentation becomes a page, every chapter a part of the book; lessons and pictures are made by the program.  The result is a
static folder that asks for nothing from elsewhere; links are checked before it is said to be done."""

import base64
import html
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
GROUPS = [
    ("Begin", ["game", "cdag-language", "schedule-language", "lesson", "playground", "glossary"]),
    ("Bounds and proofs", ["theory", "theory-lp", "theory-affine", "theory-collections", "theory-graphs", "certificates", "proofs", "literature", "open-problems", "bounds-catalogue"]),
    ("Schedules", ["counting", "tiling", "any-graph", "optimal", "tile-engine"]),
    ("Tables, figures, machines", ["tables", "plots", "time-model"]),
    ("Programs and formats", ["python", "library", "graph-formats", "import", "architecture", "contributing"]),
]
MAPS = [
    ("gap-attention.svg", "Exact attention, d = 64: best schedule over best bound", ["--kind", "gap", "attention:d=64", "--sweep", "n=1K..32K*2 M=1K..256K*4"]),
    ("gap-matmul.svg", "Square products: best schedule over best bound", ["--kind", "gap", "matmul:n=1024,k=1024", "--sweep", "m=256..8K*2 M=256..64K*4"]),
]


FIGURE = re.compile(r"<figure>\s*(<img[^>]*?)\s*/?>\s*<figcaption[^>]*>.*?</figcaption>\s*</figure>", re.S)  # the caption repeats what alt says


def page_of(source: Path) -> Path:
    """Where a text of the tree stands in the site."""
    inside = source.relative_to(TOP)
    if inside == Path("README.md"):
        return Path("index.html")
    if inside.parent.name == "slides":
        return Path("slides") / inside.with_suffix(".html").name
    return inside.with_name("index.html") if inside.name == "README.md" else inside.with_suffix(".html")


def sources() -> list:
    return [TOP / "README.md", TOP / "CHANGELOG.md", TOP / "editors/README.md", *sorted((TOP / "docs").glob("*.md")), *sorted((TOP / "docs/course").glob("*.md")),
            TOP / "docs/course/solutions/answers.md"]


def slide_texts() -> list:
    return sorted((TOP / "docs/course/slides").glob("*.md"))


def is_mathematical(source: Path) -> bool:
    return source.parent != TOP and bool(re.match(r"\d\d-|answers|theory|open-problems", source.name))


def pandoc(text: str, mathematical: bool, *options: str) -> str:
    text = re.sub(r"^```(\w*) (?:file|row)=\S+", r"```\1", text, flags=re.M)  # `file=` is for the tests
    text = re.sub(r"^```\w+", "```listing", text, flags=re.M)  # what has no language may be a formula
    filters = ["--lua-filter", HERE / "math.lua"] if mathematical else []
    run = subprocess.run(["pandoc", "-f", "gfm", "-t", "html5", *filters, *options], input=text, capture_output=True, text=True, check=True)
    body = re.sub(r"<table>.*?</table>", lambda m: f'<div class="wide" tabindex="0">{m.group(0)}</div>', run.stdout, flags=re.S)
    body = FIGURE.sub(r"<figure>\1></figure>", body)
    body = re.sub(r"<t([hd]) style=\"[^\"]*\"", r"<t\1", body)
    body = re.sub(r"<th></th>", "<td></td>", body)
    return body.replace("<pre", '<pre tabindex="0"')  # it scrolls


class Site:
    def __init__(self, redblue: str, out: Path):
        self.redblue, self.out = redblue, out
        self.parts = [("index.html", "redblue"), ("docs/index.html", "Documentation"), ("docs/course/index.html", "Course"), ("lessons/index.html", "Lessons"), ("book.html", "Book")]
        if (out / "playground/index.html").exists():
            self.parts.append(("playground/index.html", "Playground"))

    def write(self, path: Path, title: str, body: str) -> None:
        up = "../" * (len(path.parts) - 1)
        here = lambda target: ' aria-current="page"' if str(path) == target else ""
        top = "".join(f'<a href="{up}{target}"{here(target)}>{name}</a>' for target, name in self.parts)
        wide = ' class="broad"' if 'class="cards"' in body else ""
        bar = ' class="top broad"' if wide else ' class="top"'
        text = f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{html.escape(title)}</title><link rel="stylesheet" href="{up}style.css"></head>
<body><a class="skip" href="#main">To the text</a>
<nav{bar} aria-label="Site">{top}</nav>
<main id="main"{wide}>
{body}
</main>
<footer>redblue, a toolkit for the red-blue pebble game. GPL-3.0-or-later. Every command on these pages is run by the tests of the program.</footer>
</body></html>
"""
        (self.out / path).parent.mkdir(parents=True, exist_ok=True)
        (self.out / path).write_text(text)

    def relink(self, body: str, source: Path, page: Path) -> str:
        """Links to texts become links to their pages; files that are linked come along; a folder is only named."""
        pages = {s.resolve(): page_of(s) for s in sources() + slide_texts()}

        def one(m):
            kind, target = m.group(1), m.group(2)
            if re.match(r"\w+:|#", target):
                return m.group(0)
            path, _, mark = target.partition("#")
            there = (source.parent / unquote(path)).resolve()
            if there in pages:
                to = pages[there]
            elif there.is_file():
                to = there.relative_to(TOP)
                (self.out / to).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(there, self.out / to)
            else:
                return "data-folder"
            return f'{kind}="{os.path.relpath(to, page.parent)}{"#" + mark if mark else ""}"'

        body = re.sub(r'\b(href|src)="([^"]*)"', one, body)
        return re.sub(r"<a data-folder>(.*?)</a>", r"\1", body, flags=re.S)

    def page(self, source: Path) -> None:
        page, text = page_of(source), source.read_text()
        body = self.relink(pandoc(text, is_mathematical(source)), source, page)
        title = re.sub(r"<[^>]*>", "", re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S).group(1))
        self.write(page, html.unescape(title), body + self.neighbours(source))

    def neighbours(self, source: Path) -> str:
        """Of a chapter: links to the one before it and the one after it."""
        chapters = sorted((TOP / "docs/course").glob("[0-9]*.md"))
        if source not in chapters:
            return ""
        k, links = chapters.index(source), ""
        for rel, j in (("prev", k - 1), ("next", k + 1)):
            if 0 <= j < len(chapters):
                title = pandoc(chapters[j].read_text().split("\n")[0], True).strip()
                title = re.sub(r"^<[^>]*>|</[^>]*>$", "", title)
                links += f'<a rel="{rel}" href="{chapters[j].stem}.html">{title}</a>'
        return f'<nav class="neighbours" aria-label="Chapters">{links}</nav>'

    def index(self) -> None:
        body = "<h1>Documentation</h1>"
        for group, names in GROUPS:
            cards = ""
            for name in names:
                text = (TOP / f"docs/{name}.md").read_text()
                first = next(p for p in re.split(r"\n\s*\n", text)[1:] if re.match(r"\w|`|\*", p))
                plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", first).replace("`", "").replace("*", "")
                sentence = re.split(r"(?<=[.])\s", " ".join(plain.split()))[0]
                sentence = sentence if len(sentence) < 200 else re.split(r"[:;]\s", sentence)[0] + "."
                cards += f'<li><a href="{name}.html">{html.escape(text.split(chr(10))[0].lstrip("# "))}</a><p>{html.escape(sentence)}</p></li>'
            body += f'<h2>{group}</h2><ul class="cards">{cards}</ul>'
        self.write(Path("docs/index.html"), "redblue: documentation", body + '<p><a href="../CHANGELOG.html">Changes</a>, <a href="../editors/index.html">editors</a>.</p>')

    def lessons(self) -> None:
        folder, cards = self.out / "lessons", ""
        folder.mkdir(parents=True, exist_ok=True)
        for line in (HERE / "lessons.txt").read_text().splitlines():
            if line.startswith("#"):
                continue
            name, title, args = (x.strip() for x in line.split("|"))
            subprocess.run([self.redblue, "lesson", *args.split(), "-o", folder / f"{name}.html"], check=True)
            cards += f'<li><a href="{name}.html">{html.escape(title)}</a><p><code>redblue lesson {html.escape(args)}</code></p></li>'
        maps = ""
        for name, title, args in MAPS:
            subprocess.run([self.redblue, "plot", *args, "--title", "", "-o", folder / name], check=True)
            maps += f'<figure><img src="{name}" alt="{html.escape(title)}: a heat map"><figcaption>{html.escape(title)}</figcaption></figure>'
        self.write(Path("lessons/index.html"), "redblue: lessons", "<h1>Lessons</h1><p>Each is one file that works without a network: watch a schedule, play yourself, see why it cannot be cheaper. "
                   f'Begin with the first; its guide explains the rules.</p><ul class="cards">{cards}</ul><h2>How far schedules are from the bounds</h2>{maps}')

    def chapter(self, source: Path, k: int, answers: str) -> str:
        body = pandoc(source.read_text(), True, f"--id-prefix=c{k}-")
        body = re.sub(r'href="#(?!c\d+-)', f'href="#c{k}-', body)
        body = self.relink(body, source, Path("book.html"))
        return f'<section class="chapter" id="chapter-{k}">{body}{answers}</section>'

    def book(self, printed: bool) -> Path:
        """One page: the chapters, the answers to each folded away behind it; for paper all answers at the end."""
        chapters = sorted((TOP / "docs/course").glob("[0-9]*.md"))
        folder = TOP / "docs/course/solutions"
        parts = re.split(r"^## \[(\d+)\..*$", (folder / "answers.md").read_text(), flags=re.M)
        answer = {int(parts[i]): self.relink(pandoc(parts[i + 1], True, f"--id-prefix=a{parts[i]}-"), folder / "answers.md", Path("book.html")) for i in range(1, len(parts), 2)}
        fold = lambda k: f"<details><summary>Answers to chapter {k}</summary>{answer[k]}</details>" if k in answer and not printed else ""
        with ThreadPoolExecutor(4) as pool:
            bodies = list(pool.map(lambda x: self.chapter(x[1], x[0], fold(x[0])), enumerate(chapters, 1)))
        heading = lambda body: re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S).group(1)
        contents = "".join(f'<li><a href="#chapter-{k}">{heading(b)}</a></li>' for k, b in enumerate(bodies, 1))
        last = "<section class='chapter' id='answers'><h1>Answers</h1>" + "".join(f"<h2>Chapter {k}</h2>{a}" for k, a in answer.items()) + "</section>" if printed else ""
        text = "".join(bodies).replace("<h1", "<h2").replace("</h1>", "</h2>")
        name = Path("book-print.html" if printed else "book.html")
        get = '' if printed or not (self.out / "book.pdf").exists() else '<p><a href="book.pdf">The same as PDF</a></p>'
        front = "<p>A course in fourteen chapters, from the rules of the game to the bounds for attention. Every command is run by the tests of the program; every solution is judged by its referee.</p>"
        self.write(name, "Red-blue pebbling, a course", f'<h1>Red-blue pebbling</h1>{front}{get}<nav class="contents" aria-label="Chapters"><ul style="list-style:none">{contents}</ul></nav>{text}{last}')
        return self.out / name

    def pdf(self) -> None:
        page = self.book(printed=True)
        print_to(page, self.out / "book.pdf")
        page.unlink()

    def slides(self) -> None:
        """Each text of course/slides as one file that holds all it needs: what follows a heading is a slide."""
        (self.out / "slides").mkdir(parents=True, exist_ok=True)
        for source in slide_texts():
            picture = lambda m: 'src="data:image/svg+xml;base64,' + base64.b64encode((source.parent / m.group(1)).read_bytes()).decode() + '"'
            parts = re.split(r"^(?=## )", source.read_text(), flags=re.M)
            bodies = [re.sub(r'src="([^"]*)"', picture, pandoc(part, True, f"--id-prefix=s{k}-")) for k, part in enumerate(parts, 1)]
            slides = "".join(f'<section class="slide" id="{k}" aria-label="Slide {k} of {len(bodies)}">{b}</section>' for k, b in enumerate(bodies, 1))
            page = self.out / page_of(source)
            page.write_text(f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{html.escape(parts[0].splitlines()[0].lstrip("# "))}</title>
<style>{(HERE / "style.css").read_text()}{(HERE / "slides.css").read_text()}</style></head>
<body><main>{slides}</main><script>{(HERE / "slides.js").read_text()}</script></body></html>
""")
            print_to(page, page.with_suffix(".pdf"))


def print_to(page: Path, pdf: Path) -> None:
    chromium = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    if not chromium:
        print(f"no {pdf.name}: that wants chromium", file=sys.stderr)
        return
    subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={pdf}", page.resolve().as_uri()], check=True, capture_output=True, timeout=300)


def broken_links(out: Path) -> list:
    """Every link inside the folder leads to a file, and to a mark that is there; nothing is fetched from elsewhere."""
    ids, found = {}, []
    marks = lambda p: ids.setdefault(p, set(re.findall(r'\bid="([^"]*)"', p.read_text())))
    for page in sorted(out.rglob("*.html")):
        text = page.read_text()
        made_by_program = 'id="data"' in text
        for kind, target in re.findall(r'<[^>]*?\b(href|src)="([^"]*)"', re.sub(r"(<script[^>]*>).*?</script>", r"\1", text, flags=re.S)):
            if target.startswith("data:"):
                continue
            if re.match(r"https?:|mailto:|//", target):
                if kind == "src" or re.search(r"<link[^>]*" + re.escape(target), text):
                    found.append(f"{page}: fetched from elsewhere: {target}")
                continue
            path, _, mark = target.partition("#")
            there = (page.parent / unquote(path)).resolve() if path else page
            if there.is_dir():
                there = there / "index.html"
            if not there.exists():
                found.append(f"{page}: no {target}")
            elif mark and not made_by_program and there.suffix == ".html" and 'id="data"' not in there.read_text() and mark not in marks(there):
                found.append(f"{page}: no mark {target}")
    return found


def main() -> int:
    redblue, out, words = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    if words == ["--check"]:
        bad = broken_links(out.resolve())
        print("\n".join(bad))
        return 1 if bad else 0
    out.mkdir(parents=True, exist_ok=True)
    out = out.resolve()
    site = Site(redblue, out)
    if words == ["--slides"]:
        site.slides()
        print(*sorted((out / "slides").iterdir()))
        return 0
    shutil.copy(HERE / "style.css", out / "style.css")
    if words[:1] == ["--pages"]:
        for name in words[1:]:
            site.page(TOP / name)
        return 0
    site.pdf()
    site.book(printed=False)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(site.page, sources()))
    if words != ["--book"]:
        site.slides()
        site.index()
        site.lessons()
        bad = broken_links(out)
        print("\n".join(bad) or f"{len(list(out.rglob('*.html')))} pages, all links lead somewhere: {out}/index.html")
        return 1 if bad else 0
    print(out / "book.html", *[p for p in [out / "book.pdf"] if p.exists()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
