"""What narrows the list of notifications."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.notifications.models import Kind
from arena.notifications.queries import NotificationFilter
from arena.platform.filtering import FilterForm


class NotificationFilterForm(FilterForm[NotificationFilter]):
    """Narrows what somebody was told."""

    filter_type = NotificationFilter

    kind = forms.ChoiceField(label=_("Kind"), choices=[("", _("All kinds")), *Kind.choices], required=False)
    unread = forms.BooleanField(label=_("Unread only"), required=False)
