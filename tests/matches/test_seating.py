"""The bots of a match run on one core, which the match occupies until it ends."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from arena.core.referee.spec import MatchLimits
from arena.core.sandbox.supervision.cores import CorePool
from arena.matches.seating import JailedSeating


def seat_empty_match(pool: CorePool, stack: ExitStack) -> object:
    """Seat a match that has no bots; it still occupies a core."""
    job: Any = SimpleNamespace(match=SimpleNamespace(pk=4), spec=SimpleNamespace(limits=MatchLimits()), submissions=())
    server: Any = None
    return JailedSeating(server, pool)(job, stack)


def test_match_keeps_its_core_until_it_ends(tmp_path: Path) -> None:
    pool = CorePool(tmp_path, [0, 1])
    with ExitStack() as stack:
        seat_empty_match(pool, stack)
        with pool.take_core(4) as other:
            assert other == 1
    with pool.take_core(4) as freed:
        assert freed == 0
