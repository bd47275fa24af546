"""Restore names that bots still use but that Python or numpy has removed, or that the jail's bare interpreter lacks.

Restored names keep their old meaning. The first use of each restored numpy name adds a note with its replacement to the
bot's log. Breakpoints left in a bot are skipped.
"""

from __future__ import annotations

import builtins
import collections
import collections.abc
import importlib
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from bots.sdk.shims import ipdb

# Removed in numpy 1.24; each was the Python type of the same name.
_NUMPY_TYPES: dict[str, type] = {"float": float, "int": int, "object": object, "complex": complex, "str": str}
# Removed in numpy 2.0 or later, with their current names.
_NUMPY_RENAMED = {
    "Inf": "inf",
    "Infinity": "inf",
    "infty": "inf",
    "PINF": "inf",
    "NaN": "nan",
    "NAN": "nan",
    "float_": "float64",
    "complex_": "complex128",
    "unicode_": "str_",
    "string_": "bytes_",
    "bool8": "bool_",
    "int0": "intp",
    "product": "prod",
    "cumproduct": "cumprod",
    "alltrue": "all",
    "sometrue": "any",
    "round_": "round",
    "row_stack": "vstack",
    "in1d": "isin",
    "trapz": "trapezoid",
    "mat": "asmatrix",
}


def restore_removed_names(folder: str) -> None:
    """Restore the removed Python and numpy names that the bot in ``folder`` may use."""
    _restore_python()
    sources = b"".join(path.read_bytes() for path in Path(folder).glob("*.py"))
    if b"breakpoint" in sources:
        sys.breakpointhook = ipdb.set_trace
    if b"pdb" in sources:
        importlib.import_module("pdb").__dict__["set_trace"] = ipdb.set_trace
    if b"fractions" in sources:
        importlib.import_module("fractions").__dict__.setdefault("gcd", math.gcd)
    # This way, bots without numpy do not pay for its import.
    if "numpy" in sys.modules or b"numpy" in sources:
        _restore_numpy()


def _restore_python() -> None:
    _add_if_missing(time, "clock", time.perf_counter)
    _add_if_missing(builtins, "raw_input", input)
    for name in ("exit", "quit"):  # from the module site, which the jail does not load
        _add_if_missing(builtins, name, sys.exit)
    for name in collections.abc.__all__:  # the aliases were removed in Python 3.10
        _add_if_missing(collections, name, getattr(collections.abc, name))


def _add_if_missing(module: ModuleType, name: str, value: Any) -> None:
    if not hasattr(module, name):
        setattr(module, name, value)


def _restore_numpy() -> None:
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        return
    ask_numpy: Callable[[str], Any] = numpy.__dict__["__getattr__"]
    noted: set[str] = set()

    def look_up(name: str) -> Any:
        if name in _NUMPY_TYPES:
            value, instead = _NUMPY_TYPES[name], name
        elif name in _NUMPY_RENAMED:
            value, instead = getattr(numpy, _NUMPY_RENAMED[name]), f"np.{_NUMPY_RENAMED[name]}"
        elif name == "NINF":
            value, instead = -numpy.inf, "-np.inf"
        else:
            return ask_numpy(name)
        if name not in noted:
            noted.add(name)
            print(f"[arena] np.{name} was removed from NumPy. Use {instead} instead.", file=sys.stderr)
        return value

    numpy.__dict__["__getattr__"] = look_up
