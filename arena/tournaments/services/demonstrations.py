"""What a new installation begins with: house bots, and two tournaments of them that people can watch.

Invariant: demonstrations are created only where no tournament exists, so a second start changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from arena.accounts.services import house_account
from arena.games.registry import GAMES
from arena.submissions.house import install_house_bots
from arena.tournaments.models import Format, Tournament
from arena.tournaments.queries import entries
from arena.tournaments.services import creating
from arena.tournaments.services.creating import TournamentPlan

# Entries close at once; the tournaments wait for the checks of the house bots and then start.
SOON = timedelta(seconds=3)
# Who plays in a demonstration, of games in which some house bots think for a second a move: their checks alone take
# half a minute each, and the first page would show nothing so long.
QUICK: Final[Mapping[str, tuple[str, ...]]] = {
    "reversi": ("Corners", "Least mobility", "Most discs", "Random move"),
}


@dataclass(frozen=True, slots=True)
class Seeded:
    """How many house bots were uploaded, and the tournaments that were created."""

    uploads: int
    tournaments: tuple[int, ...]


def seed(clock: Callable[[], datetime], rng: random.Random, *, force: bool = False) -> Seeded:
    """Install the house bots; create the demonstrations if there is no tournament, or by force."""
    uploads = len(install_house_bots(now=clock()))
    if Tournament.objects.exists() and not force:
        return Seeded(uploads, ())
    organizer = house_account()
    created = tuple(
        creating.create(organizer, plan, rng=rng, house_bots=_players(plan.game)) for plan in demonstrations(clock())
    )
    return Seeded(uploads, created)


def _players(game: str) -> list[int]:
    return [pk for pk, _ in entries.house_bots(game, names=QUICK.get(game))]


def demonstrations(now: datetime) -> tuple[TournamentPlan, ...]:
    """Played slowly and one match after the other: something to watch for most of an hour, on two of the workers."""
    return (
        TournamentPlan(
            name="House golden point",
            description="Our own bots around one table. Watch the golden number settle, then beat them.",
            game="golden_point",
            format=Format.TABLE,
            repeats=20,
            deadline=now + SOON,
            starts_at=now + SOON,
            settings=_settings("golden_point", numbers=2, rounds=400),
            limits=_limits(move_seconds=5.0, pace_seconds=0.4),
            parallel=1,
        ),
        TournamentPlan(
            name="House Reversi",
            description="Everybody against everybody among our own bots, five times with each colour.",
            game="reversi",
            format=Format.DOUBLE_ROUND_ROBIN,
            repeats=5,
            deadline=now + SOON,
            starts_at=now + SOON,
            settings=_settings("reversi"),
            limits=_limits(move_seconds=60.0, pace_seconds=0.7),
            parallel=1,
        ),
    )


def _settings(game: str, **chosen: int) -> dict[str, object]:
    rules = GAMES[game]
    return rules.settings_json(rules.settings(chosen))


def _limits(*, move_seconds: float, pace_seconds: float) -> dict[str, object]:
    return {
        "move_seconds": move_seconds,
        "start_seconds": 10.0,
        "illegal_answers": 3,
        "pace_seconds": pace_seconds,
    }
