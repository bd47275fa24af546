"""What narrows the lists of tournaments and of a tournament's matches."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import BigIntegerField
from django.utils.translation import gettext_lazy as _

from arena.matches.models import MatchStatus
from arena.submissions.game_names import GAME_CHOICES
from arena.tournaments.models import TournamentStatus
from arena.tournaments.queries import MatchFilter, TournamentFilter


class TournamentFilterForm(forms.Form):
    """Narrows the list of tournaments; a value that does not exist is ignored, so that old links work."""

    game = forms.ChoiceField(
        label=_("Game"),
        choices=[("", _("All games")), *GAME_CHOICES],
        required=False,
    )
    status = forms.ChoiceField(
        label=_("Status"), choices=[("", _("Every status")), *TournamentStatus.choices], required=False
    )
    text = forms.CharField(label=_("Name"), max_length=80, required=False)
    course = forms.IntegerField(
        required=False, min_value=1, max_value=BigIntegerField.MAX_BIGINT, widget=forms.HiddenInput
    )

    def chosen(self) -> TournamentFilter:
        self.is_valid()
        data = getattr(self, "cleaned_data", {})
        return TournamentFilter(**{name: value for name, value in data.items() if value})


class TournamentMatchFilterForm(forms.Form):
    """Narrows the matches of a tournament."""

    entry = forms.TypedChoiceField(label=_("Bot"), coerce=int, empty_value=None, required=False)
    status = forms.ChoiceField(
        label=_("Status"), choices=[("", _("Every status")), *MatchStatus.choices], required=False
    )

    def __init__(self, *args: Any, entries: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entry"].choices = [("", _("All bots")), *entries]  # type: ignore[attr-defined]

    def chosen(self) -> MatchFilter:
        self.is_valid()
        data = getattr(self, "cleaned_data", {})
        return MatchFilter(**{name: value for name, value in data.items() if value})
