"""Ladder fixtures: idle workers and bots."""

from __future__ import annotations

import random

from arena.ratings import ladder
from arena.ratings.spare_capacity import SpareCapacity
from arena.submissions.models import Submission
from tests import factories
from tests.platform.workers.workers import NOW

IDLE = SpareCapacity(
    is_waiting=False,
    is_short=False,
    is_claimed=False,
    free={"reversi": 2, "golden_point": 0},
    served=frozenset({"reversi", "golden_point"}),
)


def tick(spare: SpareCapacity = IDLE) -> int:
    return ladder.tick(spare, now=NOW, rng=random.Random(1))


def pool(count: int, game: str = "reversi") -> list[Submission]:
    found = [factories.bot(game=game).active for _ in range(count)]
    return [one for one in found if one is not None]
