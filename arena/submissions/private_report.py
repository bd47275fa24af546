"""A check's private data, for the bot's owner and staff: the log, the faults and the trial match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.core.referee.diagnosis import log_text
from arena.core.referee.events import outcome_json
from arena.core.referee.position import Position, PositionError
from arena.core.referee.record import Record, load
from arena.core.referee.replay import replay
from arena.games.registry import GAMES
from arena.submissions.elapsed import shown_steps
from arena.submissions.fault_report import (
    FaultReport,
    ReportedFault,
    moment_in_filename,
    output_during_request,
    position_file,
    position_of,
    reported_faults,
    views_before,
)
from arena.submissions.models import Submission, SubmissionStatus
from arena.submissions.queries import SubmissionCard


@dataclass(frozen=True, slots=True)
class PrivateReport:
    """A check's private data.

    ``has_match``: whether a record of the completed trial match exists; ``faults``: the bot's faults;
    ``output_deleted_at``: when retention deleted the log and the match.
    """

    submission_id: int
    steps: list[dict[str, Any]]
    log: bytes
    record: Record | None
    fault_position: Position | None
    faults: tuple[ReportedFault, ...]
    output_deleted_at: datetime | None = None

    @property
    def has_match(self) -> bool:
        return self.record is not None

    @property
    def log_text(self) -> str:
        return log_text(self.log)

    def explain(self, fault: ReportedFault) -> FaultReport:
        turn, answer_number = fault.moment
        position, file = self.position(turn, answer_number), None
        if position:
            url = reverse("submission-position", args=[self.submission_id, turn, answer_number])
            moves = sum(map(len, position.turns))
            file = position_file(
                lambda: position, moves, position_filename(self.submission_id, turn, answer_number), url
            )
        return FaultReport(
            reported=fault,
            printed=output_during_request(fault.diagnosis, self.log),
            game=position.game if position else "",
            seat=0,
            views=views_before(position) if position else [],
            position=file,
        )

    def position(self, turn: int, answer_number: int) -> Position | None:
        """Return the position in which a fault occurred; None if it is unknown or the rules have changed since."""
        fault = next((one for one in self.faults if one.moment == (turn, answer_number)), None)
        if fault is None or fault.lost:
            return self.fault_position if fault else None
        return position_of(self.record, 0, fault, self.faults) if self.record else None


def report_of(submission_id: int) -> PrivateReport:
    columns = ("status", "steps", "log", "record", "position", "output_deleted_at")
    row = Submission.objects.only(*columns).get(pk=submission_id)
    fault = next((step["diagnosis"] for step in row.steps if step.get("diagnosis")), None)
    refused = [one for step in row.steps for one in step.get("refused", ())]
    return PrivateReport(
        submission_id=row.pk,
        steps=shown_steps(row.steps, timezone.now(), waiting=row.status == SubmissionStatus.WAITING),
        log=bytes(row.log),
        record=load(bytes(row.record)) if row.record else None,
        fault_position=_parse_position(row.position),
        faults=reported_faults(refused, fault),
        output_deleted_at=row.output_deleted_at,
    )


def _parse_position(raw: Mapping[str, Any] | None) -> Position | None:
    try:
        return Position.from_json(raw, GAMES) if raw else None
    except PositionError:
        return None


def position_filename(submission_id: int, turn: int, answer_number: int) -> str:
    """Return the file name of a position; names for second and later answers in a turn include the answer's number."""
    return f"check-{submission_id}-{moment_in_filename(turn, answer_number)}.json"


def check_match(card: SubmissionCard) -> dict[str, Any] | None:
    """Return a check's trial match in the form used by match pages, or None if there is no record of it."""
    data = Submission.objects.values_list("record", flat=True).get(pk=card.id)
    if not data:
        return None
    record = load(bytes(data))
    outcome = record.outcome
    faults = {move.seat: move.fault for turn in record.turns for move in turn.moves if move.fault}
    colors = GAMES[record.game].colors
    seats = [
        {
            "index": index,
            "name": card.bot_name if index == 0 else str(_("House bot")),
            "owner": card.owner if index == 0 else "",
            "bot_url": reverse("bot", args=[card.bot_id]),
            "version": card.number if index == 0 else 1,
            "points": outcome.points[index],
            "rank": outcome.ranks[index],
            "fault": faults.get(index),
            "color": colors[index] if colors else None,
        }
        for index in range(len(record.seats))
    ]
    return {
        "seq": 0,
        "match": {"id": 0, "game": record.game, "status": "finished", "settings": record.settings, "url": ""},
        "seats": seats,
        "turns": replay(record, GAMES),
        "outcome": outcome_json(outcome.points, outcome.ranks, outcome.termination),
    }
