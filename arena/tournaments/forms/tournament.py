"""The form that creates or edits a tournament. Every error message says what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.core.referee.spec import MatchLimits
from arena.games.forms import GameSettingsForm
from arena.games.sites import SITES
from arena.matches.match_limits import default_move_seconds, too_long_error
from arena.submissions.names import clean_name
from arena.tournaments.formats.presets import default_format
from arena.tournaments.forms.entry import names_in
from arena.tournaments.forms.format import FormatForm, initial_format_values
from arena.tournaments.forms.limits import LIMITS, LimitsForm
from arena.tournaments.forms.records import RecordsForm
from arena.tournaments.forms.schedule import ScheduleForm, StartMode, mode_of
from arena.tournaments.models import NAME_LENGTH, EntryPolicy
from arena.tournaments.queries.tournaments import TournamentDetail
from arena.tournaments.services.creation import TournamentPlan


class TournamentForm(ScheduleForm, LimitsForm, RecordsForm):
    """The form for creating or editing a tournament of one game; ``plan`` returns the settings."""

    # The order on the page, which is also that of the error summary.
    field_order = (
        *("name", "description", "start", "deadline", "starts_at", "time_zone", "weekly", "following"),
        *("course", "members_only", "entry_policy", "invited", "entries_per_person", "withheld", "house_bots"),
        *LimitsForm.base_fields,
        *RecordsForm.base_fields,
    )

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH, strip=True)
    description = forms.CharField(
        label=_("Description"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("For example, the tournament's purpose, the prizes and what to submit. Plain text only."),
    )
    entry_policy = forms.ChoiceField(
        label=_("Who may enter"), choices=EntryPolicy.choices, initial=EntryPolicy.OPEN, widget=forms.RadioSelect
    )
    course = forms.TypedChoiceField(label=_("Class"), coerce=int, empty_value=None, required=False)
    members_only = forms.BooleanField(
        label=_("Visible to class members only"),
        required=False,
        help_text=_("The tournament is hidden from everyone else, and its matches are unrated."),
    )
    withheld = forms.BooleanField(
        label=_("Withhold results"),
        required=False,
        help_text=_("Until you release them, only you and staff can see standings, rounds and matches."),
    )
    entries_per_person = forms.IntegerField(label=_("Bots per person"), min_value=1, max_value=20, initial=1)
    invited = forms.CharField(
        label=_("Invite"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_("Usernames, separated by spaces, commas or line breaks."),
    )
    house_bots = forms.TypedMultipleChoiceField(
        label=_("House bots to add"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self,
        data: Any = None,
        *,
        game: str,
        house_bots: list[tuple[int, str]] = (),  # type: ignore[assignment]
        courses: Sequence[tuple[int, str]] = (),
        now: datetime | None = None,
        editing: bool = False,
        repeated: bool = False,
        initial: dict[str, Any] | None = None,
    ) -> None:
        usual = SITES[game].tournament
        initial = {"move_seconds": default_move_seconds(game, usual.move_seconds), **(initial or {})}
        super().__init__(data, now=now, editing=editing, repeated=repeated, initial=initial)
        self.game = game
        self.game_settings = GameSettingsForm(data, game=game, initial=initial.get("settings", usual.settings))
        self.format = FormatForm(data, game=game, initial={"format": default_format(game), **initial})
        self.fields["house_bots"].choices = house_bots  # type: ignore[attr-defined]
        self._offer_courses(courses)
        if editing:
            del self.fields["house_bots"], self.fields["invited"]

    def _offer_courses(self, courses: Sequence[tuple[int, str]]) -> None:
        """Offer the organizer's classes; hide the field for people who have none."""
        if courses:
            self.fields["course"].choices = [("", _("None (open to everyone)")), *courses]  # type: ignore[attr-defined]
            return
        del self.fields["course"], self.fields["members_only"]
        offered = [choice for choice in EntryPolicy.choices if choice[0] != EntryPolicy.MEMBERS]
        self.fields["entry_policy"].choices = offered  # type: ignore[attr-defined]

    @property
    def parts(self) -> tuple[forms.Form, ...]:
        """Return the form and its nested forms, which are submitted together."""
        return (self, self.format, self.game_settings)

    def is_valid(self) -> bool:
        return all([super().is_valid(), self.format.is_valid(), self.game_settings.is_valid()])

    def clean_invited(self) -> list[str]:
        return names_in(self.cleaned_data["invited"])

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        self._clean_game(data)
        self._clean_course(data)
        if data.get("start") == StartMode.NOW:
            self._clean_start_now(data)
        return data

    def _clean_game(self, data: dict[str, Any]) -> None:
        if self.game_settings.is_valid() and not self.errors.keys() & set(LIMITS):
            refused = too_long_error(self.game, self.game_settings.settings(), MatchLimits(**self.limits()))
            if refused:
                self.add_error("move_seconds", refused)

    def _clean_course(self, data: dict[str, Any]) -> None:
        members = data.get("members_only") or data.get("entry_policy") == EntryPolicy.MEMBERS
        if members and data.get("course") is None and "course" not in self.errors:
            self.add_error(
                "course",
                forms.ValidationError(_("Choose the class that this tournament is for."), code="course_missing"),
            )

    def _clean_start_now(self, data: dict[str, Any]) -> None:
        if len(data.get("house_bots", ())) < 2:
            self.add_error(
                "start",
                forms.ValidationError(
                    _(
                        "A tournament that starts now leaves no time for entries. Choose at least two house bots "
                        "below, or choose a different way to start and set a deadline."
                    ),
                    code="too_few_bots",
                ),
            )

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"], NAME_LENGTH)

    def plan(self) -> TournamentPlan:
        """Return the plan; the form must be valid."""
        data = self.cleaned_data
        deadline, starts_at = self.times()
        return TournamentPlan(
            name=data["name"],
            description=data["description"],
            game=self.game,
            **self.format.columns(),
            deadline=deadline,
            starts_at=starts_at,
            settings=self.game_settings.settings(),
            limits=self.limits(),
            entry_policy=data["entry_policy"],
            entries_per_person=data["entries_per_person"],
            parallel=data["parallel"],
            withheld=data["withheld"],
            time_zone=data["time_zone"] or timezone.get_default_timezone_name(),
            course_id=data.get("course"),
            members_only=data.get("members_only", False),
            **self.retention(),
        )


def initial_tournament_values(detail: TournamentDetail) -> dict[str, Any]:
    """Return the initial values for an existing tournament."""
    card = detail.card
    mode = mode_of(card.deadline, card.starts_at)
    return {
        "name": card.name,
        "description": detail.shown_description,
        **initial_format_values(detail.pairing),
        "start": mode,
        "deadline": card.deadline,
        "starts_at": card.starts_at if mode == StartMode.AT_TIME else None,
        "entry_policy": detail.entry_policy,
        "time_zone": detail.time_zone,
        "withheld": detail.withheld,
        "entries_per_person": detail.entries_per_person,
        "course": card.course_id,
        "members_only": card.members_only,
        "parallel": detail.parallel,
        "record_retention": detail.record_retention,
        "record_days": detail.record_days,
        "settings": dict(detail.settings),
        **detail.limits,
    }
