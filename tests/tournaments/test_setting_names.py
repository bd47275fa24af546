"""Settings that were stored, archived or sent under their former names keep their values."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from typing import Any

import msgspec
import pytest
from django.apps import apps
from django.utils import timezone

from arena.accounts.models import Role
from arena.tournaments.exports.archive import contents, writer
from arena.tournaments.exports.archive.contents import ArchivedTournament
from arena.tournaments.models import Format, Series, Tournament
from tests.api.caller import Caller
from tests.factories import person
from tests.tournaments.harness import TournamentHarness

names: Any = import_module("arena.tournaments.migrations.0002_setting_names")

pytestmark = pytest.mark.django_db

_GAUNTLET = {"game": "reversi", "format": "gauntlet"}
_SCORE_ATTACK = {"game": "fib2584", "format": "score_attack"}


@pytest.mark.parametrize(
    ("format_", "former", "current"),
    [
        (Format.GAUNTLET, {"heroes": 2}, {"gauntlet_bots": 2}),
        (Format.SCORE_ATTACK, {"together": 3}, {"bots_per_match": 3}),
    ],
)
def test_migration_renames_stored_options(
    stage: TournamentHarness, format_: Format, former: dict[str, Any], current: dict[str, Any]
) -> None:
    game = "fib2584" if format_ == Format.SCORE_ATTACK else "reversi"
    cup = stage.create_tournament(format_, game=game, options=former)
    names.copy_options(apps, None)
    assert Tournament.objects.get(pk=cup.pk).options == former | current, "workers with the previous code find theirs"
    names.remove_copies(apps, None)
    assert Tournament.objects.get(pk=cup.pk).options == former


def test_migration_renames_settings_in_plans_of_series(stage: TournamentHarness) -> None:
    former = {"name": "Cup", "games": 4, "options": {"heroes": 2}}
    series = Series.objects.create(
        organizer=stage.organizer, plan=former, weekday=0, at="18:00", time_zone="UTC", next_at=timezone.now()
    )
    names.rename_in_plans(apps, None)
    series.refresh_from_db()
    assert series.plan == {"name": "Cup", "matches_per_encounter": 4, "options": {"gauntlet_bots": 2}}
    names.restore_in_plans(apps, None)
    series.refresh_from_db()
    assert series.plan == former


def test_archives_keep_the_former_names(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3, Format.GAUNTLET, options={"gauntlet_bots": 2}, matches_per_encounter=4)
    (data,) = [value for path, value in writer._files(cup) if path == contents.TOURNAMENT]
    archived = msgspec.json.decode(msgspec.json.encode(data))
    assert (archived["games"], archived["options"]) == (4, {"heroes": 2})
    read = msgspec.json.decode(msgspec.json.encode(archived), type=ArchivedTournament)
    assert (read.matches_per_encounter, contents.tournament_options(read.options)) == (4, {"gauntlet_bots": 2})


@pytest.mark.parametrize(
    ("plan", "options", "stored"),
    [
        (_GAUNTLET, {"games": 4, "heroes": 2}, (1, 4, {"gauntlet_bots": 2})),
        (_GAUNTLET, {"matches_per_encounter": 4, "gauntlet_bots": 2}, (1, 4, {"gauntlet_bots": 2})),
        (_SCORE_ATTACK, {"deals": 3, "together": 2}, (3, 1, {"bots_per_match": 2})),
        (_SCORE_ATTACK, {"random_seeds": 3, "bots_per_match": 2}, (3, 1, {"bots_per_match": 2})),
    ],
)
def test_api_accepts_former_and_current_names(plan: dict[str, str], options: dict[str, Any], stored: Any) -> None:
    deadline = (timezone.now() + timedelta(days=1)).isoformat()
    draft = {"name": "Cup", **plan, "format_options": options, "deadline": deadline}
    made = Caller(person(role=Role.ORGANIZER)).post("/tournaments", draft)
    assert made.status_code == 201, made.content
    row = Tournament.objects.get(pk=made.json()["id"])
    assert (row.repeats, row.matches_per_encounter, row.options) == stored
