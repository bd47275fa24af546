"""Convert checks and faults to JSON for the authors of the bots, in the same words as on the pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from arena.games.localized_messages import FAULT_LABELS, translate_stored_message
from arena.submissions import private_report
from arena.submissions.elapsed import seconds_waited
from arena.submissions.fault_report import ReportedFault, output_during_request
from arena.submissions.queries import SubmissionCard
from arena.submissions.templatetags.checks import all_steps


def faults_json(faults: Iterable[ReportedFault], log: bytes) -> list[dict[str, Any]]:
    """Convert the faults to JSON values, in chronological order; ``log``: the log with their output."""
    return [_fault_json(one, log) for one in faults]


def _fault_json(fault: ReportedFault, log: bytes) -> dict[str, Any]:
    found = fault.diagnosis
    kind = str(found["kind"])
    return {
        **{name: found.get(name) for name in ("turn", "kind", "traceback", "file", "line", "source_line")},
        "attempt": found.get("attempt", 1),
        "answer": found.get("answer", ""),
        "label": str(FAULT_LABELS.get(kind, kind)),
        "message": translate_stored_message(found),
        "printed": output_during_request(found, log),
        "lost": fault.lost,
    }


def check_json(card: SubmissionCard) -> dict[str, Any]:
    """Return the check of a version as JSON values."""
    report = private_report.report_of(card.id)
    return {
        "version": card.id,
        "status": card.status,
        "finished": not card.is_unfinished,
        "waited": seconds_waited(card.asked_at, card.checked_at or timezone.now()),
        "steps": [{**step, "label": str(step["label"])} for step in all_steps(report.steps, card.game)],
        "faults": faults_json(report.faults, report.log),
        "output_deleted_at": report.output_deleted_at,
    }
