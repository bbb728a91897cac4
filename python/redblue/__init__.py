"""redblue: lower bounds, schedules and verdicts for the red-blue pebble game.

>>> import redblue
>>> attention = redblue.Computation("attention", n=8192, d=64)
>>> best = attention.bound("64K").best
>>> verdict = attention.verify("attenio", "64K")
>>> verdict.io, verdict.ratio

Every number is an exact int.  A "no" (an illegal schedule) is an answer; what cannot be answered raises an Error with the place it speaks of.
"""

from ._answers import Bound, Bounds, Computation, Count, Optimum, Plot, Schedule, Table, Tuning, Verdict, plot, table
from ._native import Contradiction, Error, InputError, LimitError, UsageError, memory, version

__all__ = [
    "Bound", "Bounds", "Computation", "Contradiction", "Count", "Error", "InputError", "LimitError", "Optimum", "Plot", "Schedule", "Table", "Tuning",
    "UsageError", "Verdict", "memory", "plot", "table", "version",
]
__version__ = version()
