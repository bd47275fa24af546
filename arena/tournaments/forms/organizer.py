"""Forms and filters for the organizer's operations page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.platform.page_addresses import FilterForm
from arena.tournaments.forms.time_fields import LocalDateTimeField, zone_of
from arena.tournaments.models import ActivityKind
from arena.tournaments.queries.activity import ActivityFilter
from arena.tournaments.queries.organizer import BOT_ORDERS
from arena.tournaments.services.announcements import TEXT_LENGTH, TITLE_LENGTH

REASON_LENGTH = 300


class ExtendForm(forms.Form):
    """The form for postponing the deadline, or setting one if there is none."""

    deadline = LocalDateTimeField(label=_("New submission deadline"))

    def __init__(self, *args: Any, zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["deadline"].zone = zone_of(zone)  # type: ignore[attr-defined]
        self.fields["deadline"].help_text = _("Time zone: %(zone)s.") % {"zone": zone}


class AnnouncementForm(forms.Form):
    """The form for sending a message to all entrants."""

    title = forms.CharField(label=_("Title"), max_length=TITLE_LENGTH)
    text = forms.CharField(label=_("Text"), max_length=TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 4}))


class ConditionalCharField(forms.CharField):
    """A text field that is sometimes required. The form treats it as optional, but pages do not label it as such."""

    is_conditional = True


class RerunForm(forms.Form):
    """The form that asks for the reason for rerunning the matches selected on the page."""

    reason = ConditionalCharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        required=False,
        help_text=_("Required for finished matches. Shown to everyone who can see the match."),
    )


class SubstituteForm(forms.Form):
    """The form for substituting another version of a bot, with a reason."""

    submission = forms.TypedChoiceField(
        label=_("Version"),
        coerce=int,
        error_messages={"invalid_choice": _("Choose a version of this bot that has passed its check.")},
    )
    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, help_text=_("Shown to everyone."))

    def __init__(self, *args: Any, versions: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["submission"].choices = versions  # type: ignore[attr-defined]


class OperationsBotFilterForm(forms.Form):
    """The form that sorts and filters the bots on the operations page."""

    sort = forms.ChoiceField(
        label=_("Order"),
        choices=[
            ("rank", _("Rank")),
            ("mean", _("Mean move time, slowest first")),
            ("longest", _("Longest move first")),
            ("share", _("Share of total time, largest first")),
            ("faults", _("Most faults first")),
        ],
        required=False,
    )
    text = forms.CharField(label=_("Bot"), max_length=80, required=False)

    def order(self) -> str:
        self.is_valid()
        chosen = self.cleaned_data.get("sort", "")
        return chosen if chosen in BOT_ORDERS else "rank"

    def name(self) -> str:
        self.is_valid()
        return str(self.cleaned_data.get("text", ""))


class ActivityFilterForm(FilterForm[ActivityFilter]):
    """The form that filters the activity log."""

    filter_type = ActivityFilter

    kind = forms.ChoiceField(
        label=_("Activity"), choices=[("", _("All activity")), *ActivityKind.choices], required=False
    )
    actor = forms.ChoiceField(label=_("Person"), required=False)

    def __init__(self, *args: Any, actors: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        everyone = [("", _("Everyone")), *((name, name) for name in actors)]
        self.fields["actor"].choices = everyone  # type: ignore[attr-defined]
