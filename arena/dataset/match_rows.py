"""Rows of the match, seat and move tables, read in batches by id."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from django.utils.module_loading import import_string

from arena.core.referee.record import Record, RecordedMove
from arena.dataset.parquet import Row
from arena.dataset.schema import MATCHES, MOVES, SEATS, Table
from arena.dataset.selection import Selection
from arena.games.base import Termination
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.games.transcript import MoveNote, Transcript
from arena.matches.models import Match, Seat
from arena.matches.records import recorded_figures, records
from arena.ratings import match_log
from arena.tournaments.models import Pairing

Transcribe: TypeAlias = Callable[[int, Record], Transcript]
CHANCE_SEAT: Final = -1
_MICRO: Final = 1_000_000


def json_text(value: object) -> str:
    """Serialize a value to JSON deterministically."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def to_microseconds(seconds: float) -> int:
    return round(seconds * _MICRO)


def match_rows(chosen: Selection) -> Iterator[Row]:
    game = chosen.partition.game
    for ids in chosen.portions():
        rated = set(match_log.counted_matches(game).filter(pk__in=ids).order_by().values_list("pk", flat=True))
        paired = _tournament_positions(ids)
        seats = _seat_counts(ids)
        for row in Match.objects.filter(pk__in=ids).order_by("pk"):
            tournament, number, encounter, leg = paired.get(row.pk, (None, None, None, None))
            yield (
                *(row.pk, game, row.purpose, row.pk in rated, tournament, number, encounter, leg, row.replaced_by_id),
                *(row.created_at, row.started_at, row.finished_at, row.termination, seats.get(row.pk, 0), row.turns),
                *(json_text(row.settings), json_text(row.limits), row.seed),
            )


def _tournament_positions(ids: list[int]) -> dict[int, tuple[int, int, int, int]]:
    """Return, for each tournament match, its tournament and the numbers of its round, encounter and leg."""
    rows = Pairing.objects.filter(match__in=ids).order_by()
    columns = ("match_id", "tournament_id", "round__number", "encounter", "leg")
    return {match: tuple(rest) for match, *rest in rows.values_list(*columns)}


def _seat_counts(ids: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for match in Seat.objects.filter(match__in=ids).order_by().values_list("match_id", flat=True):
        found[match] = found.get(match, 0) + 1
    return found


_SEAT: Final = (
    *("match_id", "index", "submission_id", "points", "rank", "margin", "fault", "fault_turn"),
    *("seconds", "slowest", "moves", "match__termination"),
)


def seat_rows(chosen: Selection, submissions: set[int]) -> Iterator[Row]:
    """Yield the rows of seats, and add the submissions of these seats to ``submissions``."""
    game = chosen.partition.game
    for ids in chosen.portions():
        achieved = recorded_figures(ids) if GAMES[game].figures else {}
        rows = Seat.objects.filter(match__in=ids).order_by("match_id", "index").values_list(*_SEAT)
        for match, seat, submission, points, rank, margin, fault, fault_turn, seconds, slowest, moves, ended in rows:
            if submission is not None:
                submissions.add(submission)
            if ended == Termination.TIME_LIMIT:  # nobody won, as on the site's pages
                points, rank, margin = None, None, None
            figures = {name: values[seat] for name, values in achieved.get(match, {}).items()}
            yield (
                *(match, game, seat, "person" if submission is None else "bot", submission, points, rank, margin),
                *(fault or None, fault_turn, to_microseconds(seconds), to_microseconds(slowest), moves),
                json_text(figures) if figures else None,
            )


def move_rows(chosen: Selection) -> Iterator[Row]:
    """Yield the rows of moves and chance events; a match without a record has none."""
    game = chosen.partition.game
    transcribe = transcriber(game)
    for ids in chosen.portions():
        for match, record in records(ids):
            yield from _move_rows(match, game, record, transcribe(match, record))


def _move_rows(match: int, game: str, record: Record, transcript: Transcript) -> Iterator[Row]:
    if 0 in transcript.chance:
        yield _chance_row(match, game, 0, transcript.chance[0])
    for turn in record.turns:
        if turn.number in transcript.chance:
            yield _chance_row(match, game, turn.number, transcript.chance[turn.number])
        for move in sorted(turn.moves, key=_seat_order):
            yield _move_row(match, game, turn.number, move, transcript.moves.get((turn.number, move.seat)))


def _seat_order(move: RecordedMove) -> int:
    return move.seat


def _move_row(match: int, game: str, turn: int, move: RecordedMove, note: MoveNote | None) -> Row:
    times = (to_microseconds(move.seconds), to_microseconds(move.cpu), to_microseconds(move.wall))
    fault = move.fault.value if move.fault else None
    if note is None:
        return (match, game, turn, move.seat, None, None, *times, move.refused, fault, *[None] * 7)
    return (
        *(match, game, turn, move.seat, note.notation, note.chance or None, *times, move.refused, fault),
        *(note.reward, note.value, note.regret, note.best or None, note.share, note.exact, note.source or None),
    )


def _chance_row(match: int, game: str, turn: int, what: str) -> Row:
    return (match, game, turn, CHANCE_SEAT, None, what, *[None] * (len(MOVES.columns) - 6))


@cache
def transcriber(game: str) -> Transcribe:
    """Return the function that transcribes a game's moves; by default, moves are kept as recorded."""
    name = SITES[game].transcribe
    found: Transcribe = import_string(name) if name else _transcribe_as_recorded
    return found


def _transcribe_as_recorded(match_id: int, record: Record) -> Transcript:
    return Transcript(
        {
            (turn.number, move.seat): MoveNote(json_text(move.move))
            for turn in record.turns
            for move in turn.moves
            if move.fault is None
        }
    )


def row_generators(submissions: set[int]) -> Mapping[Table, Callable[[Selection], Iterator[Row]]]:
    """Map each table that has one file per partition to its row generator.

    The generator for seats adds the submissions of the seats to ``submissions``.
    """

    def seats(chosen: Selection) -> Iterator[Any]:
        return seat_rows(chosen, submissions)

    return {MATCHES: match_rows, SEATS: seats, MOVES: move_rows}
