"""Transcripts of moves suffice to replay a match without the arena, and their values are consistent."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from arena.core.referee.record import Record
from arena.dataset.match_rows import transcriber
from arena.games.fib2584.board import CELLS, DIRECTIONS, TILES, slide, unpack
from arena.games.fib2584.reports import seat_reports
from arena.games.registry import GAMES
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.recorded_line import match_line
from arena.games.suit_pairs.cards import NAMES
from arena.games.transcript import Transcript
from arena.matches.models import Match
from tests.dataset.public_content import LIMITS, SHORT
from tests.tournaments.recorded import record_of


def record_and_transcript(game: str, seats: int, *, crash: bool = False, **settings: Any) -> tuple[Record, Transcript]:
    chosen = GAMES[game].settings_json(GAMES[game].settings({**SHORT[game], **settings}))
    match: Any = SimpleNamespace(game=game, settings=chosen, limits=LIMITS, seed=77, secret="")
    held: list[Any] = [SimpleNamespace(submission=None) for _ in range(seats)]
    record = record_of(match, held, random.Random(5), crash=crash)
    return record, transcriber(game)(0, record)


def test_boards_can_be_rebuilt_from_directions_and_drops() -> None:
    record, found = record_and_transcript("fib2584", 2, games=2)
    boards: dict[int, list[int]] = {}
    for turn in [0, *(turn.number for turn in record.turns)]:
        for seat in range(2):
            note = found.moves.get((turn, seat))
            if note is not None:
                packed = sum(TILES.index(tile) << 4 * cell for cell, tile in enumerate(boards[seat]))
                slid, reward = slide(packed, DIRECTIONS.index(note.notation))
                assert reward == note.reward
                boards[seat] = [TILES[index] for index in unpack(slid)]
                tile, cell = map(int, note.chance.split("@"))
                assert boards[seat][cell] == 0
                boards[seat][cell] = tile
        if turn in found.chance:
            start = [int(tile) for tile in found.chance[turn].removeprefix("board ").split()]
            assert len(start) == CELLS
            boards = {0: list(start), 1: list(start)}
    assert len(found.chance) == 2
    for report in seat_reports(record):
        regrets = [note.regret or 0 for (_, seat), note in found.moves.items() if seat == report.seat]
        assert sum(regrets) / 2 == pytest.approx(report.regret - report.unplayed)
        assert min(regrets) >= 0


def test_round_gains_add_up_to_the_points() -> None:
    record, found = record_and_transcript("golden_point", 4, rounds=6)
    for seat, points in enumerate(record.outcome.points):
        notes = [note for (_, own), note in found.moves.items() if own == seat]
        assert sum(note.reward or 0 for note in notes) == points
        assert all((note.regret or 0) >= 0 and 0 < float(note.best) < 100 for note in notes)


def test_deal_lists_the_place_of_every_card() -> None:
    record, found = record_and_transcript("suit_pairs", 2)
    assert len(found.chance) == 2  # a deal and its mirror image
    for text in found.chance.values():
        parts = [part.split() for part in text.removeprefix("deal ").split(" | ")]
        assert [len(part) for part in parts] == [10, 10, 10, 22]
        assert sorted(card for part in parts for card in part) == sorted(NAMES)
    first, second = (text.removeprefix("deal ").split(" | ") for text in found.chance.values())
    assert first == [second[1], second[0], *second[2:]]
    assert len(found.moves) == sum(len(turn.moves) for turn in record.turns)
    for note in found.moves.values():
        assert note.source
        assert note.share is not None
        assert 0 <= note.share <= 1
        assert note.best


@pytest.mark.parametrize(("game", "seats"), [("reversi", 2), ("golden_point", 3), ("fib2584", 2), ("suit_pairs", 2)])
@pytest.mark.django_db
def test_fault_is_not_listed_as_a_move(game: str, seats: int) -> None:
    record, found = record_and_transcript(game, seats, crash=True)
    faults = {(turn.number, move.seat) for turn in record.turns for move in turn.moves if move.fault}
    assert len(faults) == 1
    assert not faults & set(found.moves)


@pytest.mark.django_db
def test_engine_findings_are_attached_to_their_move() -> None:
    record, plain = record_and_transcript("reversi", 2)
    assert {note.source for note in plain.moves.values()} == {""}
    match = Match.objects.create(game="reversi", seed=1, purpose="ladder", status="finished")
    line = match_line(record)
    first = line.line.moves[line.prescribed]
    best = next(square for square in ("D3", "C4", "E3") if square != first)
    finding = {
        "ply": line.prescribed,
        "value": 300,
        "exact": True,
        "depth": 9,
        "best": best,
        "line": [best],
        "played": -100,
    }
    Analysis.objects.create(
        match=match,
        board=line.line.board,
        side=line.line.side,
        digest="0",
        engine="engine 1",
        status=AnalysisStatus.DONE,
        requested_at=timezone.now(),
        positions=1,
        findings=[finding],
    )
    note = transcriber("reversi")(match.pk, record).moves[1, 0]
    assert (note.notation, note.best, note.value, note.regret) == (first, best, 3.0, 4.0)
    assert (note.exact, note.source) == (True, "engine 1")
    assert {one.source for (turn, _), one in transcriber("reversi")(match.pk, record).moves.items() if turn > 1} == {""}
