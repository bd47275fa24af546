"""The form that creates or changes a tournament. Every message says what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.games.base import SettingsError
from arena.matches.longest import why_too_long
from arena.referee.spec import MatchLimits
from arena.submissions.names import clean_name
from arena.tournaments.forms.entry import names_in
from arena.tournaments.forms.format import FormatForm, initial_of_format
from arena.tournaments.forms.game import GAME_FORMS
from arena.tournaments.forms.time_fields import LocalDateTimeField, zone_choices, zone_of
from arena.tournaments.models import NAME_LENGTH, EntryPolicy
from arena.tournaments.organizing.creating import TournamentPlan
from arena.tournaments.queries.tournaments import TournamentDetail

FURTHEST = timedelta(days=366)
WEEK = timedelta(days=7)
LIMITS: Final = ("move_seconds", "start_seconds", "illegal_answers", "pace_seconds")


class StartMode(StrEnum):
    """When a tournament starts."""

    NOW = "now"  # entries are those chosen on the form
    AT_DEADLINE = "deadline"
    AT_TIME = "time"
    BY_HAND = "hand"


class TournamentForm(forms.Form):
    """Creates or edits a tournament of one game; ``plan`` gives what was decided."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH, strip=True)
    description = forms.CharField(
        label=_("Description"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("What it is for, prizes, what to hand in. Plain text."),
    )
    start = forms.ChoiceField(
        label=_("Start"),
        widget=forms.RadioSelect,
        initial=StartMode.AT_DEADLINE,
        choices=[
            (StartMode.AT_DEADLINE, _("At the submission deadline")),
            (StartMode.AT_TIME, _("At a time after the deadline")),
            (StartMode.BY_HAND, _("When I press 'Start now'")),
            (StartMode.NOW, _("Now, with the house bots chosen below")),
        ],
    )
    deadline = LocalDateTimeField(
        label=_("Submission deadline"), error_messages={"required": _("Set the time until which bots can enter.")}
    )
    starts_at = LocalDateTimeField(label=_("Start time"), required=False)
    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=zone_choices, required=False, help_text=_("In which the times here are meant.")
    )
    weekly = forms.BooleanField(
        label=_("Repeat it every week"),
        required=False,
        help_text=_("On the same weekday at the same time, with these settings, until you pause it."),
    )
    following = forms.BooleanField(
        label=_("Also in the weeks to come"),
        required=False,
        help_text=_("This tournament comes again every week: with these settings from now on, else with those before."),
    )
    entry_policy = forms.ChoiceField(
        label=_("Who may enter"), choices=EntryPolicy.choices, initial=EntryPolicy.OPEN, widget=forms.RadioSelect
    )
    course = forms.TypedChoiceField(label=_("Class"), coerce=int, empty_value=None, required=False)
    members_only = forms.BooleanField(
        label=_("Show it to members of the class only"),
        required=False,
        help_text=_("Nobody else sees anything of it, and it does not count for the leaderboards."),
    )
    withheld = forms.BooleanField(
        label=_("Withhold the results"),
        required=False,
        help_text=_("Until you release them only you and the staff see standings, rounds and matches."),
    )
    entries_per_person = forms.IntegerField(label=_("Bots per person"), min_value=1, max_value=20, initial=1)
    invited = forms.CharField(
        label=_("Invite"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_("User names, separated by spaces, commas or lines."),
    )
    house_bots = forms.TypedMultipleChoiceField(
        label=_("House bots to add"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    move_seconds = forms.FloatField(label=_("Seconds a move"), min_value=0.1, max_value=600)
    start_seconds = forms.FloatField(
        label=_("Seconds to start"),
        min_value=1,
        max_value=120,
        initial=10,
        help_text=_("For importing and constructing a player."),
    )
    illegal_answers = forms.IntegerField(
        label=_("Illegal answers"),
        min_value=1,
        max_value=10,
        initial=3,
        help_text=_("This many in one turn lose the match."),
    )
    pace_seconds = forms.FloatField(label=_("Spectators' pace, seconds"), min_value=0, max_value=5)
    parallel = forms.IntegerField(
        label=_("Matches at once"),
        min_value=0,
        max_value=64,
        initial=0,
        help_text=_("0: as many as there are workers. 1 shows one match after the other."),
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
        on_form = GAME_FORMS[game]
        defaults = {
            "move_seconds": on_form.move_seconds,
            "pace_seconds": on_form.pace_seconds,
        }
        super().__init__(data, initial={**defaults, **(initial or {})})
        self.game, self.now, self.editing = game, now or timezone.now(), editing
        self.game_settings = on_form.settings(data, prefix="game", initial=(initial or {}).get("settings"))
        self.format = FormatForm(data, game=game, initial={"format": on_form.format, **(initial or {})})
        self.fields["pace_seconds"].help_text = on_form.pace_help  # type: ignore[assignment]
        self._set_clock()
        self.fields["house_bots"].choices = house_bots  # type: ignore[attr-defined]
        self._offer_courses(courses)
        self.fields["deadline"].required = self["start"].value() != StartMode.NOW
        if not repeated:
            del self.fields["following"]
        if editing:
            for name in ("house_bots", "invited", "weekly"):
                del self.fields[name]
            self.fields["start"].choices = self.fields["start"].choices[:-1]  # type: ignore[attr-defined]

    def _set_clock(self) -> None:
        """Read and show the times in the chosen zone."""
        self.initial.setdefault("time_zone", timezone.get_default_timezone_name())
        zone = zone_of(self["time_zone"].value())
        for name in ("deadline", "starts_at"):
            self.fields[name].zone = zone  # type: ignore[attr-defined]

    def _offer_courses(self, courses: Sequence[tuple[int, str]]) -> None:
        """Who teaches no class is not asked about them."""
        if courses:
            self.fields["course"].choices = [("", _("None: it is for everybody")), *courses]  # type: ignore[attr-defined]
            return
        del self.fields["course"], self.fields["members_only"]
        offered = [choice for choice in EntryPolicy.choices if choice[0] != EntryPolicy.MEMBERS]
        self.fields["entry_policy"].choices = offered  # type: ignore[attr-defined]

    def clean_invited(self) -> list[str]:
        return names_in(self.cleaned_data["invited"])

    def clean_deadline(self) -> datetime | None:
        return self._within_a_year("deadline")

    def clean_starts_at(self) -> datetime | None:
        return self._within_a_year("starts_at")

    def _within_a_year(self, field: str) -> datetime | None:
        moment: datetime | None = self.cleaned_data[field]
        if moment is not None and moment > self.now + FURTHEST:
            raise forms.ValidationError(_("This is more than a year ahead. Check the year."))
        return moment

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not self.format.is_valid():
            self.add_error(None, _("Check the format and its details."))
        self._clean_game(data)
        self._clean_course(data)
        mode = data.get("start")
        for name in ("weekly", "following"):
            if data.get(name):
                self._clean_repetition(name, data)
        if mode == StartMode.NOW:
            self._clean_start_now(data)
        elif mode:
            self._clean_times(data, mode)
        return data

    def _clean_game(self, data: dict[str, Any]) -> None:
        if not self.game_settings.is_valid():
            self.add_error(None, _("Check the settings of the game."))
            return
        try:
            settings = self.game_settings.settings()
        except SettingsError as error:
            self.game_settings.add_error(error.field, str(error))
            self.add_error(None, _("Check the settings of the game."))
            return
        if not self.errors.keys() & set(LIMITS):
            refused = why_too_long(self.game, settings, MatchLimits(**_limits(data)))
            if refused:
                self.add_error("move_seconds", refused)

    def _clean_course(self, data: dict[str, Any]) -> None:
        members = data.get("members_only") or data.get("entry_policy") == EntryPolicy.MEMBERS
        if members and data.get("course") is None and "course" not in self.errors:
            self.add_error("course", _("Choose the class for whose members the tournament is."))

    def _clean_repetition(self, name: str, data: dict[str, Any]) -> None:
        mode, deadline, starts_at = (data.get(field) for field in ("start", "deadline", "starts_at"))
        if mode not in (StartMode.AT_DEADLINE, StartMode.AT_TIME):
            self.add_error(name, _("What comes again needs a time at which it starts. Choose another start."))
        elif mode == StartMode.AT_TIME and deadline and starts_at and starts_at - deadline >= WEEK:
            self.add_error(name, _("What comes again every week closes less than a week before it starts."))

    def _clean_start_now(self, data: dict[str, Any]) -> None:
        if len(data.get("house_bots", ())) < 2:
            self.add_error(
                "start",
                _(
                    "A tournament that starts now has no time for entries. "
                    "Choose at least two house bots below, or another start and a deadline."
                ),
            )

    def _clean_times(self, data: dict[str, Any], mode: str) -> None:
        deadline, starts_at = data.get("deadline"), data.get("starts_at")
        if deadline is None:
            return
        if deadline <= self.now and not self.editing:
            self.add_error("deadline", _("This time has passed. Choose a later one, or the start 'Now'."))
        if mode != StartMode.AT_TIME:
            return
        if starts_at is None:
            if "starts_at" not in self.errors:
                self.add_error("starts_at", _("Set the time of the start, or choose another start."))
        elif starts_at < deadline:
            self.add_error(
                "starts_at",
                _("The start is before the submission deadline. Choose a later start or an earlier deadline."),
            )

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"], NAME_LENGTH)

    def plan(self) -> TournamentPlan:
        """What was decided; call it on a valid form."""
        data = self.cleaned_data
        deadline, starts_at = self._times()
        return TournamentPlan(
            name=data["name"],
            description=data["description"],
            game=self.game,
            **self.format.columns(),
            deadline=deadline,
            starts_at=starts_at,
            settings=self.game_settings.settings(),
            limits=_limits(data),
            entry_policy=data["entry_policy"],
            entries_per_person=data["entries_per_person"],
            parallel=data["parallel"],
            withheld=data["withheld"],
            time_zone=data["time_zone"] or timezone.get_default_timezone_name(),
            course_id=data.get("course"),
            members_only=data.get("members_only", False),
        )

    def _times(self) -> tuple[datetime, datetime | None]:
        mode, deadline = self.cleaned_data["start"], self.cleaned_data["deadline"]
        if mode == StartMode.NOW:
            return self.now, self.now
        starts = {StartMode.AT_DEADLINE: deadline, StartMode.AT_TIME: self.cleaned_data["starts_at"]}
        return deadline, starts.get(mode)


def _limits(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in LIMITS}


def initial_of(detail: TournamentDetail) -> dict[str, Any]:
    """What the form of an existing tournament shows."""
    card = detail.card
    if card.starts_at is None:
        start = StartMode.BY_HAND
    else:
        start = StartMode.AT_DEADLINE if card.starts_at == card.deadline else StartMode.AT_TIME
    return {
        "name": card.name,
        "description": detail.description,
        **initial_of_format(detail.pairing),
        "start": start,
        "deadline": card.deadline,
        "starts_at": card.starts_at,
        "entry_policy": detail.entry_policy,
        "time_zone": detail.time_zone,
        "withheld": detail.withheld,
        "entries_per_person": detail.entries_per_person,
        "course": card.course_id,
        "members_only": card.members_only,
        "parallel": detail.parallel,
        "settings": dict(detail.settings),
        **detail.limits,
    }
