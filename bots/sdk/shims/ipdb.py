"""Shim for debugger calls left in a bot: there is no keyboard, so it logs the location and continues."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_noted: set[tuple[str, int]] = set()


def set_trace(*_args: Any, **_options: Any) -> None:
    """Log once per location that the breakpoint was skipped."""
    frame = sys._getframe(1)
    place = (frame.f_code.co_filename, frame.f_lineno)
    if place not in _noted:
        _noted.add(place)
        print(f"[arena] The breakpoint on line {place[1]} was skipped. Remove it.", file=sys.stderr)


sset_trace = set_trace


def post_mortem(*_args: Any, **_options: Any) -> None:
    """Do nothing: there is nothing to inspect."""


pm = post_mortem


@contextmanager
def launch_ipdb_on_exception() -> Iterator[None]:
    """Let exceptions propagate."""
    yield


iex = launch_ipdb_on_exception()
