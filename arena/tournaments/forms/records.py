"""The match data retention section of the tournament form."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from arena.matches.retention import Retention
from arena.tournaments.models import RecordRetention

MAX_DAYS: Final = 3650


class _ConditionalIntegerField(forms.IntegerField):
    """An integer field that another field's value can make required; pages must not mark it as optional."""

    is_conditional = True


class RecordsForm(forms.Form):
    """The form that sets how long match records and logs are kept.

    The choices are the site's default, permanently, and a number of days.
    """

    record_retention = forms.ChoiceField(
        label=_("Moves and logs"),
        choices=RecordRetention.choices,
        initial=RecordRetention.SITE,
        widget=forms.RadioSelect,
    )
    record_days = _ConditionalIntegerField(
        label=_("Days after the end"),
        min_value=1,
        max_value=MAX_DAYS,
        required=False,
        help_text=_("Only needed if you keep match data for a set number of days."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        site = Retention.from_settings()
        self.fields["record_retention"].help_text = (
            _(
                "Reducing match data deletes the bots' logs and moves the records to slower storage. "
                "Results and ratings are kept."
            )
            if site.move
            else _("Reducing match data deletes the moves and the bots' logs. Results and ratings are kept.")
        )
        if site.days is not None:
            self.fields["record_days"].help_text = ngettext_lazy(
                "Only needed if you keep match data for a set number of days. On this site, match data is reduced no "
                "later than %(n)s day after a match ends.",
                "Only needed if you keep match data for a set number of days. On this site, match data is reduced no "
                "later than %(n)s days after a match ends.",
                site.days,
            ) % {"n": site.days}

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        wanted, missing = data.get("record_retention") == RecordRetention.REDUCE, data.get("record_days") is None
        if wanted and missing and "record_days" not in self.errors:
            self.add_error("record_days", _("Enter the number of days, or choose another rule."))
        return data

    def retention(self) -> dict[str, Any]:
        """Return the retention settings as columns of the tournament; the form must be valid."""
        choice = self.cleaned_data["record_retention"]
        is_reduced = choice == RecordRetention.REDUCE
        return {"record_retention": choice, "record_days": self.cleaned_data["record_days"] if is_reduced else None}
