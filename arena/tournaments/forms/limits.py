"""The section of the tournament form for time limits and the spectator delay."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

LIMITS: Final = ("move_seconds", "start_seconds", "illegal_answers", "pace_seconds")


class LimitsForm(forms.Form):
    """The form for a match's limits (returned by ``limits``) and the maximum number of concurrent matches."""

    move_seconds = forms.FloatField(label=_("Seconds per move"), min_value=0.1, max_value=600)
    start_seconds = forms.FloatField(
        label=_("Startup limit (seconds)"),
        min_value=1,
        max_value=120,
        initial=10,
        help_text=_("Time limit for importing the module and creating the player object."),
    )
    illegal_answers = forms.IntegerField(
        label=_("Illegal answers"),
        min_value=1,
        max_value=10,
        initial=3,
        help_text=_("A bot forfeits the match after this many illegal answers for one move."),
    )
    pace_seconds = forms.FloatField(
        label=_("Spectator delay (seconds)"),
        min_value=0,
        max_value=5,
        initial=0,
        help_text=_("Minimum time per move, so that spectators can follow. Enter 0 for full speed."),
    )
    parallel = forms.IntegerField(
        label=_("Parallel matches"),
        min_value=0,
        max_value=64,
        initial=0,
        help_text=_("Enter 0 to use all workers, or 1 to play one match at a time."),
    )

    def limits(self) -> dict[str, Any]:
        """Return the limits of a match; the fields must have no errors."""
        return {name: self.cleaned_data[name] for name in LIMITS}
