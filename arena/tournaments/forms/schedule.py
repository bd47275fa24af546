"""The schedule section of the tournament form: deadline, start, and weekly recurrence."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.tournaments.forms.time_fields import LocalDateTimeField, zone_choices, zone_of

FURTHEST = timedelta(days=366)
WEEK = timedelta(days=7)


class StartMode(StrEnum):
    """The ways to start a tournament."""

    NOW = "now"  # with the entries chosen on the form
    AT_DEADLINE = "deadline"
    AT_TIME = "time"
    BY_HAND = "hand"


class ScheduleForm(forms.Form):
    """The form for the deadline and the start in a chosen time zone; ``times`` returns them."""

    start = forms.ChoiceField(
        label=_("Start"),
        widget=forms.RadioSelect,
        initial=StartMode.AT_DEADLINE,
        choices=[
            (StartMode.AT_DEADLINE, _("At the submission deadline")),
            (StartMode.AT_TIME, _("At a set time after the deadline")),
            (StartMode.BY_HAND, _("When I press “Start now”")),
            (StartMode.NOW, _("Now, with the house bots chosen below")),
        ],
    )
    deadline = LocalDateTimeField(
        label=_("Submission deadline"),
        is_conditional=True,
        required=False,
        help_text=_("Bots can enter until this time. Optional if you start the tournament manually."),
    )
    starts_at = LocalDateTimeField(
        label=_("Start time"),
        is_conditional=True,
        required=False,
        help_text=_("Only needed for “At a set time after the deadline”."),
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        required=False,
        help_text=_(
            "Applies to the times on this page. The list uses IANA time zone names, such as Asia/Shanghai for China."
        ),
    )
    weekly = forms.BooleanField(
        label=_("Repeat every week"),
        required=False,
        help_text=_(
            "The tournament repeats on the same weekday at the same time, with these settings, until you pause it."
        ),
    )
    following = forms.BooleanField(
        label=_("Apply to future weeks"),
        required=False,
        help_text=_(
            "This tournament repeats every week. Select this option to use these settings in future weeks, too; "
            "otherwise, future weeks keep the previous settings."
        ),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        now: datetime | None = None,
        editing: bool = False,
        repeated: bool = False,
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self.now, self.editing = now or timezone.now(), editing
        self._set_clock()
        if not repeated:
            del self.fields["following"]
        if editing:
            del self.fields["weekly"]
            self.fields["start"].choices = self.fields["start"].choices[:-1]  # type: ignore[attr-defined]

    def _set_clock(self) -> None:
        """Make the time fields parse and display times in the chosen zone."""
        self.initial.setdefault("time_zone", timezone.get_default_timezone_name())
        zone = zone_of(self["time_zone"].value())
        for name in ("deadline", "starts_at"):
            self.fields[name].zone = zone  # type: ignore[attr-defined]

    def clean_deadline(self) -> datetime | None:
        return self._check_within_a_year("deadline")

    def clean_starts_at(self) -> datetime | None:
        return self._check_within_a_year("starts_at")

    def _check_within_a_year(self, field: str) -> datetime | None:
        moment: datetime | None = self.cleaned_data[field]
        if moment is not None and moment > self.now + FURTHEST:
            raise forms.ValidationError(_("This date is more than a year ahead. Check the year."), code="too_late")
        return moment

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        mode = data.get("start")
        for name in ("weekly", "following"):
            if data.get(name):
                self._clean_repetition(name, data)
        if mode and mode != StartMode.NOW:
            self._clean_times(data, mode)
        return data

    def _clean_repetition(self, name: str, data: dict[str, Any]) -> None:
        mode, deadline, starts_at = (data.get(field) for field in ("start", "deadline", "starts_at"))
        if mode not in (StartMode.AT_DEADLINE, StartMode.AT_TIME):
            self.add_error(
                name,
                forms.ValidationError(
                    _("A recurring tournament needs a scheduled start. Choose a different way to start."),
                    code="start_missing",
                ),
            )
        elif mode == StartMode.AT_TIME and deadline and starts_at and starts_at - deadline >= WEEK:
            self.add_error(
                name,
                forms.ValidationError(
                    _(
                        "The deadline of a weekly tournament must be less than a week before its start. Choose a "
                        "later deadline."
                    ),
                    code="deadline_too_early",
                ),
            )

    def _clean_times(self, data: dict[str, Any], mode: str) -> None:
        self._clean_deadline(data.get("deadline"), mode)
        self._clean_start(data.get("starts_at"), data.get("deadline"), mode)

    def _clean_deadline(self, deadline: datetime | None, mode: str) -> None:
        if deadline is None:
            if mode != StartMode.BY_HAND and "deadline" not in self.errors:
                self.add_error(
                    "deadline",
                    forms.ValidationError(
                        _("Set a submission deadline, or start the tournament manually."), code="deadline_missing"
                    ),
                )
        elif deadline <= self.now and not self.editing:
            self.add_error(
                "deadline",
                forms.ValidationError(
                    _("This time has passed. Choose a later time, or choose “Now” as the start."), code="has_passed"
                ),
            )

    def _clean_start(self, starts_at: datetime | None, deadline: datetime | None, mode: str) -> None:
        if mode != StartMode.AT_TIME:
            if starts_at is not None:
                self.add_error(
                    "starts_at",
                    forms.ValidationError(
                        _(
                            "The start time applies only to “At a set time after the deadline”. Leave the field empty, "
                            "or choose that option."
                        ),
                        code="no_start_time",
                    ),
                )
        elif starts_at is None:
            if "starts_at" not in self.errors:
                self.add_error(
                    "starts_at",
                    forms.ValidationError(
                        _("Set a start time, or choose a different way to start."), code="start_missing"
                    ),
                )
        elif deadline is not None and starts_at < deadline:
            self.add_error(
                "starts_at",
                forms.ValidationError(
                    _("The start time is before the submission deadline. Choose a later start or an earlier deadline."),
                    code="start_before_deadline",
                ),
            )

    def times(self) -> tuple[datetime | None, datetime | None]:
        """Return the deadline and the start; the form must be valid."""
        mode, deadline = self.cleaned_data["start"], self.cleaned_data["deadline"]
        if mode == StartMode.NOW:
            return self.now, self.now
        starts = {StartMode.AT_DEADLINE: deadline, StartMode.AT_TIME: self.cleaned_data["starts_at"]}
        return deadline, starts.get(mode)


def mode_of(deadline: datetime | None, starts_at: datetime | None) -> StartMode:
    """Return the start mode that results in these times."""
    if starts_at is None:
        return StartMode.BY_HAND
    return StartMode.AT_DEADLINE if starts_at == deadline else StartMode.AT_TIME
