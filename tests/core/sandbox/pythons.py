"""Find what an ordinary user of this machine can run and read; root's interpreter may be inaccessible to that user."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ORDINARY_USER = 65_533
_QUESTION = (
    "import os, sys; sys.exit(sys.version_info[:2] != {version} or not os.access({path!r} or os.__file__, os.R_OK))"
)


def unprivileged_user_arguments() -> dict[str, Any]:
    """Return the subprocess arguments that run a program as an ordinary user."""
    return {"user": ORDINARY_USER, "group": ORDINARY_USER, "extra_groups": []} if os.geteuid() == 0 else {}


def _answers(python: str, path: str = "") -> bool:
    question = _QUESTION.format(version=tuple(sys.version_info[:2]), path=path)
    try:
        done = subprocess.run([python, "-I", "-c", question], cwd="/", check=False, **unprivileged_user_arguments())
    except OSError:
        return False
    return done.returncode == 0


@cache
def python_for_everybody() -> Path | None:
    """Return a Python interpreter that every user can run; None if this machine has no such interpreter.

    It has the running Python's version, so it can load libraries built for the running interpreter.
    """
    name = "python{}.{}".format(*sys.version_info[:2])
    candidates = (sys.executable, *(f"/usr/{place}bin/{name}" for place in ("", "local/")))
    return next((Path(python) for python in candidates if _answers(python)), None)


def readable_by_everybody(path: Path) -> bool:
    python = python_for_everybody()
    return python is not None and _answers(str(python), str(path))
