"""Stored turns of duels, from which a match can be resumed if its worker dies.

Invariant: a turn is stored under the lease of the worker that played it, before it is published. If the database was
unavailable, the turn is stored with the next one. A match that makes progress cannot be the cause of its workers'
deaths, so its attempts are reset, and an earlier failure is cleared.
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
from arena.core.referee.replay import Replay, visible_turns
from arena.games.base import AnyGame, Audience, Json, Viewer
from arena.games.registry import GAMES
from arena.matches.models import Match
from arena.platform.jobs.lifecycle import Lease, leased_row
from arena.play.models import DuelTurn

logger = logging.getLogger(__name__)


class DuelTurnLog:
    """A ``TurnLog`` of one running match; ``newest``: the number of the last known turn."""

    def __init__(self) -> None:
        self.newest = 0
        self._known = 0  # turns stored by earlier workers
        self._resumed: list[int] = []
        self._waiting: list[TurnPlayed] = []

    def stored_turns(self, match_id: int) -> Sequence[tuple[SeatMove, ...]]:
        found = [tuple(map(SeatMove.from_json, moves)) for moves in moves_of(match_id)]
        self._known = len(found)
        rows = DuelTurn.objects.filter(duel_id=match_id, resumed=True).order_by("number")
        self._resumed = list(rows.values_list("number", flat=True)) + ([self._known + 1] if found else [])
        return found

    def resumption_turns(self) -> Sequence[int]:
        return tuple(self._resumed)

    def store_turn(self, lease: Lease, turn: TurnPlayed) -> None:
        self.newest = turn.number
        if turn.number <= self._known:
            return
        self._waiting.append(turn)
        try:
            with transaction.atomic():
                if not leased_row(lease).update(attempts=1, failure=None):
                    return
                DuelTurn.objects.bulk_create(
                    [
                        DuelTurn(
                            duel_id=lease.pk,
                            number=one.number,
                            moves=[move.to_json() for move in one.moves],
                            resumed=one.number in self._resumed,
                        )
                        for one in self._waiting
                    ],
                    ignore_conflicts=True,
                )
        except (OperationalError, InterfaceError) as error:
            logger.warning("duel %s: turn %s waits for the database: %s", lease.pk, turn.number, error)
            connections.close_all()  # a broken connection does not recover
        else:
            if len(self._waiting) > 1:
                logger.warning("duel %s: the turns up to %s are stored", lease.pk, turn.number)
            self._waiting.clear()


def moves_of(match_id: int) -> list[list[dict[str, Any]]]:
    """Return all moves by turn, including those hidden from some viewers, in the format of ``SeatMove.to_json``."""
    return list(DuelTurn.objects.filter(duel_id=match_id).order_by("number").values_list("moves", flat=True))


@dataclass(frozen=True, slots=True)
class DuelState:
    """An unfinished duel after the stored turns: its states, and what ``viewer`` sees (``view``).

    ``moves``: all moves since turn 1, including those hidden from the viewer; ``states``: the states before and after
    them.
    """

    rules: AnyGame
    viewer: Viewer
    moves: list[list[dict[str, Any]]]
    states: list[Any]
    to_move: frozenset[int]
    is_over: bool

    @property
    def next_turn(self) -> int:
        return len(self.states)

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def view(self) -> dict[str, Json]:
        """Return the viewer's current view."""
        return self.rules.view(self.state, self.viewer)


def duel_state(match: Match, viewer: Viewer = Audience.PUBLIC) -> DuelState:
    """Return the match's state after the stored turns, with what ``viewer`` sees."""
    replay, moves = _match_replay(match), moves_of(match.pk)
    states = [replay.state]
    for turn in _recorded_turns(moves):
        replay.play(turn)
        states.append(replay.state)
    to_move = frozenset(replay.to_move())
    return DuelState(replay.game, viewer, moves, states, to_move, replay.outcome() is not None)


def turns_seen_by(match: Match, viewer: Viewer) -> list[dict[str, Json]]:
    """Return turn 0 and the stored turns as ``viewer`` may see them during the match."""
    return list(visible_turns(_match_replay(match), _recorded_turns(moves_of(match.pk)), viewer))


def _match_replay(match: Match) -> Replay:
    return Replay(GAMES[match.game], match.settings, match.seed, match.seats.count())


def _recorded_turns(moves: list[list[dict[str, Any]]]) -> list[RecordedTurn]:
    turns = msgspec.convert(moves, list[list[RecordedMove]])
    return [RecordedTurn(number, played) for number, played in enumerate(turns, start=1)]
