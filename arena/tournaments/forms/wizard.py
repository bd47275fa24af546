"""The steps of the tournament wizard. They share a single form: each step shows one part of it and hides the rest.

Nothing is stored between steps. Every page carries all values, so several tabs and the browser's back button work, and
no input is lost, whether valid or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.forms import BoundField
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.games.site import TournamentPreset
from arena.tournaments.formats.presets import default_deadline, offered_presets
from arena.tournaments.forms.schedule import StartMode
from arena.tournaments.forms.tournament import TournamentForm, initial_tournament_values
from arena.tournaments.models import NAME_LENGTH, EntryPolicy
from arena.tournaments.queries.tournaments import TournamentDetail

_SIZES: Final = (8, 24, 60)  # numbers of bots to try if the number of entries is unknown
_WEEK: Final = timedelta(days=7)
_NUMBERED: Final = re.compile(r"(.*[\s#])(\d{1,4})")


class WizardStep(StrEnum):
    """The pages of the wizard, in order."""

    KIND = "kind"
    WHEN = "when"
    FORMAT = "format"
    REVIEW = "review"


WHO_AND_WHEN: Final = frozenset(
    {
        "name",
        "description",
        "start",
        "deadline",
        "starts_at",
        "time_zone",
        "weekly",
        "course",
        "members_only",
        "entry_policy",
        "invited",
        "entries_per_person",
        "withheld",
        "house_bots",
    }
)
# A preset's values for the second step: choosing another preset replaces only these.
_OF_PRESETS: Final = frozenset({"start", "weekly"})


def bound_fields(form: TournamentForm) -> Iterator[BoundField]:
    return (field for part in form.parts for field in part)


def step_of(form: TournamentForm, field: BoundField) -> WizardStep:
    """Return the wizard step that shows the field."""
    return WizardStep.WHEN if field.form is form and field.name in WHO_AND_WHEN else WizardStep.FORMAT


def hidden_fields(form: TournamentForm, step: WizardStep) -> list[BoundField]:
    """Return the fields that this step's page carries as hidden inputs."""
    return [field for field in bound_fields(form) if step_of(form, field) != step]


def first_step_with_errors(form: TournamentForm) -> WizardStep | None:
    """Return the first step with an error; None for a valid form. Non-field errors belong to the second step."""
    if form.is_valid():
        return None
    wrong = {step_of(form, field) for field in bound_fields(form) if field.errors}
    about_format = [*form.format.non_field_errors(), *form.game_settings.non_field_errors()]
    return WizardStep.FORMAT if WizardStep.WHEN not in wrong and (wrong or about_format) else WizardStep.WHEN


def submitted_values(data: QueryDict, blank: TournamentForm) -> dict[str, Any]:
    """Return the data submitted for the fields of ``blank``, without validation, as initial values for another form."""
    found: dict[str, Any] = {"settings": {}}
    for field in bound_fields(blank):
        widget = field.field.widget
        if widget.value_omitted_from_data(data, {}, field.html_name):
            continue
        place = found["settings"] if field.form is blank.game_settings else found
        place[field.name] = widget.value_from_datadict(data, {}, field.html_name)
    return found


def initial_of_preset(preset: TournamentPreset, now: datetime) -> dict[str, Any]:
    """Return the initial values for a preset; the preset's name is the suggested name."""
    initial: dict[str, Any] = {
        "name": str(preset.name),
        "start": preset.start,
        "weekly": False,
        "settings": dict(preset.settings),
        **preset.fields,
    }
    if preset.format:
        initial["format"] = preset.format
    deadline = default_deadline(preset, now, timezone.get_default_timezone())
    return {**initial, "deadline": deadline} if deadline else initial


def apply_preset(answers: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the preset's values ``chosen``, but keep the ``answers`` about participants and schedule.

    A name is kept unless another preset suggested it.
    """
    kept = {name: value for name, value in answers.items() if name in WHO_AND_WHEN - _OF_PRESETS and value}
    if kept.get("name") in {str(offer.preset.name) for offer in offered_presets()}:
        del kept["name"]
    return {**chosen, **kept}


def initial_of_clone(detail: TournamentDetail, now: datetime) -> dict[str, Any]:
    """Return the initial values for repeating a tournament: its times moved by whole weeks, and a new name."""
    named = replace(detail.card, name=name_of_copy(detail.card.name))
    if detail.started_when_created:
        card = replace(named, deadline=None, starts_at=None)
        return initial_tournament_values(replace(detail, card=card)) | {"start": StartMode.NOW}
    zone = ZoneInfo(detail.time_zone)
    deadline, starts_at = detail.card.deadline, detail.card.starts_at
    weeks = weeks_until_future(deadline or starts_at, now)
    card = replace(
        named,
        deadline=deadline and shifted_by_weeks(deadline, weeks, zone),
        starts_at=starts_at and shifted_by_weeks(starts_at, weeks, zone),
    )
    return initial_tournament_values(replace(detail, card=card))


def name_of_copy(name: str) -> str:
    """Return a name for the copy of a tournament: "Cup 3" after "Cup 2", "Copy of Cup" after "Cup"."""
    numbered = _NUMBERED.fullmatch(name)
    copy = f"{numbered[1]}{int(numbered[2]) + 1}" if numbered else _("Copy of %(name)s") % {"name": name}
    return copy[:NAME_LENGTH].rstrip()


def weeks_until_future(moment: datetime | None, now: datetime) -> int:
    return max(0, (now - moment) // _WEEK + 1) if moment else 0


def shifted_by_weeks(moment: datetime, weeks: int, zone: ZoneInfo) -> datetime:
    """Move a time by whole weeks of wall-clock time in ``zone``, so that daylight saving changes do not shift it."""
    return moment.astimezone(zone) + weeks * _WEEK


def starts_now(form: TournamentForm) -> bool:
    return bool(form.cleaned_data["start"] == StartMode.NOW)


def chosen_label(field: BoundField) -> str:
    """Return the form's label for the chosen value."""
    return str(dict(field.field.choices)[field.value()])  # type: ignore[attr-defined]


def entry_label(form: TournamentForm) -> str:
    """Return the label that says who may enter; the form must be valid."""
    data = form.cleaned_data
    return str(EntryPolicy(data["entry_policy"]).for_audience(members_only=bool(data.get("members_only"))).label)


def expected_bots(form: TournamentForm, class_size: int) -> list[int]:
    """Return a list with the expected number of bots: the house bots plus one per member or invited person.

    If that number is unknown, the list contains three typical numbers. The form must be valid.
    """
    data = form.cleaned_data
    house_bots = len(data["house_bots"])
    if starts_now(form):
        return [house_bots]
    people = 0
    if data["entry_policy"] == EntryPolicy.INVITED:
        people = len(data["invited"])
    elif data.get("members_only") or data["entry_policy"] == EntryPolicy.MEMBERS:
        people = class_size
    return [people + house_bots] if people and people + house_bots > 1 else [*_SIZES]
