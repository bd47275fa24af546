"""Celery's doors to the services of duels."""

from contextlib import ExitStack

from arena.celery import app
from arena.duels import hints
from arena.duels.advisers import JailedAdvisers
from arena.duels.seating import DuelSeating
from arena.duels.turns import KeptTurns
from arena.fleet.draining import Draining
from arena.leases.workers import worker_name
from arena.matches import playing, services
from arena.referee.clock import SystemClock
from arena.submissions.jail import fork_server_if_possible


@app.task(name=services.DUEL_TASK)
def play(match_id: int) -> None:
    """Play one person's match, or go on with it. A worker that cannot jail bots leaves it to others, unclaimed.

    One that is told to end gives it back between two looks at the clock: another goes on with it in a moment.
    """
    server = fork_server_if_possible(f"duel {match_id}")
    if server is None:
        return
    turns = KeptTurns()
    seating = DuelSeating(server, turns)
    clock = SystemClock()
    playing.play(match_id, worker=worker_name(), seating=seating, clock=clock, stopping=Draining(), log=turns)


@app.task(name=hints.HINT_TASK)
def hint(hint_id: int) -> None:
    server = fork_server_if_possible(f"hint {hint_id}")
    if server is None:
        return
    with ExitStack() as stack:
        hints.compute(hint_id, adviser=JailedAdvisers(server, stack), clock=SystemClock())
