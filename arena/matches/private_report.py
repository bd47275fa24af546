"""The private data of a seat, for its bot's author and staff: log, faults, positions.

Callers of ``report_of`` must check the reader's permission.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.urls import reverse

from arena.accounts.permissions import Action, Person, owner_filter
from arena.core.referee.diagnosis import log_text, output_between
from arena.core.referee.position import Position
from arena.core.referee.record import Record
from arena.matches.models import Seat
from arena.matches.queries import SeatRow, seat_row
from arena.matches.records import record_of
from arena.matches.seat_owners import FETCHED
from arena.submissions.fault_report import (
    VIEWS,
    FaultReport,
    ReportedFault,
    moment_in_filename,
    output_during_request,
    position_file,
    position_of,
    reported_faults,
)


@dataclass(frozen=True, slots=True)
class PrivateSeatReport:
    """The private report on one seat; ``faults`` are in chronological order.

    ``spans``: for each turn with output, the turn's number and the span of its output in the log.
    """

    line: SeatRow
    log: bytes
    faults: tuple[ReportedFault, ...]
    spans: tuple[tuple[int, int, int], ...] = ()

    @property
    def log_text(self) -> str:
        return log_text(self.log)

    def output_by_turn(self) -> list[tuple[int, str]]:
        """Return the bot's output by turn.

        Turn 0 is the bot's startup, and the output of a restart belongs to the turn after it.

        If the output of a turn exceeds ``PRINTED_BYTES``, only its last lines are returned.
        """
        found, end = [], self.spans[0][1] if self.spans else 0
        if end:
            found.append((0, output_between(self.log, 0, end)))
        for turn, _, last in self.spans:
            found.append((turn, output_between(self.log, end, last)))
            end = last
        return found

    def output_up_to(self, turn: int) -> tuple[int, str] | None:
        """Return the number and output of the last turn up to ``turn`` that has output; None if there is none."""
        return next((one for one in reversed(self.output_by_turn()) if one[0] <= turn), None)


def reportable_seats(match_id: int, reader: Person) -> list[SeatRow]:
    """Return the seats with a bot whose private report the reader may see."""
    may_see = owner_filter(reader, Action.SEE_LOG, "submission__bot__owner_id")
    rows = Seat.objects.filter(may_see, match_id=match_id).exclude(submission=None)
    return [seat_row(seat, seat.match.game) for seat in rows.select_related(*FETCHED, "match")]


def report_of(match_id: int, index: int) -> PrivateSeatReport | None:
    rows = Seat.objects.exclude(submission=None).select_related(*FETCHED, "match", "report")
    seat = rows.filter(match_id=match_id, index=index).first()
    if seat is None:
        return None
    line = seat_row(seat, seat.match.game)
    report = getattr(seat, "report", None)
    if report is None:
        return PrivateSeatReport(line, b"", ())
    spans = tuple((turn, begin, end) for turn, begin, end in report.printed)
    return PrivateSeatReport(line, bytes(report.log), reported_faults(report.refused, report.diagnosis), spans)


@dataclass
class SeatFaults:
    """One seat's faults and their explanations; the record is read once, and only if needed.

    ``turns``: the turns of the match's snapshot, starting with turn 0.
    """

    match_id: int
    seat: PrivateSeatReport
    turns: Sequence[Mapping[str, Any]]

    @cached_property
    def _record(self) -> Record | None:
        return record_of(self.match_id)

    def explain(self, fault: ReportedFault) -> FaultReport:
        turn, answer_number = fault.moment
        index, record = self.seat.line.index, self._record
        file = None
        if record:
            name = file_name(self.match_id, index, turn, answer_number)
            url = reverse("match-position", args=[self.match_id, index, turn, answer_number])
            moves = sum(len(one.moves) for one in record.turns[: max(0, turn - 1)])
            file = position_file(lambda: position_of(record, index, fault, self.seat.faults), moves, name, url)
        before = self.turns[max(0, turn - VIEWS) : max(1, turn)]
        return FaultReport(
            reported=fault,
            printed=output_during_request(fault.diagnosis, self.seat.log),
            game=record.game if record else "",
            seat=index,
            views=[one["view"] for one in before],
            position=file,
        )


def fault_position(match_id: int, seat: PrivateSeatReport, turn: int, answer_number: int) -> Position | None:
    """Return the position in which the seat's answer was a fault; None if it was not a fault or there is no record."""
    fault = next((one for one in seat.faults if one.moment == (turn, answer_number)), None)
    record = record_of(match_id) if fault else None
    return position_of(record, seat.line.index, fault, seat.faults) if record and fault else None


def file_name(match_id: int, index: int, turn: int, answer_number: int) -> str:
    """Return the file name for a position in which the seat numbered ``index`` committed a fault.

    Names for second and later answers in a turn include the answer's number.
    """
    return f"match-{match_id}-seat-{index}-{moment_in_filename(turn, answer_number)}.json"
