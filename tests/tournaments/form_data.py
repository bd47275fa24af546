"""The tournament form as an organizer fills it in."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from arena.tournaments.forms.tournament import TournamentForm

NOW = timezone.now()
HOUSE = [(1, "Corners"), (2, "Random")]


def local_input(moment: datetime) -> str:
    """Format a time as a browser's date-time input sends it, in the site's time zone."""
    return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M")


def answers(**changes: Any) -> dict[str, Any]:
    return {
        "name": "Cup",
        "format": "round_robin",
        "repeats": "1",
        "start": "deadline",
        "deadline": local_input(NOW + timedelta(hours=2)),
        "entry_policy": "open",
        "entries_per_person": "1",
        "move_seconds": "60",
        "start_seconds": "10",
        "illegal_answers": "3",
        "pace_seconds": "0",
        "parallel": "0",
        "record_retention": "site",
        "game-numbers": "2",
        "game-rounds": "100",
        **changes,
    }


def form(game: str = "reversi", **changes: Any) -> TournamentForm:
    return TournamentForm(answers(**changes), game=game, house_bots=HOUSE, now=NOW)
