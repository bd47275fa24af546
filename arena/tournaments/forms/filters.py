"""Filters for the list of tournaments and for a tournament's matches."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import BigIntegerField
from django.utils.translation import gettext_lazy as _

from arena.games.sites import GAME_CHOICES
from arena.matches.models import MatchStatus
from arena.platform.page_addresses import FilterForm
from arena.tournaments.models import TournamentStatus
from arena.tournaments.queries.tournaments import TournamentFilter, TournamentMatchFilter


class TournamentFilterForm(FilterForm[TournamentFilter]):
    """The form that filters the list of tournaments."""

    filter_type = TournamentFilter

    game = forms.ChoiceField(
        label=_("Game"),
        choices=[("", _("All games")), *GAME_CHOICES],
        required=False,
    )
    status = forms.ChoiceField(
        label=_("Status"), choices=[("", _("All statuses")), *TournamentStatus.choices], required=False
    )
    text = forms.CharField(label=_("Name"), max_length=80, required=False)
    course = forms.IntegerField(
        required=False, min_value=1, max_value=BigIntegerField.MAX_BIGINT, widget=forms.HiddenInput
    )


class TournamentMatchFilterForm(FilterForm[TournamentMatchFilter]):
    """The form that filters the matches of a tournament."""

    filter_type = TournamentMatchFilter

    entry = forms.TypedChoiceField(label=_("Bot"), coerce=int, empty_value=None, required=False)
    status = forms.ChoiceField(
        label=_("Status"), choices=[("", _("All statuses")), *MatchStatus.choices], required=False
    )

    def __init__(self, *args: Any, entries: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entry"].choices = [("", _("All bots")), *entries]  # type: ignore[attr-defined]
