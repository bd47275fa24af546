"""Hints: the move that a strong house bot would play in the person's place.

Invariant: a hint is asked of the bot in its jail, by the rules of a rehearsal; losing one, or computing one twice,
costs nothing. There is one a turn. Whichever worker for bots is free first computes it: a person waits.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from arena.celery import Queue, queue_of
from arena.duels.models import Duel, Hint
from arena.duels.turns import so_far
from arena.games import GAMES
from arena.leases.wake import wake_worker
from arena.matches.models import MatchStatus
from arena.referee.clock import Clock
from arena.referee.faults import MatchStopped, RefereeFailure
from arena.referee.players import Player
from arena.referee.position import FORMAT, PlayedMove, Position, PositionLimits
from arena.referee.rehearsal import rehearse
from arena.referee.spec import MatchLimits

logger = logging.getLogger(__name__)

HINT_TASK: Final = "arena.duels.tasks.hint"
# The bot of each game that is asked, and what it may use.
ADVISERS: Final = {"reversi": "alpha_beta"}
LIMITS: Final = MatchLimits(move_seconds=1.0, illegal_answers=1)
PATIENCE: Final = timedelta(seconds=5)


class HintRefused(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """Why there is no hint now, in the reader's language."""


def ask(match_id: int, *, now: datetime) -> int:
    """Have a hint computed for the turn that waits for the person; its turn. Raises HintRefused.

    Asked again and again, as pages do, it wakes a worker again only after ``PATIENCE``.
    """
    duel = Duel.objects.select_related("match").get(pk=match_id)
    game = so_far(duel.match)
    if duel.match.status != MatchStatus.RUNNING or duel.seat not in game.to_move:
        raise HintRefused(_("A hint is for your own turn. Wait for the bot's move."))
    with transaction.atomic():
        hint, made = Hint.objects.get_or_create(duel=duel, turn=game.next_turn, defaults={"asked_at": now})
        forgotten = Hint.objects.filter(pk=hint.pk, move="", asked_at__lt=now - PATIENCE)
        if made or forgotten.update(asked_at=now):
            queue = queue_of(Queue.HINTS, duel.match.game)
            transaction.on_commit(partial(wake_worker, HINT_TASK, hint.pk, queue=queue))
    return game.next_turn


def compute(hint_id: int, *, adviser: Callable[[str], Player], clock: Clock) -> bool:
    """Ask the bot, which ``adviser`` makes for a game; False where nobody waits for it any more, or it failed."""
    hint = Hint.objects.select_related("duel__match").filter(pk=hint_id, move="").first()
    if hint is None:
        return False
    position = _position(hint)
    if position is None:
        return False
    try:
        found = rehearse(position, adviser(position.game), clock, LIMITS, lambda: False, earlier=False)
    except (RefereeFailure, MatchStopped):
        logger.exception("hint %s: the arena failed", hint_id)
        return False
    if not isinstance(found.move, str):
        logger.error("hint %s: the house bot has none: %s", hint_id, found.diagnosis)
        return False
    return bool(Hint.objects.filter(pk=hint_id, move="").update(move=found.move))


def _position(hint: Hint) -> Position | None:
    """The turn that the hint is for; None where it was played meanwhile."""
    match = hint.duel.match
    game = so_far(match)
    if game.next_turn != hint.turn or game.is_over:
        return None
    rules = GAMES[match.game]
    turns = [[PlayedMove(move["seat"], move["move"]) for move in turn["moves"]] for turn in game.turns[1:]]
    return Position(
        format=FORMAT,
        version=1,
        game=match.game,
        settings=rules.settings_json(rules.settings(match.settings)),
        seed=match.seed,
        limits=PositionLimits(LIMITS.move_seconds, LIMITS.start_seconds, LIMITS.illegal_answers),
        seats=[""] * len(rules.colors),
        seat=hint.duel.seat,
        turns=turns,
    )


def hint_for(match_id: int, turn: int) -> str | None:
    """The move; "" while it is being computed, None where nobody asked."""
    return Hint.objects.filter(duel_id=match_id, turn=turn).values_list("move", flat=True).first()
