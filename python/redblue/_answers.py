"""Computations, and the answers about them as objects."""

from __future__ import annotations

import html
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from ._native import Memory, call, memory, run


def _grouped(n: Optional[int]) -> str:
    return "" if n is None else f"{n:,}"


def _table_html(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cell = lambda x: f"<td style='text-align:{'right' if isinstance(x, (int, float)) else 'left'}'>" + html.escape(
        _grouped(x) if isinstance(x, int) else str(x)) + "</td>"
    return ("<table><thead><tr>" + "".join(f"<th>{html.escape(h)}</th>" for h in head) + "</tr></thead><tbody>"
            + "".join("<tr>" + "".join(map(cell, r)) + "</tr>" for r in rows) + "</tbody></table>")


def _table_latex(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    special = str.maketrans({c: "\\" + c for c in "&%$#_{}"})
    cell = lambda x: f"{x:,}".replace(",", "\\,") if isinstance(x, int) else str(x).translate(special)
    columns = "".join("r" if rows and isinstance(x, (int, float)) else "l" for x in (rows[0] if rows else head))
    lines = [" & ".join(cell(x) for x in r) + r" \\" for r in rows]
    return "\n".join([f"\\begin{{tabular}}{{{columns}}}", " & ".join(cell(h) for h in head) + r" \\ \hline", *lines, "\\end{tabular}"])


class Bound:
    """One lower bound: its theorem, value, trust, and the formula where it is that of the value."""

    def __init__(self, record: dict):
        self.name: str = record["name"]
        self.value: int = record["value"]
        self.trust: str = record["trust"]
        self.holds: bool = record.get("holds", True)
        self.leading: Optional[str] = record.get("leading")
        self.source: Optional[str] = record.get("source")

    def __int__(self) -> int:
        return self.value

    def __repr__(self) -> str:
        return f"<Bound Q >= {self.value} by {self.name}, {self.trust}>"


class Bounds(Sequence):
    """Every bound that applies, the greatest first; `best` is the greatest that is proved and holds in the game."""

    def __init__(self, computation: "Computation", m: int, answer: dict):
        self.computation, self.m, self.answer = computation, m, answer
        self._items = [Bound(b) for b in answer["bounds"]]
        best = answer.get("best")
        self.best: Optional[Bound] = next((b for b in self._items if best and b.name == best["name"] and b.value == best["value"]), None)

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, i):
        return next(b for b in self._items if b.name == i) if isinstance(i, str) else self._items[i]

    def _rows(self) -> List[list]:
        return [[b.name, b.value, b.trust, "yes" if b.holds else "no"] for b in self._items]

    def __repr__(self) -> str:
        return f"<Bounds of {self.computation.spec}, M = {self.m}: best {self.best!r}>"

    def _repr_html_(self) -> str:
        return _table_html(["bound", "value", "trust", "in this game"], self._rows())

    def _repr_latex_(self) -> str:
        return _table_latex(["bound", "value", "trust", "in this game"], self._rows())

    def proof(self, theorem: Optional[str] = None, latex: bool = False) -> str:
        """The argument in words, with these numbers."""
        return self.computation._text("bound", "-M", self.m, "--proof", *(["--theorem", theorem] if theorem else []), *(["--latex"] if latex else []))


class Verdict:
    """A pebbling judged: legal or not, its I/O, the best bound beside it."""

    def __init__(self, answer: dict):
        self.answer = answer
        self.legal: bool = answer["legal"]
        self.io: int = answer["io"]
        self.loads: int = answer["loads"]
        self.stores: int = answer["stores"]
        self.peak: int = answer["peak"]
        self.params: Dict[str, int] = answer.get("params") or {}
        self.error: Optional[dict] = answer.get("error")
        bound = answer.get("lower_bound")
        self.lower_bound: Optional[int] = bound["value"] if bound else None
        self.ratio: Optional[float] = answer.get("ratio")

    def __bool__(self) -> bool:
        return self.legal

    def __repr__(self) -> str:
        if not self.legal and self.error:
            return f"<Verdict illegal, line {self.error.get('line')}: rule {self.error.get('rule')!r} at {self.error.get('element')}>"
        return f"<Verdict legal, I/O {self.io}, ratio {self.ratio:.4g}>" if self.ratio else f"<Verdict legal, I/O {self.io}>"

    def _repr_html_(self) -> str:
        rows = [["legal", "yes" if self.legal else "no"], ["I/O", self.io], ["loads", self.loads], ["stores", self.stores], ["peak", self.peak],
                ["lower bound", self.lower_bound or 0], ["ratio", f"{self.ratio:.4f}" if self.ratio else ""]]
        return _table_html(["", ""], rows)


class Count:
    """The I/O without playing, and its formula."""

    def __init__(self, answer: dict):
        self.answer = answer
        self.io: int = answer["io"]
        self.loads: int = answer["loads"]
        self.stores: int = answer["stores"]
        self.peak: int = answer["peak"]
        self.params: Dict[str, int] = answer.get("params") or {}
        self.formula: Optional[str] = answer.get("formula")

    def __repr__(self) -> str:
        return f"<Count {self.io}{' = ' + self.formula if self.formula else ''}>"


class Tuning:
    """The best parameters of a schedule, or the schedule that was found."""

    def __init__(self, answer: dict):
        self.answer = answer
        self.io: Optional[int] = answer.get("io")
        self.peak: Optional[int] = answer.get("peak")
        self.params: Dict[str, int] = answer.get("params") or {}
        self.exact: Optional[bool] = answer.get("exact")
        self.text: Optional[str] = answer.get("text")

    def __repr__(self) -> str:
        return f"<Tuning I/O {self.io} with {self.params}>"


class Optimum:
    """The exact minimum of a small computation, or what is known of it."""

    def __init__(self, answer: dict):
        self.answer = answer
        self.io: Optional[int] = answer.get("io")
        self.proved: bool = answer.get("proved", False)

    def __repr__(self) -> str:
        return f"<Optimum {self.io}{'' if self.proved else ', not proved'}>"


class Schedule:
    """A schedule of the library by its name, or a text in the schedule language."""

    def __init__(self, text: str):
        self.text = text

    @classmethod
    def read(cls, path: Union[str, Path]) -> "Schedule":
        return cls(Path(path).read_text())

    def __repr__(self) -> str:
        return f"<Schedule {self.text.splitlines()[0] if self.text else ''}>"


def _schedule_text(schedule: Union[str, Schedule]) -> str:
    return schedule.text if isinstance(schedule, Schedule) else schedule


class Computation:
    """A family with its parameters, a file, or a text in the CDAG language (a string with a line end)."""

    def __init__(self, source: str, **params: int):
        self.source, self.params = source, params
        self._assign = ",".join(f"{k}={v}" for k, v in params.items())

    @property
    def is_text(self) -> bool:
        return "\n" in self.source

    @property
    def spec(self) -> str:
        name = "own text" if self.is_text else self.source
        return f"{name}:{self._assign}" if self._assign else name

    def __repr__(self) -> str:
        return f"<Computation {self.spec}>"

    def _given(self) -> str:
        if not self.is_text:
            return self.spec
        defaults = [line for line in self.source.split("\n")]
        for name, value in self.params.items():  # a value given is that of the param line
            defaults.insert(0, f"param {name} = {value}")
        declared = set(self.params)
        return "\n".join(_without(line, declared) if i >= len(self.params) else line for i, line in enumerate(defaults))

    def _on_file(self, verb: str, *words: Any) -> dict:
        if not self.is_text:
            return run(verb, self.spec, *words)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "own.cdag"
            path.write_text(self.source)
            return run(verb, f"{path}:{self._assign}" if self._assign else path, *words)

    def _text(self, verb: str, *words: Any) -> str:
        import subprocess

        from ._native import program

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "own.cdag"
            path.write_text(self.source)
            spec = self.spec if not self.is_text else f"{path}:{self._assign}" if self._assign else str(path)
            return subprocess.run([program(), verb, spec, *map(str, words)], capture_output=True, text=True).stdout

    def describe(self) -> dict:
        """Vertices, edges, inputs, outputs, arrays."""
        return self._on_file("cdag")

    def bound(self, m: Memory, game: str = "") -> Bounds:
        return Bounds(self, memory(m), call("bound", self._given(), m=m, game=game))

    def verify(self, schedule: Union[str, Schedule], m: Memory, game: str = "") -> Verdict:
        return Verdict(call("verify", self._given(), _schedule_text(schedule), m=m, game=game))

    def count(self, schedule: Union[str, Schedule], m: Memory, game: str = "") -> Count:
        return Count(call("count", self._given(), _schedule_text(schedule), m=m, game=game))

    def tune(self, m: Memory, schedule: Optional[str] = None, seconds: Optional[float] = None) -> Tuning:
        """The best parameters of a library schedule; without one, the schedule that is found."""
        limit = ["--limit-time", seconds] if seconds else []
        return Tuning(self._on_file("tune", *([schedule] if schedule else []), "-M", memory(m), *limit))

    def optimal(self, m: Memory, seconds: float = 10) -> Optimum:
        return Optimum(self._on_file("optimal", "-M", memory(m), "--limit-time", seconds))

    def lesson(self, schedule: str, m: Memory) -> "Lesson":
        return Lesson(self, schedule, memory(m))


def _without(line: str, names: set) -> str:
    """A param line without the names that were given values."""
    body = line.split("#")[0]
    if not body.strip().startswith("param "):
        return line
    kept = []
    for group in body.strip()[len("param "):].split(","):
        head, _, value = group.partition("=")
        left = [w for w in head.split() if w not in names]
        if left:
            kept.append(" ".join(left) + (f" ={value}" if value else ""))
    return "param " + ", ".join(kept) if kept else ""


class Lesson:
    """The page of `redblue lesson`, shown in a notebook."""

    def __init__(self, computation: Computation, schedule: str, m: int):
        self._page = computation._text("lesson", schedule, "-M", m, "-o", "-")

    @property
    def html(self) -> str:
        return self._page

    def save(self, path: Union[str, Path]) -> None:
        Path(path).write_text(self._page)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self._page, quote=True)}" style="width:100%;height:640px;border:0"></iframe>'


class Table(Sequence):
    """Rows of a sweep, each a dict; numbers are ints and floats, what is missing is None."""

    def __init__(self, rows: List[dict]):
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]

    def __iter__(self) -> Iterator[dict]:
        return iter(self.rows)

    def _grid(self):
        head = list(self.rows[0]) if self.rows else []
        return head, [["" if r.get(h) is None else r.get(h) for h in head] for r in self.rows]

    def frame(self):
        """A pandas.DataFrame, its numbers as numbers."""
        import pandas

        return pandas.DataFrame(self.rows).convert_dtypes()

    def __repr__(self) -> str:
        return f"<Table of {len(self.rows)} rows: {', '.join(self._grid()[0])}>"

    def _repr_html_(self) -> str:
        return _table_html(*self._grid())

    def _repr_latex_(self) -> str:
        return _table_latex(*self._grid())


def table(spec: str, sweep: Union[str, Dict[str, Sequence]], columns: Union[str, Sequence[str]]) -> Table:
    """A sweep: table("attention", {"d": [64, 128], "n": ["8K"], "M": ["64K"]}, ["bound", "tuned(attenio)"])."""
    if not isinstance(sweep, str):
        sweep = " ".join(f"{k}={','.join(map(str, v))}" for k, v in sweep.items())
    if not isinstance(columns, str):
        columns = ",".join(columns)
    number = lambda x: x if isinstance(x, (int, float)) or x is None else _as_number(x)
    rows = run("table", "--spec", spec, "--sweep", sweep, "--columns", columns, "-q")["rows"]
    return Table([{k: number(v) for k, v in r.items()} for r in rows])


class Plot:
    """A picture in SVG, shown in a notebook."""

    def __init__(self, words: Sequence[Any]):
        self._words = [str(w) for w in words]
        self.svg = self._drawn("--format", "svg").decode()

    def _drawn(self, *more: str) -> bytes:
        import subprocess

        from ._native import _answer, program

        done = subprocess.run([program(), "plot", *self._words, "-q", *more], capture_output=True)
        if done.returncode:
            _answer(done.returncode, subprocess.run([program(), "plot", *self._words, "-q", "--json"], capture_output=True, text=True).stdout)
        return done.stdout

    def save(self, path: Union[str, Path]) -> None:
        """By the ending of the name: .svg, .pdf, .png or .tex (pgfplots)."""
        self._drawn("-o", str(path))

    def _repr_svg_(self) -> str:
        return self.svg


def plot(spec: str, sweep: str = "", columns: Union[str, Sequence[str]] = "", kind: str = "memory", title: Optional[str] = None, m: Optional[Memory] = None) -> Plot:
    """plot("attention:n=4096,d=64", "M=1K..1M*4", ["tuned(attenio)", "bound"]); kind: memory, length, gap or bar."""
    columns = columns if isinstance(columns, str) else ",".join(columns)
    given = [("--sweep", sweep), ("--columns", columns), ("--title", title), ("-M", None if m is None else memory(m))]
    return Plot([spec, "--kind", kind, *(w for option, value in given if value not in ("", None) for w in (option, value))])


def _as_number(word: str):
    if word in ("", "-", "overflow", "none"):
        return None
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word
