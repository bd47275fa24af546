"""A recorded match as text: one line per action, with a heading per deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.core.referee.record import Record
from arena.core.referee.replay import Replay
from arena.games.suit_pairs.deal import DecisionStage
from arena.games.suit_pairs.match import Decision, State
from arena.games.suit_pairs.rules import ACTION_NAMES, GAME


def moves_text(record: Record, names: Sequence[str]) -> str:
    """Return lines such as "12<TAB>Ann<TAB>pair<TAB>5C KC", numbered as in the record, with a heading per deal."""
    return "".join(f"{line}\n" for line in _lines(Replay.from_record(record, {GAME.name: GAME}), record, names))


def _lines(match: Replay, record: Record, names: Sequence[str]) -> Iterator[str]:
    yield _deal_heading(match.state, names)
    for turn in record.turns:
        number = match.state.number
        match.play(turn)
        for decision in match.state.decisions:
            if decision.stage is not DecisionStage.INIT and not decision.waits:
                yield f"{turn.number}\t{names[decision.seat]}\t{_decision_text(decision)}"
        for move in turn.moves:
            if move.fault:
                yield f"{turn.number}\t{names[move.seat]}\tfault\t{move.fault.value}"
        if match.state.number != number:
            yield _points(match.state.over[-1], names)
            yield _deal_heading(match.state, names)
    yield _points(match.state.deal_points, names)


def _decision_text(decision: Decision) -> str:
    card = ACTION_NAMES[decision.action]
    if decision.passes:
        return f"pass\t{card}"
    kind = (
        "discard"
        if decision.stage in (DecisionStage.DISCARD_1, DecisionStage.DISCARD_2)
        else decision.stage.name.lower()
    )
    return f"{kind}\t{card}" if decision.first is None else f"{kind}\t{ACTION_NAMES[decision.first]} {card}"


def _deal_heading(state: State, names: Sequence[str]) -> str:
    return f"# deal {state.number} of {state.settings.deal_count}, {names[state.seat_of(0)]} begins"


def _points(points: Sequence[int], names: Sequence[str]) -> str:
    return "# points: " + ", ".join(f"{name} {mine}" for name, mine in zip(names, points, strict=True))
