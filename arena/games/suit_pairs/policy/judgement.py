"""Judge a recorded match with the learned policy: the policy's choice at every decision, and the turning point.

Leads are expected values from the first seat's point of view: the points of earlier deals, the points of this deal so
far, and the policy's value for the rest of this deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.core.referee.record import Record
from arena.core.referee.replay import Replay
from arena.games.suit_pairs.match import State
from arena.games.suit_pairs.observation import mask, observation
from arena.games.suit_pairs.policy.network import Network
from arena.games.suit_pairs.rules import ACTION_NAMES, GAME
from arena.games.suit_pairs.stages import actions_in, legal_actions

_DIGITS: Final = 4  # more digits than pages show, but compact


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """The policy's view of one decision.

    ``turn``: the decision's number in the match; ``chances``: every legal action with its probability, best first.
    """

    turn: int
    deal: int
    seat: int
    stage: str
    played: str
    chances: tuple[tuple[str, float], ...]
    lead: float

    @property
    def best_action(self) -> str:
        return self.chances[0][0]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The decision that settled the match, and the winner's expected lead before and after it."""

    judged: JudgedDecision
    winner: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a whole match.

    ``final``: the final lead, or the expected lead if the match was not ``completed``.

    ``turning``: the decision after which the winner remained ahead; None if points did not decide the match, or if one
    seat always led.
    """

    decisions: tuple[JudgedDecision, ...]
    final: float
    turning: TurningPoint | None
    completed: bool


def costliest_decision(found: Judgement) -> TurningPoint | None:
    """Return the loser's decision after which the winner's expected lead grew the most; None if it never grew."""
    if not found.completed or not found.final:
        return None
    winner, sign = (0, 1) if found.final > 0 else (1, -1)
    leads = [sign * one.lead for one in found.decisions] + [sign * found.final]
    own = [number for number, one in enumerate(found.decisions) if one.seat != winner]
    at = max(own, key=lambda number: leads[number + 1] - leads[number], default=None)
    if at is None or leads[at + 1] <= leads[at]:
        return None
    return TurningPoint(found.decisions[at], winner, leads[at], leads[at + 1])


def judge(record: Record, network: Network) -> Judgement:
    """Judge every decision that was made without a fault; raises RecordError."""
    match = Replay.from_record(record, {GAME.name: GAME})
    states: list[State] = []
    played: list[tuple[int, str]] = []
    for turn in record.turns:
        states.append(match.state)
        match.play(turn)
        if not any(move.fault for move in turn.moves):
            played.append((turn.number, turn.moves[0].move))
    if match.state.to_move is not None:
        states.append(match.state)
    if not played:
        return Judgement((), 0.0, None, completed=False)
    observed = np.asarray([observation(state) for state in states], np.float32)
    shares, values = network.judge(observed, np.asarray([mask(state) for state in states]))
    decisions = tuple(
        _judge_decision(state, number, move, row, float(value))
        for state, (number, move), row, value in zip(states, played, shares, values, strict=False)
    )
    if len(states) > len(played):  # a fault or the time limit ended the match before this decision
        return Judgement(decisions, _lead(states[-1], float(values[-1])), None, completed=False)
    final = _lead(match.state, 0.0)
    return Judgement(decisions, final, _turning_point(decisions, final), completed=True)


def _judge_decision(state: State, turn: int, move: str, shares: Sequence[float], value: float) -> JudgedDecision:
    seat = state.to_move
    assert seat is not None  # noqa: S101 - somebody answered
    chances = sorted(
        ((ACTION_NAMES[one], round(float(shares[one]), _DIGITS)) for one in actions_in(legal_actions(state.deal))),
        key=lambda chance: -chance[1],
    )
    return JudgedDecision(
        turn, state.number, seat, state.deal.stage.name.lower(), move, tuple(chances), _lead(state, value)
    )


def _lead(state: State, value: float) -> float:
    """Return the first seat's expected lead. ``value``: the expected further gain of the seat to move."""
    first, second = state.points
    return round(first - second + (-value if state.to_move else value), _DIGITS)


def _turning_point(decisions: Sequence[JudgedDecision], final: float) -> TurningPoint | None:
    """Return the turning point: the last decision at which the eventual winner was not yet expected to win.

    Return None if there is no winner or no such decision.
    """
    if not final:
        return None
    winner, sign = (0, 1) if final > 0 else (1, -1)
    behind = [number for number, one in enumerate(decisions) if sign * one.lead <= 0]
    if not behind:
        return None
    at = behind[-1]
    after = decisions[at + 1].lead if at + 1 < len(decisions) else final
    return TurningPoint(decisions[at], winner, sign * decisions[at].lead, sign * after)
