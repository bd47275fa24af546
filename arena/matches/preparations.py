"""Run the games' computations for a match on its worker as soon as the match has ended, so that no visitor has to wait.

An app registers its computation in ``AppConfig.ready``. The match's result is already stored; failures here are logged
and do not affect it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from arena.core.referee.record import Record

logger = logging.getLogger(__name__)

Prepare = Callable[[int, Record], None]

_registered: dict[str, Prepare] = {}  # by game


def register(game: str, prepare: Prepare) -> None:
    """Register the function ``prepare`` for the matches of a game; it receives a match's id and its record."""
    if _registered.setdefault(game, prepare) is not prepare:
        raise RuntimeError(f"{game} already has a preparation")


def run_preparations(match_id: int, record: Record) -> None:
    """Run all computations registered for the record's game."""
    registered = _registered.get(record.game)
    if registered is None:
        return
    try:
        registered(match_id, record)
    except Exception:  # the match is stored, and a page that needs more will request it
        logger.exception("match %s: the data for its pages could not be prepared", match_id)
