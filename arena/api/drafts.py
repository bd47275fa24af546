"""Create tournaments from drafts that the site's form validates, so that the API has the same rules and messages."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from arena.accounts.models import User
from arena.api.problems import ProblemError, field_error, problem_of_forms
from arena.api.schemas.tournaments import TournamentDraft
from arena.classes.queries import courses_open_to_organizer
from arena.games.registry import GAMES
from arena.tournaments.forms.tournament import TournamentForm
from arena.tournaments.queries import entries
from arena.tournaments.services import creation

# The former names of format options, which clients may still send.
_FORMER_OPTIONS: Final[Mapping[str, str]] = {
    "deals": "random_seeds",
    "games": "matches_per_encounter",
    "heroes": "gauntlet_bots",
    "together": "bots_per_match",
}


def create_from_draft(organizer: User, draft: TournamentDraft, *, rng: random.Random) -> int:
    """Create a tournament and return its id. Raises Refused."""
    if draft.game not in GAMES:
        message = _("Unknown game. Choose one of: %(games)s.") % {"games": pgettext("between names", ", ").join(GAMES)}
        raise ProblemError(422, message, errors=[field_error("game", "invalid_choice", message)])
    made = partial(
        TournamentForm,
        game=draft.game,
        house_bots=entries.house_bots(draft.game),
        courses=courses_open_to_organizer(organizer),
    )
    blank = made()
    _check_options_known(draft, blank)
    form = made({**_unchanged_form_data(blank), **_form_values(draft, blank)})
    if not form.is_valid():
        raise problem_of_forms(form, form.format, form.game_settings)
    return creation.create(
        organizer,
        form.plan(),
        rng=rng,
        house_bots=form.cleaned_data["house_bots"],
        invited=form.cleaned_data["invited"],
    )


def _check_options_known(draft: TournamentDraft, blank: TournamentForm) -> None:
    """Raise ProblemError for values without a form field: nothing is silently ignored."""
    unknown = [
        f"format_options.{name}"
        for name in draft.format_options
        if _FORMER_OPTIONS.get(name, name) not in blank.format.fields
    ]
    unknown += [f"settings.{name}" for name in draft.settings if name not in blank.game_settings.fields]
    errors = [field_error(name, "unknown_field", _("Unknown option. Remove it.")) for name in unknown]
    if "course" not in blank.fields and (draft.course is not None or draft.members_only):
        message = _("Only teachers of a class can create tournaments for it. Choose one of your classes.")
        errors.append(field_error("course", "not_a_teacher", message))
    if errors:
        raise ProblemError(422, errors=errors)


def _unchanged_form_data(blank: TournamentForm) -> dict[str, Any]:
    """Return the data that the unchanged form would submit."""
    fields = [field for part in (blank, blank.format, blank.game_settings) for field in part]
    return {field.html_name: field.value() for field in fields if field.value() not in ("", None, [])}


def _form_values(draft: TournamentDraft, blank: TournamentForm) -> dict[str, Any]:
    fields = {
        "name": draft.name,
        "description": draft.description,
        "start": draft.start,
        "deadline": _format_time(draft.deadline),
        "starts_at": _format_time(draft.starts_at),
        "time_zone": "UTC",
        "move_seconds": draft.move_seconds,
        "start_seconds": draft.start_seconds,
        "format": draft.format,
        "entry_policy": draft.entry_policy,
        "entries_per_person": draft.entries_per_person,
        "course": draft.course,
        "members_only": draft.members_only,
        "withheld": draft.withheld,
        "record_retention": draft.record_retention,
        "record_days": draft.record_days,
        "house_bots": draft.house_bots,
        "invited": "\n".join(draft.invited),
    }
    values = {name: value for name, value in fields.items() if value is not None}
    return (
        values
        | {_FORMER_OPTIONS.get(name, name): value for name, value in draft.format_options.items()}
        | {f"{blank.game_settings.prefix}-{name}": value for name, value in draft.settings.items()}
    )


def _format_time(moment: datetime | None) -> str | None:
    """Convert a time to UTC and format it for the form; a time without an offset is in the site's time zone."""
    if moment is None:
        return None
    aware = moment if timezone.is_aware(moment) else timezone.make_aware(moment, timezone.get_default_timezone())
    return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M")
