"""What narrows the list of notifications."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.notifications.models import Kind
from arena.notifications.queries import NotificationFilter


class NotificationFilterForm(forms.Form):
    """A value that does not exist is ignored, so that old links work."""

    kind = forms.ChoiceField(label=_("Kind"), choices=[("", _("All kinds")), *Kind.choices], required=False)
    unread = forms.BooleanField(label=_("Unread only"), required=False)

    def chosen(self) -> NotificationFilter:
        self.is_valid()
        data = getattr(self, "cleaned_data", {})
        return NotificationFilter(**{name: value for name, value in data.items() if value})

    def narrows(self) -> bool:
        """Whether anything is filtered out."""
        return self.chosen() != NotificationFilter()
