"""Hints: the move advised by the game itself, or the move that a strong house bot would play.

Invariant: the bot is asked in its jail, as in ``arena.core.referee.rehearsal``. Losing a hint, or computing it twice,
is harmless, so its lease has no heartbeat: if a page asks again after ``PATIENCE``, the hint is recomputed. There is
one hint per turn. Any free worker that runs bots computes it, because a person is waiting.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from arena.celery import Queue, games_taken, queue_of
from arena.core.referee.clock import Clock
from arena.core.referee.faults import FaultKind, MatchStopped, RefereeFailure
from arena.core.referee.jailed_player import JailedPlayer, Spawner, jail_limits
from arena.core.referee.players import Player
from arena.core.referee.position import FORMAT, VERSION, PlayedMove, Position, PositionLimits
from arena.core.referee.rehearsal import rehearse
from arena.core.referee.spec import MatchLimits
from arena.core.sandbox.uploads.module_package import read_module
from arena.games.base import Json
from arena.games.bot_packages import bots_folder
from arena.games.registry import GAMES
from arena.matches.models import MatchStatus
from arena.platform.jobs.dispatcher import wake_worker
from arena.platform.jobs.fair_share import SharedQueue, claim_next
from arena.platform.jobs.lifecycle import JobQueue, held
from arena.platform.refusal import Refused
from arena.play.models import Duel, Hint, HintStatus
from arena.play.opponents import people_of
from arena.play.turns import DuelState, duel_state
from arena.submissions.store import scratch

logger = logging.getLogger(__name__)

JOBS: Final = JobQueue(Hint, HintStatus.WAITING, HintStatus.RUNNING)
HINT_TASK: Final = "arena.play.tasks.hint"
LIMITS: Final = MatchLimits(move_seconds=1.0, illegal_answers=1)
PATIENCE: Final = timedelta(seconds=5)
_FORGOTTEN: Final = timedelta(minutes=1)


def ask(match_id: int, *, now: datetime, turn: int = 0) -> int:
    """Request a hint for the person's open turn; return the turn. Raises Refused.

    Pages repeat the request; a repeated request wakes a worker only after ``PATIENCE``. ``turn``: the turn that the
    page shows, 0 if unspecified.
    """
    duel = Duel.objects.select_related("match").get(pk=match_id)
    people = people_of(duel.match.game)
    if people is None or not people.gives_hints:
        raise Refused(_("There are no hints in this game."), code="no_hints")
    game = duel_state(duel.match)
    if turn > game.next_turn:
        raise Refused(
            _("The arena is still storing the last turn. Try again in a moment."), code="being_stored", retry_after=1
        )
    if duel.match.status != MatchStatus.RUNNING or duel.seat not in game.to_move:
        raise Refused(_("You can get hints only on your turn. Wait for the others to move."), code="not_your_turn")
    with transaction.atomic():
        defaults = {"asked_at": now, "party": duel.match.party}
        if people.advice is not None:
            Hint.objects.get_or_create(duel=duel, turn=game.next_turn, defaults=defaults | {"status": HintStatus.DONE})
            return game.next_turn
        hint, made = Hint.objects.get_or_create(duel=duel, turn=game.next_turn, defaults=defaults)
        forgotten = Hint.objects.filter(pk=hint.pk, answer__isnull=True, asked_at__lt=now - PATIENCE)
        if made or forgotten.update(asked_at=now, status=HintStatus.WAITING, attempts=0):
            queue = queue_of(Queue.HINTS, duel.match.game)
            transaction.on_commit(partial(wake_worker, HINT_TASK, hint.pk, queue=queue))
    return game.next_turn


def compute(*, worker: str, now: datetime, adviser: Callable[[str], Player], clock: Clock) -> bool:
    """Compute the next hint in the queue with the bot that ``adviser`` creates for a game.

    Return False if no hint is waiting, or if this one is no longer needed or failed.
    """
    taken = Q(duel__match__game__in=games_taken(Queue.HINTS))
    lease = claim_next(_shared_queue(now), worker=worker, now=now, among=taken)
    if lease is None:
        return False
    hint = Hint.objects.select_related("duel__match").get(pk=lease.pk)
    answer = _advice(hint, adviser, clock)
    held(lease).update(status=HintStatus.DONE)
    return answer is not None and bool(Hint.objects.filter(pk=lease.pk, answer__isnull=True).update(answer=answer))


def _shared_queue(now: datetime) -> SharedQueue:
    """Return the queue of hints that may still be needed; a hint whose worker died stops counting after a while."""
    return SharedQueue(JOBS, Q(asked_at__gt=now - _FORGOTTEN))


def _advice(hint: Hint, adviser: Callable[[str], Player], clock: Clock) -> Json:
    """Return the bot's move; None if the turn is over or the bot produced no move."""
    position = _position(hint)
    if position is None:
        return None
    try:
        found = rehearse(position, GAMES, adviser(position.game), clock, LIMITS, lambda: False, earlier=False)
    except (RefereeFailure, MatchStopped):
        logger.exception("hint %s: the arena failed", hint.pk)
        return None
    if found.move is None:
        logger.error("hint %s: the house bot has none: %s", hint.pk, found.diagnosis)
    return found.move


def _position(hint: Hint) -> Position | None:
    """Return the turn that the hint is for; None if it was played in the meantime."""
    match = hint.duel.match
    game = duel_state(match)
    if game.next_turn != hint.turn or game.is_over:
        return None
    rules = game.rules
    turns = [[_played(move) for move in turn] for turn in game.moves]
    return Position(
        format=FORMAT,
        version=VERSION,
        game=match.game,
        settings=rules.settings_json(rules.settings(match.settings)),
        seed=match.seed,
        limits=PositionLimits(LIMITS.move_seconds, LIMITS.start_seconds, LIMITS.illegal_answers),
        seats=[""] * match.seats.count(),
        seat=hint.duel.seat,
        turns=turns,
    )


def _played(move: dict[str, Any]) -> PlayedMove:
    return PlayedMove(move["seat"], move["move"], FaultKind(move["fault"]) if move["fault"] else None)


@dataclass(frozen=True, slots=True)
class RequestedHint:
    """A requested hint; ``answer`` is None while it is being computed. ``context``: see ``site.Advice``."""

    answer: Json = None
    context: Mapping[str, Any] = field(default_factory=dict)


def hint_for(duel: Duel, game: DuelState) -> RequestedHint | None:
    """Return the hint for the person's open turn; None if they did not ask for one."""
    found = list(Hint.objects.filter(duel=duel, turn=game.next_turn).values_list("answer", flat=True))
    people = people_of(duel.match.game)
    if not found or people is None:
        return None
    advice = people.advice(game.state, duel.seat) if people.advice else None
    return RequestedHint(found[0]) if advice is None else RequestedHint(advice.answer, advice.context)


class JailedAdvisers:
    """Creates a game's adviser, which runs in the jail from its source and needs no upload.

    Its files exist as long as ``stack`` is open.
    """

    def __init__(self, server: Spawner, stack: ExitStack) -> None:
        self._server, self._stack = server, stack

    def __call__(self, game: str) -> Player:
        people = people_of(game)
        if people is None or not people.adviser:
            raise RefereeFailure(f"No house bot gives hints in {game}.")
        house = bots_folder(game) / "house"
        folder = self._stack.enter_context(scratch(read_module(house / f"{people.adviser}.py", house)))
        return JailedPlayer(self._server, folder, jail_limits(LIMITS))
