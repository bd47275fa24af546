"""A match page says that its analysis is pending, and its script detects when the analysis is finished."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import User
from arena.games.reversi.analysis import analysis_job, automatic, services
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.analysis.testing import ScriptedEngine, exact
from arena.games.reversi.recorded_line import GAME
from arena.matches.models import Match, MatchRecord, Seat
from arena.matches.reviews import VerdictJob, expected_verdict
from arena.platform.jobs.fair_share import NOBODY
from arena.submissions.models import Bot
from tests.factories import person
from tests.games.reversi.analysis.matches import NOW, finished_match

pytestmark = pytest.mark.django_db


def lost_by(owner: User, **columns: object) -> Match:
    return finished_match(white=owner, **columns)


def _expected_states(client: Client, match: Match) -> tuple[str | None, list[str]]:
    """Return the state of the analysis that the page's script receives, and the states shown on the page."""
    page = client.get(f"/matches/{match.pk}/").content.decode()
    answer = client.get(reverse("match-verdict", args=[match.pk])).json()
    return answer["expected"], re.findall(r'data-expected="(\w+)"', page)


@pytest.mark.long
def test_match_page_says_that_a_verdict_is_expected_until_it_shows_it(client: Client) -> None:
    match = lost_by(person(), finished_at=timezone.now())
    assert _expected_states(client, match) == ("waiting", ["waiting"])
    own = automatic.request_next_analysis(now=timezone.now())
    assert own
    Analysis.objects.filter(pk=own).update(status=AnalysisStatus.RUNNING)
    assert _expected_states(client, match) == ("running", ["running"])
    Analysis.objects.filter(pk=own).update(status=AnalysisStatus.WAITING)
    analysis_job.analyse(own, worker="w", engine=ScriptedEngine({5: exact(5, -4, "F3", 64)}))
    assert _expected_states(client, match) == (None, [])
    assert "match-page__verdict" in client.get(f"/matches/{match.pk}/").content.decode()


@pytest.mark.parametrize("columns", [{"finished_at": NOW - timedelta(days=2)}, {"withheld": True}])
def test_no_verdict_is_expected_for_matches_that_are_not_analysed(client: Client, columns: Any) -> None:
    match = lost_by(person(), **{"finished_at": timezone.now(), **columns})
    client.force_login(person(is_staff=True))
    assert _expected_states(client, match) == (None, [])


def test_no_verdict_is_expected_without_automatic_analyses(client: Client, settings: Any) -> None:
    settings.LOSSES_ANALYSED_A_DAY = 0
    assert _expected_states(client, lost_by(person(), finished_at=timezone.now())) == (None, [])


def test_no_verdict_is_expected_after_a_failed_analysis_or_a_fault(client: Client) -> None:
    failed, fault = (lost_by(person(), finished_at=timezone.now()) for _ in range(2))
    Seat.objects.filter(match=fault, index=1).update(fault="timeout")
    Analysis.objects.filter(
        pk=automatic._request_analysis(automatic.AnalysisCandidate(failed.pk, NOBODY), timezone.now())
    ).update(status=AnalysisStatus.FAILED)
    assert [_expected_states(client, match)[0] for match in (failed, fault)] == [None, None]


def test_verdict_on_a_recent_key_match_between_house_bots_is_expected() -> None:
    match, unrecorded, forfeit = (finished_match(finished_at=timezone.now()) for _ in range(3))
    Bot.objects.update(is_house=True)
    MatchRecord.objects.filter(match=unrecorded).delete()
    Match.objects.filter(pk=forfeit.pk).update(termination="forfeit")

    def expected(match: Match, *, is_recent_key_match: bool = True) -> VerdictJob | None:
        return expected_verdict(match.pk, GAME, now=timezone.now(), is_recent_key_match=is_recent_key_match)

    assert expected(match) == VerdictJob.WAITING
    assert expected(match, is_recent_key_match=False) is None
    assert [expected(other) for other in (unrecorded, forfeit)] == [None, None]


def test_spectators_learn_of_a_requested_analysis(client: Client) -> None:
    match = finished_match()
    Bot.objects.update(is_house=True)
    assert _expected_states(client, match)[0] is None
    services.analyse_match(person(), match.pk, now=timezone.now())
    assert _expected_states(client, match) == ("waiting", ["waiting"])
