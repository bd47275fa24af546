"""Celery's doors to the services of matches."""

import os
import socket

from django.utils import timezone

from arena.celery import app
from arena.games import GAMES
from arena.matches import playing, ratings, services
from arena.matches.seating import jailed_players
from arena.referee.clock import SystemClock


def worker_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


@app.task(name=services.PLAY_TASK)
def play(match_id: int) -> None:
    """Play one match, if it still waits and this worker can jail bots."""
    playing.play(match_id, worker=worker_name(), seating=jailed_players, clock=SystemClock())


@app.task(name="arena.matches.tasks.sweep")
def sweep() -> None:
    """Wake workers for what lost its own."""
    services.sweep(now=timezone.now())


@app.task(name="arena.matches.tasks.rate")
def rate() -> None:
    """Bring the leaderboards up to date."""
    for game in GAMES:
        ratings.rebuild(game)
