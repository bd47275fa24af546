"""The JSON that receivers get; docs/webhooks.md describes it field by field.

Fields may be added within a version; any other change increments VERSION.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.urls import reverse

from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.tournaments.models import Entry, Tournament

VERSION: Final = 1
Data = Mapping[str, Any]


def envelope(type_: str, data: Data, *, now: datetime) -> str:
    """Return the JSON body of a message of this type with this data."""
    body = {"type": type_, "version": VERSION, "timestamp": now.isoformat(timespec="seconds"), "data": data}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def check_finished(submission: Submission) -> Data:
    return {
        **_version_json(submission),
        "passed": submission.status == SubmissionStatus.PASSED,
        "url": _page_url("submission", submission.pk),
    }


def version_activated(submission: Submission) -> Data:
    return _version_json(submission)


def result(entry: Entry, ranked: int) -> Data:
    """Return an entry's result; ``ranked``: the number of ranked entries in the tournament."""
    return {
        "bot": _bot_json(entry.bot),
        "tournament": _tournament_json(entry.tournament),
        "rank": entry.rank,
        "entries": ranked,
        "points": entry.points,
    }


def tournament(row: Tournament) -> Data:
    return {"tournament": _tournament_json(row), "withheld": row.withheld}


def test_event(webhook_id: int) -> Data:
    return {"webhook": {"id": webhook_id}}


def _version_json(submission: Submission) -> dict[str, Any]:
    return {"bot": _bot_json(submission.bot), "submission": {"id": submission.pk, "version": submission.number}}


def _bot_json(bot: Bot) -> dict[str, Any]:
    return {"id": bot.pk, "name": bot.name, "game": bot.game, "url": _page_url("bot", bot.pk)}


def _tournament_json(row: Tournament) -> dict[str, Any]:
    return {
        "id": row.pk,
        "name": row.name,
        "game": row.game,
        "status": row.status,
        "url": _page_url("tournament", row.pk),
    }


def _page_url(view: str, key: int) -> str:
    return f"{settings.SITE_URL}{reverse(view, args=[key])}"
