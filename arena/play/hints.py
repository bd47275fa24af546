"""Hints: the move advised by the game itself, or the move that a strong house bot would play.

Invariants: the bot is asked in its jail, as in ``arena.core.referee.rehearsal``. There is one hint per turn, stored
under the worker's lease. Any free worker that runs bots computes it, because a person is waiting.
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
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from arena.celery import Queue, served_games
from arena.core.referee.clock import Clock
from arena.core.referee.failure_messages import NO_ADVISER
from arena.core.referee.faults import FaultKind, MatchStopped, RefereeFailure
from arena.core.referee.jailed_player import JailedPlayer, Spawner, jail_limits
from arena.core.referee.players import Player
from arena.core.referee.position import FORMAT, VERSION, PlayedMove, Position, PositionLimits
from arena.core.referee.rehearsal import rehearse
from arena.core.referee.spec import MatchLimits
from arena.core.sandbox.errors import SandboxError
from arena.core.sandbox.uploads.module_package import read_module
from arena.games.base import Json
from arena.games.bot_packages import bots_folder
from arena.games.registry import GAMES
from arena.matches.models import MatchStatus
from arena.platform.jobs.attempt import Endings
from arena.platform.jobs.dispatcher import wake_ups_per_game
from arena.platform.jobs.fair_share import SharedQueue
from arena.platform.jobs.job_kind import JobKind
from arena.platform.jobs.lifecycle import JobQueue, Lease, store_result
from arena.platform.jobs.stalled import StallDetector
from arena.platform.refusal import Refused
from arena.play.models import Duel, Hint, HintStatus
from arena.play.opponents import people_settings
from arena.play.turns import DuelState, duel_state
from arena.submissions.store import temporary_folder

logger = logging.getLogger(__name__)

JOBS: Final = JobQueue(Hint, HintStatus.WAITING, HintStatus.RUNNING)
SHARED_QUEUE: Final = SharedQueue(JOBS)
HINT_TASK: Final = "arena.play.tasks.hint"
_GAME: Final = "duel__match__game"
LIMITS: Final = MatchLimits(move_seconds=1.0, illegal_answers=1)
RETRY_AFTER: Final = timedelta(seconds=5)
_OBSOLETE: Final = timedelta(minutes=1)  # after the last request


def request_hint(match_id: int, *, now: datetime, turn: int = 0) -> int:
    """Request a hint for the person's open turn; return the turn. Raises Refused.

    Pages repeat the request; a repeated request wakes a worker only after ``RETRY_AFTER``. ``turn``: the turn that the
    page shows, 0 if unspecified.
    """
    duel = Duel.objects.select_related("match").get(pk=match_id)
    people = people_settings(duel.match.game)
    if people is None or not people.gives_hints:
        raise Refused(_("Hints are not available in this game."), code="no_hints")
    game = duel_state(duel.match)
    if turn > game.next_turn:
        raise Refused(
            _("The arena is still storing the last move. Try again in a moment."), code="being_stored", retry_after=1
        )
    if duel.match.status != MatchStatus.RUNNING or duel.seat not in game.to_move:
        raise Refused(_("You can get hints only on your turn. Wait for the others to move."), code="not_your_turn")
    with transaction.atomic():
        defaults = {"asked_at": now, "party": duel.match.party}
        if people.advice is not None:
            Hint.objects.get_or_create(duel=duel, turn=game.next_turn, defaults=defaults | {"status": HintStatus.DONE})
            return game.next_turn
        hint, made = Hint.objects.get_or_create(duel=duel, turn=game.next_turn, defaults=defaults)
        if made:
            transaction.on_commit(partial(HINTS.wake, [hint.pk]))
        else:
            _retry_hint(Hint.objects.filter(pk=hint.pk, answer__isnull=True, asked_at__lt=now - RETRY_AFTER), now)
    return game.next_turn


def _retry_hint(unanswered: QuerySet[Hint], now: datetime) -> None:
    """Retry a hint that ended without an answer, and wake another worker for one that is still waiting."""
    HINTS.retry(unanswered.filter(status=HintStatus.DONE), asked_at=now)
    waiting = unanswered.filter(status=HintStatus.WAITING)
    pks = list(waiting.values_list("pk", flat=True))
    if waiting.update(asked_at=now):
        transaction.on_commit(partial(HINTS.wake, pks))


def compute_next_hint(hint_id: int, *, worker: str, adviser: Callable[[str], Player], clock: Clock) -> bool:
    """Compute the next hint in the queue, using the bot that ``adviser`` creates for its game.

    The worker was woken for hint ``hint_id``. Return False if no hint is waiting, or if the claimed hint has failed or
    is no longer needed.
    """
    claim = HINTS.claims_in_turn(hint_id, SHARED_QUEUE, worker=worker, game=_GAME, games=served_games(Queue.HINTS))
    lease = claim()
    return lease is not None and HINTS.run_job(lease, partial(_compute_hint, lease, adviser, clock))


def _compute_hint(lease: Lease, adviser: Callable[[str], Player], clock: Clock, stop: Callable[[], bool]) -> bool:
    answer = _ask_bot(Hint.objects.select_related("duel__match").get(pk=lease.pk), adviser, clock, stop)
    return store_result(lease, status=HintStatus.DONE, answer=answer) and answer is not None


def sweep_hints(detector: StallDetector, *, now: datetime) -> None:
    """Requeue the hints that dead workers were computing, and drop those that no page asks for any more."""
    Hint.objects.filter(asked_at__lte=now - _OBSOLETE, status=HintStatus.WAITING).update(status=HintStatus.DONE)
    HINTS.sweep(detector, now=now)


HINTS: Final = JobKind(
    JOBS,
    wake_ups_per_game(JOBS, HINT_TASK, Queue.HINTS, _GAME),
    given_up=lambda now: {"status": HintStatus.DONE},
    endings=Endings(failures=(RefereeFailure, SandboxError), stopped=(MatchStopped,)),
)


def _ask_bot(hint: Hint, adviser: Callable[[str], Player], clock: Clock, stop: Callable[[], bool]) -> Json:
    """Return the bot's move; None if the turn is over or the bot produced no move."""
    position = _hint_position(hint)
    if position is None:
        return None
    found = rehearse(position, GAMES, adviser(position.game), clock, LIMITS, stop, earlier=False)
    if found.move is None:
        logger.error("hint %s: the house bot has none: %s", hint.pk, found.diagnosis)
    return found.move


def _hint_position(hint: Hint) -> Position | None:
    """Return the position that the hint is for; None if that turn has been played in the meantime."""
    match = hint.duel.match
    game = duel_state(match)
    if game.next_turn != hint.turn or game.is_over:
        return None
    rules = game.rules
    turns = [[_played_move(move) for move in turn] for turn in game.moves]
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


def _played_move(move: dict[str, Any]) -> PlayedMove:
    return PlayedMove(move["seat"], move["move"], FaultKind(move["fault"]) if move["fault"] else None)


@dataclass(frozen=True, slots=True)
class RequestedHint:
    """A requested hint; ``answer`` is None while it is being computed. ``context``: see ``site.Advice``."""

    answer: Json = None
    context: Mapping[str, Any] = field(default_factory=dict)


def hint_for(duel: Duel, game: DuelState) -> RequestedHint | None:
    """Return the hint for the person's open turn; None if they did not ask for one."""
    found = list(Hint.objects.filter(duel=duel, turn=game.next_turn).values_list("answer", flat=True))
    people = people_settings(duel.match.game)
    if not found or people is None:
        return None
    advice = people.advice(game.state, duel.seat) if people.advice else None
    return RequestedHint(found[0]) if advice is None else RequestedHint(advice.answer, advice.context)


class JailedAdvisers:
    """A factory for a game's adviser, which runs in the jail from its source and needs no upload.

    Its files exist as long as ``stack`` is open.
    """

    def __init__(self, server: Spawner, stack: ExitStack) -> None:
        self._server, self._stack = server, stack

    def __call__(self, game: str) -> Player:
        people = people_settings(game)
        if people is None or not people.adviser:
            raise RefereeFailure(NO_ADVISER(), game)
        house = bots_folder(game) / "house"
        folder = self._stack.enter_context(temporary_folder(read_module(house / f"{people.adviser}.py", house)))
        return JailedPlayer(self._server, folder, jail_limits(LIMITS))
