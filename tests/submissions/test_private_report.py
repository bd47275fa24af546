"""The submission page explains what a bot did wrong in its check."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from arena.core.referee.check import Check
from arena.core.referee.check_report import CheckReport, CheckStep
from arena.core.referee.clock import FakeClock
from arena.core.referee.faults import FaultKind
from arena.core.referee.position import Position
from arena.core.referee.spec import MatchLimits
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.registry import GAMES
from arena.platform.live.testing import memory_broker
from arena.submissions import check_job
from arena.submissions.check_job import CheckJob
from arena.submissions.models import Submission, SubmissionStatus
from tests.core.referee.matches import first_legal
from tests.factories import bot, submission
from tests.note_codes import note_codes
from tests.submissions.readers import READERS, client_of

pytestmark = pytest.mark.django_db(transaction=True)

CRASH = ScriptedTurn(
    failed={"cause": "exception", "message": "KeyError: 3", "traceback": "Traceback (most recent call last)"},
    prints=b"last words\n",
)
REFUSED = ScriptedTurn(answer="A1", prints=b"I try A1\n")


@pytest.fixture(autouse=True)
def _broker() -> Iterator[None]:
    with memory_broker():
        yield


@pytest.fixture
def row() -> Submission:
    return submission(bot(playable=False), SubmissionStatus.WAITING)


def check(row: Submission, *turns: ScriptedTurn, start: dict[str, ScriptedTurn] | None = None) -> None:
    """Run the real check with a scripted bot, which plays ``turns`` and then the first legal move in every turn."""
    clock = FakeClock()

    def seat(folder: Path) -> ScriptedPlayer:
        if folder.name == "house":
            return ScriptedPlayer(clock, then=first_legal)
        return ScriptedPlayer(clock, turns, then=first_legal, start=start)

    def checker(job: CheckJob, on_step: Callable[[CheckStep], None], stop: Callable[[], bool]) -> CheckReport:
        return Check(seat, GAMES[job.game], MatchLimits(), clock, on_step, stop=stop).run(Path("bot"), Path("house"))

    assert check_job.check(row.pk, worker="w", checker=checker)
    row.refresh_from_db()


def page(row: Submission, client: Client | None = None) -> str:
    reader = client or client_of("owner", row.bot.owner)
    return reader.get(reverse("submission", args=[row.pk])).content.decode()


def articles(row: Submission) -> list[str]:
    return re.findall(r'<article class="card diagnosis".*?</article>', page(row), re.DOTALL)


def address(row: Submission, turn: int, attempt: int = 1) -> str:
    return reverse("submission-position", args=[row.pk, turn, attempt])


def position(row: Submission, turn: int, attempt: int = 1) -> Position:
    client = client_of("owner", row.bot.owner)
    return Position.from_json(json.loads(client.get(address(row, turn, attempt)).content), GAMES)


def test_failed_match_is_explained_like_any_other(row: Submission) -> None:
    check(row, REFUSED, ScriptedTurn(answer="D3"), CRASH)
    assert row.status == SubmissionStatus.FAILED
    crash, refused = articles(row)
    for expected in ("KeyError: 3", "Traceback (most", "at move 3", "last words", "Legal moves", "charged"):
        assert expected in crash
    assert "I try A1" not in crash
    assert "I try A1" in refused
    assert f"python -m bots replay check-{row.pk}-turn-3.json mine.py" in crash
    observed = position(row, 3).observed
    assert observed
    assert (observed.fault, observed.message) == (FaultKind.CRASH, "KeyError: 3")
    assert position(row, 1).observed != observed


def test_bot_that_fails_to_start_has_the_initial_state(row: Submission) -> None:
    check(row, start={"import": CRASH})
    (start,) = articles(row)
    assert 'data-kind="start"' in start
    assert "last words" in start
    there = position(row, 0)
    assert (there.turns, there.game, there.seat) == ([], "reversi", 0)


def test_passed_bot_report_lists_illegal_answers(row: Submission) -> None:
    check(row, REFUSED)
    assert row.status == SubmissionStatus.PASSED
    (refused,) = articles(row)
    assert "I try A1" in refused
    assert "illegal_answers" in note_codes(page(row))
    assert position(row, 1).turns == []


def test_bot_without_faults_has_an_empty_report(row: Submission) -> None:
    check(row)
    assert articles(row) == []
    assert "illegal_answers" not in note_codes(page(row))


@pytest.mark.parametrize("reader", READERS)
def test_only_author_and_staff_can_download_states(row: Submission, reader: str) -> None:
    check(row, CRASH)
    client = client_of(reader, row.bot.owner)
    expected = {"owner": 200, "staff": 200, "anonymous": 302}.get(reader, 403)
    assert client.get(address(row, 1)).status_code == expected
    assert ("KeyError" in page(row, client)) is (expected == 200)


@pytest.mark.parametrize(("turn", "attempt"), [(2, 1), (1, 2), (0, 1)])
def test_state_of_a_nonexistent_attempt_returns_404(row: Submission, turn: int, attempt: int) -> None:
    check(row, CRASH)
    assert client_of("owner", row.bot.owner).get(address(row, turn, attempt)).status_code == 404
