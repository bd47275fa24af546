"""Drafts and runs for tests, played by scripted bots with a fake clock."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from django.utils import timezone

from arena.accounts.models import User
from arena.core.referee.clock import FakeClock
from arena.core.referee.players import Player
from arena.core.referee.spec import MatchLimits
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.core.sandbox.uploads.package import MAIN
from arena.platform.jobs.lifecycle import claim
from arena.studio import playing, runs
from arena.studio.drafts import DraftFiles, Workspace
from arena.studio.models import Run
from arena.studio.runs import JOBS, RunRequest
from arena.submissions.models import Bot
from tests.factories import bot
from tests.matches.scripted import BLACK, WHITE
from tests.submissions.uploads import WORKING

Scripts = Callable[[int], Sequence[ScriptedTurn]]  # maps a seat's number to its turns


def winning_scripts(printed: bytes = b"") -> Scripts:
    """Return scripts for both seats, with which black's fifth move takes the last white disc."""
    return lambda seat: [ScriptedTurn(answer=move, takes=0.5, prints=printed) for move in (BLACK, WHITE)[seat]]


def start(owner: Bot, wish: RunRequest | None = None, *, seed: int = 1, person: User | None = None) -> Run:
    workspace = Workspace(person or owner.owner, owner.game, owner.pk)
    chosen = wish or RunRequest((bot(name="Opponent").pk,))
    return runs.request_run(
        workspace, owner.name, DraftFiles({MAIN: WORKING}), chosen, now=timezone.now(), rng=random.Random(seed)
    )


def play(
    run: Run,
    own: Scripts,
    other: Scripts | None = None,
    *,
    breaks: bool = False,
    starts: dict[str, ScriptedTurn] | None = None,
) -> bool:
    """Claim and play a run; return whether a result was stored.

    ``own``: scripts for the draft's seat; ``other``: scripts for its opponents' seats; ``starts``: the draft's answers
    before its first turn.
    """
    clock = FakeClock()

    def seat_players(run: Run, limits: MatchLimits, stack: ExitStack) -> Callable[[int], Sequence[Player]]:
        def players(seat: int) -> Sequence[Player]:
            return [
                ScriptedPlayer(
                    clock,
                    (own if index == seat else other or own)(index),
                    start=starts if index == seat else None,
                    breaks=breaks,
                )
                for index in range(len(run.opponents) + 1)
            ]

        return players

    lease = claim(JOBS, run.pk, worker="w", now=timezone.now())
    return lease is not None and playing.play_claimed(lease, seating=seat_players, clock=clock)
