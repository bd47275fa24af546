"""Duels for tests: created by the site's own services, and played by scripted bots without processes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from django.utils import timezone

from arena.accounts.models import User
from arena.core.referee.clock import FakeClock
from arena.core.referee.person import RESIGNED
from arena.core.referee.players import Player, PlayerGone
from arena.core.referee.testing import NEVER, ScriptedInbox, ScriptedPerson, ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.matches import playing
from arena.matches.models import Match
from arena.matches.playing import ClaimedMatch
from arena.play import answer_store, requests
from arena.play.answer_store import NOTHING
from arena.play.identity import Visitor
from arena.play.requests import DuelRequest
from arena.play.turns import DuelTurnLog
from arena.submissions.models import Bot
from tests.factories import bot, person
from tests.matches.scripted import WHITE


def house_bot(name: str = "Beginner", level: int | None = 1) -> Bot:
    made = bot(person(), name=name)
    Bot.objects.filter(pk=made.pk).update(is_house=True, level=level)
    return Bot.objects.get(pk=made.pk)


def create_duel(
    visitor: Visitor | User | None = None, against: Bot | None = None, *, seat: int = 0, clock: int = 600
) -> Match:
    who = visitor if isinstance(visitor, Visitor) else Visitor(visitor or person())
    wish = DuelRequest("reversi", ((against or house_bot()).pk,), seat, clock)
    return Match.objects.get(pk=requests.request_duel(who, wish, now=timezone.now(), rng=random.Random(1)))


class RowInbox(ScriptedInbox):
    """An inbox for a scripted person who answers through the database row.

    Calls one of ``acts`` per turn; when none is left, the person is silent and the worker is asked to stop.
    """

    def __init__(
        self, clock: FakeClock, match: Match, turns: DuelTurnLog, acts: Sequence[Callable[[int], None]]
    ) -> None:
        super().__init__(clock, ())
        self.stopped = False
        self._match, self._turns, self._acts = match, turns, list(acts)
        self._row_clock = clock

    def open_request(self) -> None:
        turn = self._turns.newest + 1
        answer_store.open_request(self._match.pk, turn, now=timezone.now(), again=False)
        if self._acts:
            self._acts.pop(0)(turn)
        else:
            self.stopped = True
        self._input = answer_store.person_input(self._match.pk, turn)
        self.ready_at = self._row_clock.now() + 1.0 if self._input != NOTHING else NEVER

    def take_answer(self) -> Json:
        if self._row_clock.now() < self.ready_at:
            return None
        if self._input.resigned:
            raise PlayerGone(RESIGNED)
        return self._input.answer


def play_duel(match: Match, acts: Sequence[Callable[[int], None]], bots: Sequence[Json] = WHITE) -> bool:
    """Play a duel as a worker does, with a scripted person; return whether a result was stored."""
    clock, turns = FakeClock(), DuelTurnLog()
    inbox = RowInbox(clock, match, turns, acts)

    def seating(job: ClaimedMatch, stack: ExitStack) -> list[Player]:
        scripted = [ScriptedTurn(answer=move, takes=0.25) for move in bots]
        return [
            ScriptedPlayer(clock, scripted) if submission else ScriptedPerson(inbox) for submission in job.submissions
        ]

    return playing.play(match.pk, worker="w", seating=seating, clock=clock, log=turns, stopping=lambda: inbox.stopped)
