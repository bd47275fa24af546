"""A person's notification preferences, a section of the account settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.notifications import kinds
from arena.notifications.models import Channel
from arena.notifications.queries import muted_kinds


class PreferencesForm(forms.Form):
    """The form that turns each kind of notification on or off per channel, and selects the language of emails."""

    language = forms.ChoiceField(label=_("Email language"), choices=settings.LANGUAGES)

    def __init__(self, data: Mapping[str, Any] | None, *, person: User) -> None:
        off = muted_kinds(person) if data is None else set()
        super().__init__(data, prefix="notifications", initial={"language": person.language or settings.LANGUAGE_CODE})
        for kind in kinds.registered_kinds():
            for channel in Channel:
                self.fields[_field_name(kind.code, channel)] = forms.BooleanField(
                    label=f"{kind.label}: {channel.label}", required=False, initial=(kind.code, channel) not in off
                )

    def rows(self) -> Iterator[tuple[str, list[tuple[str, BoundField]]]]:
        """Yield the label of each kind, and its check boxes with the labels of their channels."""
        for kind in kinds.registered_kinds():
            yield (
                str(kind.label),
                [(str(channel.label), self[_field_name(kind.code, channel)]) for channel in Channel],
            )

    def channel_choices(self) -> dict[tuple[str, Channel], bool]:
        """Return whether each kind is turned on for each channel; the form must be valid."""
        return {
            (kind.code, channel): self.cleaned_data[_field_name(kind.code, channel)]
            for kind in kinds.registered_kinds()
            for channel in Channel
        }


def _field_name(code: str, channel: Channel) -> str:
    return f"{code}_{channel.value}"


def preferences_form(person_id: int, reader: Person) -> PreferencesForm | None:
    """Return the form for the person's account settings; None if the reader is somebody else."""
    return PreferencesForm(None, person=reader) if isinstance(reader, User) and reader.pk == person_id else None
