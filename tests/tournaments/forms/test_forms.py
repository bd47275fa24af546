"""The tournament form rejects plans that cannot work and explains why."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.forms import BoundField
from django.template import Context, Template

from arena.games.sites import SITES
from arena.tournaments.forms.format import FormatForm, initial_format_values
from arena.tournaments.forms.organizer import RerunForm
from arena.tournaments.forms.schedule import mode_of
from arena.tournaments.forms.tournament import TournamentForm
from arena.tournaments.services.creation import check_schedule
from tests.tournaments.form_data import NOW, form, local_input


def code_of(filled: TournamentForm, field: str) -> str | None:
    """Return the code of the first error on a field of the form or of its format section."""
    return {**filled.errors.as_data(), **filled.format.errors.as_data()}[field][0].code


def test_valid_plan_is_accepted() -> None:
    filled = form("golden_point", format="table", repeats="5", invited="ada, bob\nada")
    assert filled.is_valid(), filled.errors
    plan = filled.plan()
    assert plan.settings == {"numbers": 2, "rounds": 100}
    assert plan.starts_at == plan.deadline
    assert plan.limits == {"move_seconds": 60.0, "start_seconds": 10.0, "illegal_answers": 3, "pace_seconds": 0.0}
    assert filled.cleaned_data["invited"] == ["ada", "bob"]


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"name": "Cup\u202e"}, "name", "characters"),
        ({"deadline": local_input(NOW - timedelta(hours=1))}, "deadline", "has_passed"),
        ({"deadline": ""}, "deadline", "deadline_missing"),
        ({"deadline": "tomorrow"}, "deadline", "invalid"),
        ({"deadline": local_input(NOW + timedelta(days=500))}, "deadline", "too_late"),
        (
            {"start": "time", "starts_at": local_input(NOW + timedelta(hours=1))},
            "starts_at",
            "start_before_deadline",
        ),
        ({"start": "time"}, "starts_at", "start_missing"),
        ({"start": "now", "house_bots": ["1"]}, "start", "too_few_bots"),
        ({"format": "table"}, "format", "invalid_choice"),
        ({"repeats": "0"}, "repeats", "min_value"),
        ({"move_seconds": "0.01"}, "move_seconds", "min_value"),
        ({"move_seconds": "601"}, "move_seconds", "max_value"),
        ({"move_seconds": "nan"}, "move_seconds", "invalid"),
        ({"pace_seconds": "6"}, "pace_seconds", "max_value"),
        ({"name": " "}, "name", "required"),
        ({"name": "x" * 10_000}, "name", "max_length"),
        ({"house_bots": ["7"]}, "house_bots", "invalid_choice"),
    ],
)
def test_invalid_plan_is_explained(changes: dict[str, Any], field: str, code: str) -> None:
    filled = form(**changes)
    assert not filled.is_valid()
    assert code_of(filled, field) == code


@pytest.mark.parametrize(
    ("game", "changes", "reported"),
    [
        ("reversi", {"move_seconds": "480"}, {"longest": 25, "most": 24, "seconds": 477.9}),
        (
            "golden_point",
            {"game-rounds": "2000", "move_seconds": "30", "format": "table"},
            {"setting": SITES["golden_point"].settings["rounds"].label},
        ),
    ],
)
def test_match_cannot_exceed_time_limit_of_its_task(
    game: str, changes: dict[str, Any], reported: dict[str, Any]
) -> None:
    filled = form(game, **changes)
    assert not filled.is_valid()
    (error,) = filled.errors.as_data()["move_seconds"]
    assert error.code == "match_too_long"
    assert error.params
    assert error.params.items() >= reported.items()
    assert ("setting" in error.params) is ("setting" in reported)
    shown, allowed = filled.errors["move_seconds"][0], str(error.params["seconds"])
    assert allowed in shown
    assert str(reported.get("setting", "")) in shown
    assert form(game, **{**changes, "move_seconds": allowed}).is_valid(), "what it suggests works"


def test_game_settings_are_validated() -> None:
    filled = form("golden_point", **{"game-rounds": "5000"})
    assert not filled.is_valid()
    assert "2000" in filled.game_settings.errors["rounds"][0]


def test_immediate_start_needs_no_deadline() -> None:
    filled = form(start="now", deadline="", house_bots=["1", "2"])
    assert filled.is_valid(), filled.errors
    assert (filled.plan().deadline, filled.plan().starts_at) == (NOW, NOW)


SOON, LATER = local_input(NOW + timedelta(hours=2)), local_input(NOW + timedelta(hours=3))


def moment(value: object) -> str | None:
    """Return a stable parameter id for a time, because times differ between test processes; None for other values."""
    return {SOON: "soon", LATER: "later"}.get(value) if isinstance(value, str) else None


@pytest.mark.parametrize(
    ("start", "deadline", "starts_at", "refused"),
    [
        ("hand", "", "", {}),
        ("hand", SOON, "", {}),
        ("hand", "", LATER, {"starts_at": "no_start_time"}),
        ("hand", SOON, LATER, {"starts_at": "no_start_time"}),
        ("deadline", SOON, "", {}),
        ("deadline", "", "", {"deadline": "deadline_missing"}),
        ("deadline", SOON, LATER, {"starts_at": "no_start_time"}),
        ("time", SOON, LATER, {}),
        ("time", SOON, SOON, {}),
        ("time", LATER, SOON, {"starts_at": "start_before_deadline"}),
        ("time", SOON, "", {"starts_at": "start_missing"}),
        ("time", "", LATER, {"deadline": "deadline_missing"}),
        ("time", "", "", {"deadline": "deadline_missing", "starts_at": "start_missing"}),
    ],
    ids=moment,
)
def test_each_start_option_requires_its_times(
    start: str, deadline: str, starts_at: str, refused: dict[str, str]
) -> None:
    filled = form(start=start, deadline=deadline, starts_at=starts_at)
    assert filled.is_valid() is (not refused)
    assert set(filled.errors) == set(refused)
    assert {field: code_of(filled, field) for field in refused} == refused
    if not refused:
        plan = filled.plan()
        assert (plan.deadline is None) == (deadline == "")
        assert (plan.starts_at is None) == (start == "hand")
        check_schedule(plan)


def test_conditionally_required_fields_are_not_marked_optional() -> None:
    template = Template("{% load ui %}{% form_field field %}")

    def is_labelled_optional(field: BoundField) -> bool:
        return "optional" in template.render(Context({"field": field}))

    assert not is_labelled_optional(form()["deadline"])
    assert not is_labelled_optional(form()["starts_at"])
    assert not is_labelled_optional(RerunForm()["reason"]), "it is needed for finished matches"
    assert is_labelled_optional(form()["description"])


@pytest.mark.parametrize(("start", "shown"), [("hand", None), ("deadline", None), ("time", LATER)], ids=moment)
def test_edit_form_shows_original_times(start: str, shown: str | None) -> None:
    filled = form(start=start, deadline="" if start == "hand" else SOON, starts_at=shown or "")
    assert filled.is_valid(), filled.errors
    plan = filled.plan()
    mode = mode_of(plan.deadline, plan.starts_at)
    assert mode == start


@pytest.mark.parametrize(
    ("game", "changes", "columns"),
    [
        (
            "reversi",
            {},
            {"matches_per_encounter": 2, "openings": "balanced", "seeding": "random", "options": {}, "tiebreaks": []},
        ),
        ("reversi", {"format": "double_round_robin"}, {"matches_per_encounter": 1, "openings": "balanced"}),
        (
            "reversi",
            {"matches_per_encounter": "4", "openings": "start"},
            {"matches_per_encounter": 4, "openings": "start"},
        ),
        ("reversi", {"format": "swiss", "rounds": "7", "seeding": "rating"}, {"options": {"rounds": 7}}),
        (
            "reversi",
            {"format": "groups", "group_size": "5", "advance": "2", "finals": "round_robin"},
            {"options": {"group_size": 5, "advance": 2, "finals": "round_robin"}},
        ),
        ("reversi", {"format": "knockout"}, {"options": {"third_place": False}}),
        ("reversi", {"format": "gauntlet", "gauntlet_bots": "2"}, {"options": {"gauntlet_bots": 2}}),
        (
            "golden_point",
            {"format": "table", "seats": "10", "matches_per_encounter": "5"},
            {"options": {"seats": 10}, "matches_per_encounter": 1},
        ),
        ("golden_point", {"format": "swiss"}, {"matches_per_encounter": 1, "openings": "start"}),
        (
            "reversi",
            {"tiebreak_1": "buchholz", "tiebreak_2": "wins", "tiebreak_3": "buchholz"},
            {"tiebreaks": ["buchholz", "wins"]},
        ),
    ],
)
def test_options_of_every_format_are_stored_and_shown(
    game: str, changes: dict[str, str], columns: dict[str, Any]
) -> None:
    filled = form(game, **changes)
    assert filled.is_valid(), (filled.errors, filled.format.errors)
    decided = filled.format.columns()
    assert {name: decided[name] for name in columns} == columns
    assert columns.items() <= asdict(filled.plan()).items()
    shown = FormatForm(game=game, initial=initial_format_values(decided))
    assert shown["format"].value() == decided["format"]
    assert shown["matches_per_encounter"].value() == decided["matches_per_encounter"]


@pytest.mark.parametrize(
    ("game", "changes", "field", "code"),
    [
        (
            "reversi",
            {"format": "groups", "group_size": "3", "advance": "3"},
            "advance",
            "too_many_advance",
        ),
        ("golden_point", {"format": "table", "seats": "2"}, "seats", "too_few_seats"),
        ("reversi", {"format": "table"}, "format", "invalid_choice"),
        ("reversi", {"tiebreak_1": "luck"}, "tiebreak_1", "invalid_choice"),
    ],
)
def test_invalid_options_are_explained(game: str, changes: dict[str, str], field: str, code: str) -> None:
    filled = form(game, **changes)
    assert not filled.is_valid()
    assert code_of(filled, field) == code
