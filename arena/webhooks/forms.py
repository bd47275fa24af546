"""Forms for webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.webhooks.models import EventType
from arena.webhooks.queries import WebhookChoices
from arena.webhooks.sending.targets import MAX_URL_LENGTH
from arena.webhooks.services import WebhookPlan


class WebhookForm(forms.Form):
    """The form for creating or editing a webhook; ``choices``: its owner's bots and tournaments."""

    url = forms.CharField(
        label=_("URL"),
        max_length=MAX_URL_LENGTH,
        help_text=_("The URL of your receiver, such as https://example.org/hook."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    events = forms.MultipleChoiceField(
        label=_("Events"),
        choices=EventType.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one event.")},
    )
    bots = forms.TypedMultipleChoiceField(
        label=_("Bots"),
        coerce=int,
        required=False,
        help_text=_("If you select none, all of them are included, now and in future."),
        widget=forms.CheckboxSelectMultiple,
    )
    tournaments = forms.TypedMultipleChoiceField(
        label=_("Tournaments"),
        coerce=int,
        required=False,
        help_text=_("If you select none, all of them are included, now and in future."),
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        choices: WebhookChoices,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        for name, offered in (("bots", choices.bots), ("tournaments", choices.tournaments)):
            if offered:
                self.fields[name].choices = offered  # type: ignore[attr-defined]
            else:
                del self.fields[name]

    def plan(self) -> WebhookPlan:
        """Return the settings of the webhook; the form must be valid."""
        data = self.cleaned_data
        return WebhookPlan(data["url"], data["events"], data.get("bots", ()), data.get("tournaments", ()))
