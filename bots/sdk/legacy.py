"""Names that vanished from Python and numpy, or that the jail's bare interpreter lacks, and that bots still use.

They are put back with the meaning they had; the first use of a numpy alias leaves a note in the
bot's log that says what to write instead.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Removed in numpy 1.24; each was the Python type of the same name.
_NUMPY_ALIASES: dict[str, type] = {"float": float, "int": int, "object": object, "complex": complex, "str": str}


def restore_vanished_names(folder: str) -> None:
    """Put the old names back for a bot whose files lie in ``folder``."""
    if not hasattr(time, "clock"):
        time.clock = time.perf_counter  # type: ignore[attr-defined]
    for name in ("exit", "quit"):  # of the module site, which the jail does without
        if not hasattr(builtins, name):
            setattr(builtins, name, sys.exit)
    if "numpy" in sys.modules or _mentions_numpy(folder):
        _restore_numpy()


def _mentions_numpy(folder: str) -> bool:
    """Whether importing numpy now costs a bot nothing that it would not pay anyway."""
    return any(b"numpy" in path.read_bytes() for path in Path(folder).glob("*.py"))


def _restore_numpy() -> None:
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        return
    ask_numpy: Callable[[str], Any] = numpy.__dict__["__getattr__"]
    noted: set[str] = set()

    def look_up(name: str) -> Any:
        if name not in _NUMPY_ALIASES:
            return ask_numpy(name)
        if name not in noted:
            noted.add(name)
            print(f"[arena] np.{name} was removed from numpy in 2022: write {name} instead.", file=sys.stderr)
        return _NUMPY_ALIASES[name]

    numpy.__dict__["__getattr__"] = look_up
