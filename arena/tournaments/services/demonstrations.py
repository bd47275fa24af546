"""Create the initial content of a new installation: house bots and demonstration tournaments.

Invariant: demonstrations are created only if no tournament exists, so a second start changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from django.conf import settings
from django.utils import translation

from arena.accounts.services import house_account
from arena.games.registry import GAMES
from arena.games.site import Demonstration
from arena.games.sites import SITES
from arena.submissions.house import install_house_bots
from arena.tournaments.models import Format, Tournament
from arena.tournaments.queries import entries
from arena.tournaments.services import creation
from arena.tournaments.services.creation import TournamentPlan
from arena.ui.localized import ENGLISH

# Entries close immediately; the tournaments start after the house bots' checks.
SOON = timedelta(seconds=3)


class DemonstrationPolicy(Enum):
    """The policy that decides when to create demonstration tournaments."""

    NEVER = auto()
    WITHOUT_TOURNAMENTS = auto()  # if the site has no tournament
    ALWAYS = auto()


@dataclass(frozen=True, slots=True)
class SeedResult:
    """The result of seeding: the number of uploaded house bots, and the created tournaments."""

    uploads: int
    tournaments: tuple[int, ...]


def seed(
    clock: Callable[[], datetime],
    rng: random.Random,
    wanted: DemonstrationPolicy = DemonstrationPolicy.WITHOUT_TOURNAMENTS,
) -> SeedResult:
    """Install the house bots and create the requested demonstrations."""
    uploads = len(install_house_bots(now=clock()))
    if wanted is DemonstrationPolicy.NEVER or (
        wanted is not DemonstrationPolicy.ALWAYS and Tournament.objects.exists()
    ):
        return SeedResult(uploads, ())
    organizer = house_account()
    created = tuple(
        creation.create(organizer, plan, rng=rng, house_bots=_demonstration_players(plan.game, demonstration))
        for demonstration, plan in demonstrations(clock())
    )
    return SeedResult(uploads, created)


def _demonstration_players(game: str, demonstration: Demonstration) -> list[int]:
    return [pk for pk, _ in entries.house_bots(game, names=demonstration.players or None)]


def demonstrations(now: datetime) -> tuple[tuple[Demonstration, TournamentPlan], ...]:
    """Return the demonstration tournaments, which are slow and play one match at a time.

    With one worker per game, they can be watched for most of an hour.
    """
    return tuple((one, _plan(game, one, now)) for game, site in SITES.items() for one in site.demonstrations)


def _plan(game: str, demonstration: Demonstration, now: datetime) -> TournamentPlan:
    rules = GAMES[game]
    texts = {language: _texts_in(language, demonstration) for language, _ in settings.LANGUAGES}
    return TournamentPlan(
        name=texts[ENGLISH]["name"],
        description=texts[ENGLISH]["description"],
        texts=texts,
        game=game,
        format=Format(demonstration.format),
        repeats=demonstration.repeats,
        deadline=now + SOON,
        starts_at=now + SOON,
        settings=rules.settings_json(rules.settings(demonstration.settings)),
        limits={
            "move_seconds": demonstration.move_seconds,
            "start_seconds": 10.0,
            "illegal_answers": 3,
            "pace_seconds": demonstration.pace_seconds,
        },
        parallel=1,
    )


def _texts_in(language: str, demonstration: Demonstration) -> dict[str, str]:
    with translation.override(language):
        return {"name": str(demonstration.name), "description": str(demonstration.description)}
