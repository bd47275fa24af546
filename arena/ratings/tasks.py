"""Celery tasks for ratings and the ladder."""

import random

from django.conf import settings
from django.utils import timezone

from arena.celery import app
from arena.games.registry import GAMES
from arena.ratings import ladder as ladders
from arena.ratings import services, spare_capacity


@app.task(name="arena.ratings.tasks.refresh")
def refresh() -> None:
    """Update the ratings from the match log."""
    for game in GAMES:
        services.refresh(game)


@app.task(name="arena.ratings.tasks.ladder")
def ladder() -> None:
    """Let idle workers play on the ladder, or yield to other work."""
    if settings.LADDER:
        now = timezone.now()
        ladders.tick(spare_capacity.measure_spare_capacity(now), now=now, rng=random.SystemRandom())
