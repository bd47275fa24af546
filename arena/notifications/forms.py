"""The filter for the list of notifications."""

from __future__ import annotations

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.notifications import kinds
from arena.notifications.queries import NotificationFilter
from arena.platform.page_addresses import FilterForm


def _choices() -> list[tuple[str, str | Promise]]:
    return [("", _("All kinds")), *((kind.code, kind.label) for kind in kinds.registered_kinds())]


class NotificationFilterForm(FilterForm[NotificationFilter]):
    """The form that filters a person's notifications."""

    filter_type = NotificationFilter

    kind = forms.ChoiceField(label=_("Kind"), choices=_choices, required=False)
    unread = forms.BooleanField(label=_("Unread only"), required=False)
