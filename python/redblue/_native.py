"""The C library by ctypes, the program by subprocess, and what both say when there is no answer."""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any, Optional, Union

Memory = Union[int, str]
_HERE = Path(__file__).resolve().parent
_BUILD = _HERE.parent.parent / "build" / "release"


class Error(Exception):
    """No answer: kind, message, and where there is a place, file, line and column."""

    def __init__(self, error: dict):
        self.kind: str = error.get("kind", "error")
        self.message: str = error.get("message", "")
        self.file: Optional[str] = error.get("file")
        self.line: Optional[int] = error.get("line")
        self.column: Optional[int] = error.get("column")
        place = ":".join(str(x) for x in (self.file, self.line, self.column) if x)
        super().__init__(f"{place}: {self.message}" if place else self.message)


class UsageError(Error):
    """Asked for what there is not: a parameter, a name, a verb."""


class InputError(Error):
    """A text that is not understood, or a file that cannot be read."""


class LimitError(Error):
    """A limit of time, memory or size was reached."""


class Contradiction(Error):
    """Two answers exclude each other: please report it."""


_ERRORS = {2: UsageError, 3: InputError, 4: LimitError, 5: Contradiction}


def memory(m: Memory) -> int:
    """64 * 1024 for "64K"; K, M and G count by 1024, as on the command line."""
    if isinstance(m, int):
        return m
    found = re.fullmatch(r"(\d+)([KMG]?)", m)
    if not found:
        raise UsageError({"kind": "usage", "message": f"{m!r} is no amount of memory: a number, with K, M or G behind it"})
    return int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2]]


def _load() -> ctypes.CDLL:
    given = os.environ.get("REDBLUE_LIBRARY")
    for name in [given] if given else [_HERE / "libredblue.so", _BUILD / "libredblue.so", ctypes.util.find_library("redblue"), "libredblue.so.0"]:
        if not name or (isinstance(name, Path) and not name.exists()):
            continue
        try:
            return ctypes.CDLL(str(name))
        except OSError as trouble:
            reason = trouble
            continue
    raise ImportError("libredblue.so is not found: 'make install' it, or set REDBLUE_LIBRARY to its path")


_library = _load()
_library.redblue_version.restype = ctypes.c_char_p
_library.redblue_free.argtypes = [ctypes.c_void_p]
_lock = threading.Lock()  # the library answers one call at a time


def version() -> str:
    return _library.redblue_version().decode()


def _answer(code: int, text: str) -> dict:
    try:
        answer = json.loads(text)
    except ValueError:
        raise Error({"kind": "internal", "message": text.strip() or f"ended with {code}"}) from None
    if "error" in answer and code >= 2:
        raise _ERRORS.get(code, Error)(answer["error"])
    return answer


def call(name: str, *given: str, m: Memory, game: str = "") -> dict:
    """redblue_bound, redblue_verify or redblue_count."""
    out = ctypes.c_void_p()
    with _lock:
        function = getattr(_library, "redblue_" + name)
        code = function(*(s.encode() for s in given), ctypes.c_uint64(memory(m)), game.encode(), ctypes.byref(out))
        text = ctypes.string_at(out).decode()
        _library.redblue_free(out)
    return _answer(code, text)


def program() -> str:
    """The program: REDBLUE, the one in the wheel, the one built beside this package, or the one on PATH."""
    for name in (os.environ.get("REDBLUE"), str(_HERE / "redblue-program"), str(_BUILD / "redblue"), shutil.which("redblue")):
        if name and Path(name).exists():
            return name
    raise ImportError("the program redblue is not found: put it on PATH, or set REDBLUE to its path")


def run(*words: Any, text: Optional[str] = None) -> dict:
    """A verb with --json."""
    done = subprocess.run([program(), *map(str, words), "--json"], input=text, capture_output=True, text=True)
    return _answer(done.returncode, done.stdout if done.stdout.strip() else done.stderr)
