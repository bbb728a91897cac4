#!/usr/bin/env python3
"""page.py WASM REDBLUE OUT [--site] -- the playground as one HTML file that asks for nothing else: the program, the families and schedules of the library, the page."""

import base64
import gzip
import json
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PAGE = TOP / "playground/page"
NAV = [("index.html", "redblue"), ("docs/index.html", "Documentation"), ("docs/course/index.html", "Course"), ("lessons/index.html", "Lessons"), ("book.html", "Book")]


def examples() -> list:
    rows = [[x.strip() for x in line.split("|")] for line in (TOP / "playground/examples.txt").read_text().splitlines() if not line.startswith("#")]
    return [dict(zip(("title", "spec", "schedule", "memory", "greatest"), row)) for row in rows]


def library() -> dict:
    by_family = {}
    for path in sorted((TOP / "schedules/library").glob("*.sched")):
        family, name = path.stem.rsplit(".", 1)
        by_family.setdefault(family, {})[name] = path.read_text()
    return by_family


def generated(redblue: str) -> dict:
    """Families that the program makes vertex by vertex: what stands where others have their rules."""
    listed = json.loads(subprocess.run([redblue, "families", "--json"], capture_output=True, text=True, check=True).stdout)["families"]
    return {f["name"]: f"# {f['summary']}\n# parameters: {f['parameters']}\n# source: {f['source']}\n\n# The program makes this graph vertex by vertex, as one array v:\n# there are no rules to edit, only the parameters above.\n"
            for f in listed if not (TOP / f"cdag/families/{f['name']}.cdag").exists()}


def main() -> None:
    wasm, redblue, out = Path(sys.argv[1]).read_bytes(), sys.argv[2], Path(sys.argv[3])
    packed = gzip.compress(wasm, 9, mtime=0)
    data = {
        "families": {p.stem: p.read_text() for p in sorted((TOP / "cdag/families").glob("*.cdag"))},
        "generated": generated(redblue),
        "schedules": library(),
        "examples": examples(),
        "grammars": {k: json.loads((TOP / f"editors/vscode/syntaxes/{k}.tmLanguage.json").read_text()) for k in ("cdag", "sched")},
    }
    nav = "".join(f'<a href="../{target}">{name}</a>' for target, name in NAV) + '<a href="index.html" aria-current="page">Playground</a>'
    loader = (PAGE / "program.mjs").read_text().replace("export ", "")
    parts = {
        "STYLE": (PAGE / "style.css").read_text(),
        "NAV": f'<nav aria-label="Site">{nav}</nav>' if "--site" in sys.argv else "",
        "VERSION": subprocess.run([redblue, "--version"], capture_output=True, text=True, check=True).stdout.split()[1],
        "DATA": json.dumps(data).replace("<", "\\u003c"),
        "WORKER": loader + (PAGE / "worker.js").read_text(),
        "PROGRAM": base64.b64encode(packed).decode(),
        "SCRIPT": (PAGE / "highlight.js").read_text() + (PAGE / "page.js").read_text(),
    }
    page = (PAGE / "page.html").read_text()
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text)
    (out / "index.html").write_text(page)
    print(f"{out}/index.html: {len(page) / 1e6:.1f} MB, of which the program {len(packed) / 1e6:.1f} (unpacked {len(wasm) / 1e6:.1f})")


if __name__ == "__main__":
    main()
