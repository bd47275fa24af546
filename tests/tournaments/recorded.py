"""Play a test tournament's matches with random legal moves, and store their records."""

from __future__ import annotations

import random
from typing import Any

from arena.core.referee.faults import FaultKind
from arena.core.referee.record import VERSION, Record, RecordedMove, RecordedOutcome, RecordedSeat, RecordedTurn, dump
from arena.core.referee.replay import Replay
from arena.games.registry import GAMES
from arena.games.reversi.rules import square_names
from arena.matches.models import Match, MatchRecord, MatchStatus, Seat
from arena.tournaments.models import Tournament
from tests.tournaments.harness import TournamentHarness

SECONDS = 0.25


def play_all(stage: TournamentHarness, tournament: Tournament, rng: random.Random, *, crashes: float = 0.0) -> None:
    """Play every match; ``crashes`` is the probability that the first mover crashes."""
    while queued := stage.matches(tournament, MatchStatus.QUEUED, MatchStatus.RUNNING):
        for match in queued:
            play(stage, match, rng, crash=rng.random() < crashes)


def play(stage: TournamentHarness, match: Match, rng: random.Random, *, crash: bool = False) -> Record:
    seats = list(match.seats.select_related("submission__bot").order_by("index"))
    record = record_of(match, seats, rng, crash=crash)
    store_record(match, record)
    faults, outcome = faults_of(record), record.outcome
    stage.finish_match(match, outcome.ranks, outcome.margins, [faults.get(seat.index, "") for seat in seats])
    for seat in seats:  # the harness stored the margins as points
        Seat.objects.filter(pk=seat.pk).update(points=outcome.points[seat.index])
    return record


def faults_of(record: Record) -> dict[int, str]:
    """Return the faults by seat."""
    return {move.seat: str(move.fault) for turn in record.turns for move in turn.moves if move.fault}


def store_record(match: Match, record: Record) -> None:
    """Store a record, and fill the columns of the match and of its seats that are derived from it."""
    MatchRecord.objects.create(match=match, version=VERSION, data=dump(record))
    faults, outcome = faults_of(record), record.outcome
    Match.objects.filter(pk=match.pk).update(termination=outcome.termination, turns=len(record.turns))
    moves = [move for turn in record.turns for move in turn.moves]
    for index in range(len(record.seats)):
        mine = [move.seconds for move in moves if move.seat == index]
        Seat.objects.filter(match=match, index=index).update(
            seconds=sum(mine),
            moves=len(mine),
            slowest=max(mine, default=0.0),
            points=outcome.points[index],
            rank=outcome.ranks[index],
            margin=outcome.margins[index],
            fault=faults.get(index, ""),
            fault_turn=1 if index in faults else None,
        )


def record_of(match: Match, seats: list[Seat], rng: random.Random, *, crash: bool) -> Record:
    replay = Replay(GAMES[match.game], match.settings, match.seed, len(seats))
    turns: list[RecordedTurn] = []
    while replay.outcome() is None:
        to_move = sorted(replay.to_move())
        fallen = to_move[0] if crash and not turns else None
        turn = RecordedTurn(len(turns) + 1, [_move(replay, seat, rng, crashes=seat == fallen) for seat in to_move])
        replay.play(turn)
        turns.append(turn)
    outcome = replay.outcome()
    assert outcome is not None
    return Record(
        version=VERSION,
        game=match.game,
        settings=match.settings,
        seed=match.seed,
        limits={name: float(match.limits[name]) for name in ("move_seconds", "start_seconds", "illegal_answers")},
        seats=[
            RecordedSeat(str(seat.submission or "Guest"), seat.submission.sha256 if seat.submission else "")
            for seat in seats
        ],
        turns=turns,
        outcome=RecordedOutcome.from_outcome(outcome),
        secret=match.secret,
    )


def _move(replay: Replay, seat: int, rng: random.Random, *, crashes: bool) -> RecordedMove:
    if crashes:
        return RecordedMove(seat=seat, move=None, seconds=SECONDS, fault=FaultKind.CRASH)
    if replay.game.name == "reversi":
        answer: Any = rng.choice(square_names(replay.state.legal))
    elif replay.game.name == "dare":
        answer = rng.randrange(4)
    elif replay.game.name in {"fib2584", "suit_pairs"}:
        answer = rng.choice(replay.game.own(replay.state, seat)["legal"])
    else:
        answer = [rng.uniform(1, 99) for _ in range(replay.state.settings.numbers)]
    move = replay.game.encode(replay.game.parse(replay.state, seat, answer))
    return RecordedMove(seat=seat, move=move, seconds=SECONDS)
