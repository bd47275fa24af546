"""On PostgreSQL, nobody who has locked a tournament waits for a match whose end is being stored.

``test_lock_order`` runs these tests: only there does the database lock single rows.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest
from django.db import connection, connections, transaction

from arena.games.base import Outcome, Termination
from arena.matches.callbacks import StoredResult
from arena.matches.models import Match, MatchStatus
from arena.platform.jobs.lifecycle import MAX_ATTEMPTS
from arena.platform.live.testing import memory_broker
from arena.tournaments import scheduler
from arena.tournaments.entries import registration
from arena.tournaments.match_callbacks import CALLBACKS
from arena.tournaments.models import Tournament
from arena.tournaments.services import controls, result_release
from tests.running_site import eventually
from tests.tournaments.harness import TournamentHarness

pytestmark = pytest.mark.django_db(transaction=True)


def run_while_match_ends(match: Match, status: MatchStatus, action: Callable[[], object]) -> None:
    """Run ``action`` in another thread between the two locks of the transaction that stores the end of a match."""
    ended = threading.Event()

    def run() -> None:
        try:
            action()
        finally:
            ended.set()
            connections.close_all()

    with ThreadPoolExecutor() as threads:
        with transaction.atomic():
            Match.objects.filter(pk=match.pk).update(status=status)
            done = threads.submit(run)
            eventually(lambda: ended.is_set() or _is_waiting(), "neither ends nor waits")
            if status == MatchStatus.FINISHED:
                outcome = Outcome((1.0, 0.0), (1, 2), (1.0, -1.0), Termination.COMPLETED)
                CALLBACKS.finished(StoredResult(match.pk, outcome, ("", "")))
            else:
                CALLBACKS.void(match.pk)
        done.result()


def _is_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])


def test_results_are_released_while_a_result_is_stored() -> None:
    with memory_broker() as broker:
        stage = TournamentHarness(broker, lambda execute: nullcontext())
        cup = stage.start_tournament(4, withheld=True, parallel=1)
        (match,) = stage.matches(cup, MatchStatus.QUEUED)
        stage.begin_match(match)
        release = result_release.release_results
        run_while_match_ends(match, MatchStatus.FINISHED, lambda: release(cup.pk, actor=stage.organizer, now=stage.now))
        assert stage.matches(cup)
        assert not any(one.withheld for one in stage.matches(cup))


def test_an_interrupted_release_is_completed_while_a_result_is_stored() -> None:
    with memory_broker() as broker:
        stage = TournamentHarness(broker, lambda execute: nullcontext())
        cup = stage.start_tournament(4, withheld=True, parallel=1)
        (match,) = stage.matches(cup, MatchStatus.QUEUED)
        stage.begin_match(match)
        result_release.release_results(cup.pk, actor=stage.organizer, now=stage.now)
        Match.objects.filter(pk=match.pk).update(withheld=True)  # as if the process had been killed after the commit
        run_while_match_ends(match, MatchStatus.FINISHED, lambda: scheduler.tick(now=stage.now))
        assert not any(one.withheld for one in stage.matches(cup))


@pytest.mark.parametrize("change", ["pause", "cancel", "withdraw"])
def test_a_tournament_changes_while_an_exhausted_match_becomes_void(change: str) -> None:
    def act(stage: TournamentHarness, cup: Tournament, match: Match) -> None:
        if change == "pause":
            controls.pause(cup.pk, actor=stage.organizer, now=stage.now)
        elif change == "cancel":
            controls.cancel_tournament(cup.pk, actor=stage.organizer, now=stage.now)
        else:
            entry = match.pairing.seats.get(index=0).entry_id
            registration.withdraw(entry, actor=stage.organizer, now=stage.now)

    with memory_broker() as broker:
        stage = TournamentHarness(broker, lambda execute: nullcontext())
        cup = stage.start_tournament(4, parallel=1)
        (match,) = stage.matches(cup, MatchStatus.QUEUED)
        Match.objects.filter(pk=match.pk).update(attempts=MAX_ATTEMPTS)
        run_while_match_ends(match, MatchStatus.VOID, lambda: act(stage, cup, match))
        match.refresh_from_db()
        assert match.status == MatchStatus.VOID
