"""Real bots in the real jail play a duel and give hints; the person answers through the database row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pytest_django import Settings

from arena.core.referee.clock import SystemClock
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.uploads.module_package import read_module
from arena.games.bot_packages import bots_folder
from arena.matches import playing
from arena.matches.models import MatchStatus
from arena.matches.verification import problems_of
from arena.platform.workers.jail_settings import sandbox_config
from arena.play import answering, hints
from arena.play.hints import JailedAdvisers
from arena.play.models import Duel, Hint
from arena.play.seating import DuelSeating
from arena.play.turns import DuelTurnLog
from arena.submissions import store
from arena.submissions.models import Submission
from tests.core.sandbox.configs import skip_unless_available
from tests.play.duels import create_duel, house_bot

pytestmark = [pytest.mark.sandbox, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    skip_unless_available(sandbox_config().mode.effective_mode)
    with ForkServer(sandbox_config()) as started:
        yield started


@pytest.fixture(autouse=True)
def folders(settings: Settings, tmp_path: Path) -> None:
    settings.SUBMISSIONS_DIR = tmp_path / "submissions"
    settings.SCRATCH_DIR = tmp_path / "scratch"


def test_house_bot_plays_a_person(server: ForkServer) -> None:
    folder = bots_folder("reversi") / "house"
    package = read_module(folder / "levels" / "beginner.py", folder)
    store.store_package(package)
    ours = house_bot()
    Submission.objects.filter(pk=ours.active_id).update(sha256=package.sha256)
    match = create_duel(against=ours)
    # Both of the person's inputs are stored before the match starts, so nothing here waits for a clock.
    answering.submit_move(match.pk, 1, "E6")
    Duel.objects.update(resigned=True)

    turns = DuelTurnLog()
    assert playing.play(match.pk, worker="w", seating=DuelSeating(server, turns), clock=SystemClock(), log=turns)
    match.refresh_from_db()
    assert (match.status, match.termination, match.turns) == (MatchStatus.FINISHED, "resignation", 3)
    assert problems_of(match.pk) == []
    mine, theirs = match.seats.order_by("index")
    assert (mine.fault, theirs.fault, theirs.rank) == ("resigned", "", 1)


def test_jailed_adviser_gives_hints(server: ForkServer) -> None:
    match = create_duel()
    hint = Hint.objects.create(duel_id=match.pk, turn=1)
    with ExitStack() as stack:
        assert hints.compute_next_hint(hint.pk, worker="w", adviser=JailedAdvisers(server, stack), clock=SystemClock())
    assert Hint.objects.get().answer in {"D3", "C4", "F5", "E6"}
