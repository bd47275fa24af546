"""The wizard's form offers presets, carries values from step to step, and shifts the dates of a copied tournament."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict

from arena.games.registry import GAMES
from arena.games.site import TournamentPreset
from arena.tournaments.formats.presets import OfferedPreset, default_deadline, offered_presets, preset_of
from arena.tournaments.forms.tournament import TournamentForm
from arena.tournaments.forms.wizard import (
    WizardStep,
    apply_preset,
    bound_fields,
    expected_bots,
    first_step_with_errors,
    hidden_fields,
    initial_of_preset,
    shifted_by_weeks,
    submitted_values,
    weeks_until_future,
)
from arena.ui.error_summary import error_summary
from tests.tournaments.form_data import HOUSE, NOW, answers, form

ALL = [(game, offer) for offer in offered_presets() for game in offer.games]
BERLIN = ZoneInfo("Europe/Berlin")


def browser_form_data(shown: TournamentForm) -> QueryDict:
    """Return the form data that a browser sends if all fields are hidden."""
    data = QueryDict(mutable=True)
    for field in bound_fields(shown):
        value = field.value()
        if isinstance(value, list | tuple):
            data.setlist(field.html_name, [str(one) for one in value])
        elif value is not None:
            widget = field.field.hidden_widget()
            data[field.html_name] = str(widget.format_value(value))
    return data


@pytest.mark.parametrize(("game", "offer"), ALL, ids=[f"{game}-{offer.preset.code}" for game, offer in ALL])
def test_preset_needs_only_a_time_and_suggests_its_name(game: str, offer: OfferedPreset) -> None:
    initial = initial_of_preset(offer.preset, NOW)
    shown = TournamentForm(game=game, initial=initial, now=NOW)
    known = {field.name for field in bound_fields(shown)}
    assert set(initial) - {"settings"} <= known
    assert set(offer.preset.settings) <= set(shown.game_settings.fields)
    data = browser_form_data(shown)
    assert data["name"] == str(offer.preset.name)
    filled = TournamentForm(data, game=game, now=NOW)
    assert filled.is_valid(), error_summary(filled.parts)
    assert not offer.preset.format or filled.plan().format == offer.preset.format


def test_every_game_has_presets_with_unique_codes() -> None:
    assert {game for game, _ in ALL} == set(GAMES)
    codes = [(game, offer.preset.code) for game, offer in ALL]
    assert len(codes) == len(set(codes))
    assert preset_of("reversi", "golden_evening") is None


def test_golden_point_evening_fills_an_evening() -> None:
    preset = preset_of("golden_point", "golden_evening")
    assert preset
    assert preset.fields["parallel"] == 1
    least = preset.fields["repeats"] * preset.settings["rounds"] * preset.fields["pace_seconds"]
    assert timedelta(minutes=60) <= timedelta(seconds=least) <= timedelta(minutes=80)


def test_invalid_input_is_carried_between_steps() -> None:
    first = form(deadline="tomorrow", rounds="many", house_bots=["1", "2"], weekly="on", third_place="")
    again = TournamentForm(game="reversi", house_bots=HOUSE, initial=submitted_values(_query(first), _blank()))
    values = {field.html_name: field.value() for field in bound_fields(again)}
    assert values["deadline"] == "tomorrow"
    assert values["rounds"] == "many"
    assert values["house_bots"] == ["1", "2"]
    assert values["weekly"] is True
    assert values["third_place"] is False
    assert not again.is_bound


def _blank() -> TournamentForm:
    return TournamentForm(game="reversi", house_bots=HOUSE)


def _query(filled: TournamentForm) -> QueryDict:
    query = QueryDict(mutable=True)
    for name, value in filled.data.items():
        query.setlist(name, value if isinstance(value, list) else [value])
    return query


def test_each_step_carries_fields_it_does_not_show() -> None:
    shown = _blank()
    everything = {field.html_name for field in bound_fields(shown)}
    hidden = {step: {field.html_name for field in hidden_fields(shown, step)} for step in WizardStep}
    assert hidden[WizardStep.REVIEW] == everything
    assert hidden[WizardStep.WHEN] | hidden[WizardStep.FORMAT] == everything
    assert not hidden[WizardStep.WHEN] & hidden[WizardStep.FORMAT]


def test_changing_preset_replaces_format_and_keeps_name() -> None:
    answers = {"name": "Cup", "format": "swiss", "weekly": True, "start": "hand", "deadline": "2027-01-01T10:00"}
    merged = apply_preset(answers, {"format": "knockout", "start": "deadline", "weekly": False, "deadline": NOW})
    assert merged == {
        "name": "Cup",
        "format": "knockout",
        "weekly": False,
        "start": "deadline",
        "deadline": "2027-01-01T10:00",
    }


def test_changing_preset_replaces_a_suggested_name() -> None:
    one, other, *_ = offered_presets()
    chosen = initial_of_preset(other.preset, NOW)
    assert apply_preset(initial_of_preset(one.preset, NOW), chosen)["name"] == str(other.preset.name)


@pytest.mark.parametrize(
    ("changes", "step"),
    [
        ({}, None),
        ({"name": ""}, WizardStep.WHEN),
        ({"repeats": "0"}, WizardStep.FORMAT),
        ({"name": "", "repeats": "0"}, WizardStep.WHEN),
        ({"format": "table"}, WizardStep.FORMAT),
    ],
)
def test_first_step_with_an_error_is_shown(changes: dict[str, str], step: WizardStep | None) -> None:
    assert first_step_with_errors(form(**changes)) == step


def test_errors_link_to_their_fields() -> None:
    found = {error.target: error.message for error in error_summary(form(name="", start="later").parts)}
    assert "required" in found["id_name"]
    assert "id_start_0" in found  # the first radio button


@pytest.mark.parametrize(
    ("open_for", "closes_at", "expected"),
    [
        (timedelta(hours=2), None, datetime(2026, 3, 27, 17, 15, tzinfo=BERLIN)),
        (timedelta(days=7), time(18), datetime(2026, 4, 3, 18, tzinfo=BERLIN)),  # after the switch to summer time
        (None, None, None),
    ],
)
def test_deadline_has_a_default(open_for: timedelta | None, closes_at: time | None, expected: datetime | None) -> None:
    preset = TournamentPreset("x", "X", "", "", open_for=open_for, closes_at=closes_at)
    now = datetime(2026, 3, 27, 14, 1, tzinfo=UTC)
    assert default_deadline(preset, now, BERLIN) == expected


def test_copy_keeps_weekday_and_local_time() -> None:
    deadline = datetime(2026, 3, 20, 18, tzinfo=BERLIN)
    now = datetime(2026, 3, 28, 12, tzinfo=BERLIN)
    weeks = weeks_until_future(deadline, now)
    assert shifted_by_weeks(deadline, weeks, BERLIN) == datetime(2026, 4, 3, 18, tzinfo=BERLIN)
    assert weeks_until_future(now + timedelta(hours=1), now) == 0
    assert weeks_until_future(None, now) == 0


@pytest.mark.parametrize(
    ("changes", "class_size", "bots"),
    [
        ({}, 0, [8, 24, 60]),
        ({"start": "now", "house_bots": ["1", "2"]}, 0, [2]),
        ({"entry_policy": "invited", "invited": "ada, bob", "house_bots": ["1"]}, 0, [3]),
        ({"entry_policy": "invited"}, 0, [8, 24, 60]),
        ({"entry_policy": "members", "course": "7"}, 30, [30]),
    ],
)
def test_number_of_bots_is_estimated(changes: dict[str, Any], class_size: int, bots: list[int]) -> None:
    filled = TournamentForm(answers(**changes), game="reversi", house_bots=HOUSE, courses=[(7, "AI 101")], now=NOW)
    assert filled.is_valid(), error_summary(filled.parts)
    assert expected_bots(filled, class_size) == bots
