"""The small forms on a tournament's page: entries and invitations."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


def names_in(text: str) -> list[str]:
    """Parse usernames separated by spaces, commas or line breaks; duplicates are removed."""
    return list(dict.fromkeys(name for name in re.split(r"[\s,;，；、]+", text) if name))


class EnterForm(forms.Form):
    """The form for entering one of the person's bots."""

    bot = forms.TypedChoiceField(
        label=_("Your bot"),
        coerce=int,
        error_messages={"invalid_choice": _("Choose one of your own bots that plays this game.")},
    )

    def __init__(self, *args: Any, bots: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bot"].choices = bots  # type: ignore[attr-defined]


class InviteForm(forms.Form):
    """The form for inviting people by their usernames."""

    people = forms.CharField(
        label=_("Usernames"),
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
        help_text=_("Separated by spaces, commas or line breaks."),
    )

    def clean_people(self) -> list[str]:
        return names_in(self.cleaned_data["people"])


class HouseBotsForm(forms.Form):
    """The form for adding house bots."""

    bots = forms.TypedMultipleChoiceField(
        label=_("House bots"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one house bot.")},
    )

    def __init__(self, *args: Any, bots: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bots"].choices = bots  # type: ignore[attr-defined]
