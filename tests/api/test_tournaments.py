"""Clients can create, enter and leave tournaments through the API."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from arena.accounts.models import Role
from arena.tournaments.models import Tournament
from tests.api.caller import Caller
from tests.factories import bot, person
from tests.tournaments.harness import TournamentHarness

pytestmark = pytest.mark.django_db


def test_draft_creates_the_same_tournament_as_the_form() -> None:
    caller = Caller(person(role=Role.ORGANIZER))
    deadline = timezone.now().replace(second=0, microsecond=0) + timedelta(days=1)
    made = caller.post(
        "/tournaments",
        {
            "name": "Cup",
            "game": "reversi",
            "format": "swiss",
            "format_options": {"rounds": 5},
            "start": "deadline",
            "deadline": deadline.isoformat(),
            "move_seconds": 2.5,
            "withheld": True,
            "record_retention": "reduce",
            "record_days": 180,
        },
    )
    assert made.status_code == 201, made.content
    row = Tournament.objects.get(pk=made.json()["id"])
    assert made.headers["Location"] == f"/api/v1/tournaments/{row.pk}"
    assert (row.format, row.options, row.withheld) == ("swiss", {"rounds": 5}, True)
    assert (row.record_retention, row.record_days) == ("reduce", 180)
    assert (row.deadline, row.starts_at, row.limits["move_seconds"]) == (deadline, deadline, 2.5)
    assert row.matches_per_encounter == 2, "what is left out is as on the form"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"name": "\u202e"}, "name"),
        ({"format": "table"}, "format"),
        ({"format_options": {"colour": 1}}, "format_options.colour"),
        ({"settings": {"rounds": 3}}, "settings.rounds"),
        ({"start": "deadline"}, "deadline"),
        ({"move_seconds": 0}, "move_seconds"),
        ({"members_only": True}, "course"),
        ({"course": 1}, "course"),
        ({"house_bots": [99]}, "house_bots"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_invalid_draft_fields_are_refused(changes: dict[str, Any], field: str) -> None:
    caller = Caller(person(role=Role.ORGANIZER))
    answer = caller.post("/tournaments", {"name": "Cup", "game": "reversi", **changes})
    assert answer.status_code == 422
    assert field in {error["field"] for error in answer.json()["errors"]}
    assert not Tournament.objects.exists()


@pytest.mark.long
def test_bots_enter_and_leave(stage: TournamentHarness) -> None:
    cup, mine = stage.create_tournament(), bot(person())
    caller, path = Caller(mine.owner), f"/tournaments/{cup.pk}/entries"
    entered = caller.post(path, {"bot": mine.pk})
    assert (entered.status_code, entered.json()["status"]) == (201, "entered")
    assert caller.post(path, {"bot": mine.pk}).status_code == 409
    assert Caller(person()).post(path, {"bot": mine.pk}).status_code == 409, "not their bot"
    entry = entered.json()["id"]
    assert Caller(person()).post(f"{path}/{entry}/withdraw").status_code == 403
    assert Caller(person()).post(f"/tournaments/{cup.pk + 1}/entries/{entry}/withdraw").status_code == 404
    assert caller.post(f"{path}/{entry}/withdraw").json()["status"] == "withdrawn"
