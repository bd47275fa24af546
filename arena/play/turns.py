"""The turns of duels as they are kept, so that a game goes on after its worker died.

Invariant: a turn is kept under the lease of the worker that played it, before anybody is told of it; what a database
that is away could not take is kept with the next turn. A match that gets further does not kill its workers: its
attempts are counted anew.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import InterfaceError, OperationalError, connections, transaction

from arena.core.referee.events import SeatMove, TurnPlayed
from arena.core.referee.record import RecordedMove, RecordedTurn
from arena.core.referee.replay import Replay, seen_turns
from arena.games.base import AnyGame, Audience, Json, Viewer
from arena.games.registry import GAMES
from arena.matches.models import Match
from arena.platform.jobs.lifecycle import Lease, held
from arena.play.models import DuelTurn

logger = logging.getLogger(__name__)


class KeptTurns:
    """A ``TurnLog`` of one match that is being played; ``newest`` is the number of the last turn that it knows."""

    def __init__(self) -> None:
        self.newest = 0
        self._known = 0  # turns that a worker before has kept
        self._waiting: list[TurnPlayed] = []

    def played(self, match_id: int) -> Sequence[tuple[SeatMove, ...]]:
        found = [tuple(map(SeatMove.of_json, moves)) for moves in moves_of(match_id)]
        self._known = len(found)
        return found

    def keep(self, lease: Lease, turn: TurnPlayed) -> None:
        self.newest = turn.number
        if turn.number <= self._known:
            return
        self._waiting.append(turn)
        try:
            with transaction.atomic():
                if not held(lease).update(attempts=1):
                    return
                DuelTurn.objects.bulk_create(
                    [
                        DuelTurn(duel_id=lease.pk, number=one.number, moves=[move.to_json() for move in one.moves])
                        for one in self._waiting
                    ],
                    ignore_conflicts=True,
                )
        except (OperationalError, InterfaceError) as error:
            logger.warning("duel %s: turn %s waits for the database: %s", lease.pk, turn.number, error)
            connections.close_all()  # a connection that broke stays broken
        else:
            if len(self._waiting) > 1:
                logger.warning("duel %s: the turns up to %s are stored", lease.pk, turn.number)
            self._waiting.clear()


def moves_of(match_id: int) -> list[list[dict[str, Any]]]:
    """By turn, the whole moves, whoever may see them, as ``SeatMove.to_json`` gives them."""
    return list(DuelTurn.objects.filter(duel_id=match_id).order_by("number").values_list("moves", flat=True))


@dataclass(frozen=True, slots=True)
class SoFar:
    """An unfinished duel after the turns that are kept.

    ``turns`` with what one viewer may see, turn 0 first. For the rules alone: ``moves`` of turn 1 and the following,
    whoever may see them, and ``states`` before and after them.
    """

    rules: AnyGame
    turns: list[dict[str, Any]]
    moves: list[list[dict[str, Any]]]
    states: list[Any]
    to_move: frozenset[int]
    is_over: bool

    @property
    def next_turn(self) -> int:
        return len(self.turns)

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def view(self) -> dict[str, Json]:
        """What the viewer sees now."""
        view: dict[str, Json] = self.turns[-1]["view"]
        return view


def so_far(match: Match, viewer: Viewer = Audience.PUBLIC) -> SoFar:
    """The turns that are kept, as ``viewer`` may see them while the match runs."""
    rules = GAMES[match.game]
    replay = Replay(rules, match.settings, match.seed, match.seats.count())
    moves = moves_of(match.pk)
    recorded = msgspec.convert(moves, list[list[RecordedMove]])
    kept = (RecordedTurn(number, played) for number, played in enumerate(recorded, start=1))
    turns, states = [], []
    for turn in seen_turns(replay, kept, viewer):
        turns.append(turn)
        states.append(replay.state)
    return SoFar(rules, turns, moves, states, frozenset(replay.to_move()), replay.outcome() is not None)
