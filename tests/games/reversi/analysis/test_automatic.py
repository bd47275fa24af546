"""Automatic analyses of key matches and lost matches: authors take turns, and requests from people come first."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from arena.accounts.models import User
from arena.games.base import Termination
from arena.games.reversi.analysis import analysis_job, automatic, queries, services, tasks
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.analysis.review import review
from arena.games.reversi.analysis.testing import ScriptedEngine, exact
from arena.games.reversi.verdict_messages import LOST_PROVEN
from arena.matches.models import Match, Purpose, Seat
from arena.notifications.kinds import notification_text
from arena.notifications.models import Notification
from arena.platform.jobs.fair_share import NOBODY, person_of
from arena.ratings import spare_capacity
from arena.submissions.models import Bot
from tests.factories import person, queued_match
from tests.games.reversi.analysis.matches import NOW, finished_match
from tests.platform.workers.workers import info, worker

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(hours=1)


def create_lost_match(owner: User, **columns: object) -> Match:
    return finished_match(white=owner, **columns)


def make_house_bot(match: Match, seat: int) -> None:
    bot = Seat.objects.get(match=match, index=seat).bots_submission.bot
    bot.is_house = True
    bot.save()


def next_owner() -> int | None:
    found = automatic.next_match(now=LATER)
    return person_of(found.party) if found else None


def test_newest_loss_is_analysed_and_only_one_at_a_time() -> None:
    create_lost_match(person())
    newest = create_lost_match(person())

    made = automatic.request_next_analysis(now=LATER)

    row = Analysis.objects.get(pk=made)
    assert (row.match_id, row.requested_by, row.status) == (newest.pk, None, AnalysisStatus.WAITING)
    assert automatic.request_next_analysis(now=LATER) is None
    assert not queries.is_under_way(), "the ladder continues beside it"


def _finish_analysis(analysis_id: int | None) -> None:
    assert analysis_id
    assert analysis_job.analyse(analysis_id, worker="w", engine=ScriptedEngine())


def _lose_match_now() -> datetime:
    now = timezone.now()
    create_lost_match(person(), finished_at=now)
    return now


def test_automatic_analyses_continue_while_matches_wait() -> None:
    now = _lose_match_now()
    for _ in range(3):
        queued_match(purpose=Purpose.TOURNAMENT)
    worker(replace(info(concurrency=1), queues=("matches.reversi",)), now=now)
    worker(replace(info(), pid=7, queues=("analysis.reversi",)), now=now)
    assert spare_capacity.measure_spare_capacity(now).is_short

    tasks.request_automatic()

    assert Analysis.objects.count() == 1


def test_no_analysis_is_requested_without_an_analysis_worker() -> None:
    worker(replace(info(), queues=("matches.reversi",)), now=_lose_match_now())

    tasks.request_automatic()

    assert not Analysis.objects.exists()


@pytest.mark.long
def test_author_with_fewest_analyses_is_next_and_ladder_is_capped_daily(settings: Any) -> None:
    rare, often = person(), person()
    create_lost_match(rare, purpose=Purpose.LADDER)
    for _ in range(3):
        create_lost_match(often, purpose=Purpose.LADDER)
    order = []
    for _ in range(3):
        made = automatic.request_next_analysis(now=LATER)
        assert made
        order.append(Analysis.objects.get(pk=made).party)
        analysis_job.analyse(made, worker="w", engine=ScriptedEngine())
    assert order == [f"user:{often.pk}", f"user:{rare.pk}", f"user:{often.pk}"]

    settings.LOSSES_ANALYSED_A_DAY = 2
    assert next_owner() is None
    create_lost_match(often, purpose=Purpose.TOURNAMENT)
    assert next_owner() == often.pk, "only the ladder plays without end"
    settings.LOSSES_ANALYSED_A_DAY = 0
    assert next_owner() is None


def test_ladder_losses_come_after_requested_matches(settings: Any) -> None:
    scrimmage = create_lost_match(person(), purpose=Purpose.SCRIMMAGE)
    ladder = create_lost_match(person(), purpose=Purpose.LADDER)
    matches = []
    while made := automatic.request_next_analysis(now=LATER):
        matches.append(Analysis.objects.get(pk=made).match)
        analysis_job.analyse(made, worker="w", engine=ScriptedEngine())
    assert matches == [scrimmage, ladder]


def _next_with_key_matches(key_matches: list[int]) -> tuple[int, str] | None:
    found = automatic.next_match(now=LATER, recent_key_matches=lambda now: key_matches)
    return (found.match_id, found.party) if found else None


def test_key_tournament_matches_come_first_and_among_them_human_losses() -> None:
    loser = person()
    final = create_lost_match(loser, purpose=Purpose.TOURNAMENT)
    newer = create_lost_match(person(), purpose=Purpose.TOURNAMENT)
    of_bots = finished_match(purpose=Purpose.TOURNAMENT)
    for seat in (0, 1):
        make_house_bot(of_bots, seat)
    assert _next_with_key_matches([of_bots.pk, final.pk]) == (final.pk, f"user:{loser.pk}")
    assert _next_with_key_matches([of_bots.pk]) == (of_bots.pk, NOBODY)
    found = _next_with_key_matches([])
    assert found
    assert found[0] == newer.pk


@pytest.mark.parametrize("columns", [{"withheld": True}, {"termination": Termination.FORFEIT}])
def test_key_matches_without_a_turning_point_are_skipped(columns: Any) -> None:
    match = finished_match(purpose=Purpose.TOURNAMENT)
    for seat in (0, 1):
        make_house_bot(match, seat)
    Match.objects.filter(pk=match.pk).update(**columns)

    assert _next_with_key_matches([match.pk]) is None


def test_key_match_lost_only_by_house_bots_is_analysed_once() -> None:
    match = finished_match(purpose=Purpose.TOURNAMENT)
    for seat in (0, 1):
        make_house_bot(match, seat)
    found = automatic.next_match(now=LATER, recent_key_matches=lambda now: [match.pk])
    assert found
    _finish_analysis(automatic._request_analysis(found, LATER))

    assert _next_with_key_matches([match.pk]) is None
    row = Analysis.objects.get(match=match)
    assert (row.status, row.party, row.requested_by) == (AnalysisStatus.DONE, NOBODY, None)


@pytest.mark.parametrize(
    "columns", [{"withheld": True}, {"purpose": Purpose.VERSION_TEST}, {"finished_at": NOW - timedelta(days=9)}]
)
def test_withheld_old_and_version_test_matches_are_skipped(columns: Any) -> None:
    create_lost_match(person(), **columns)

    assert next_owner() is None


def test_forfeits_of_house_bots_and_unrecorded_matches_are_skipped() -> None:
    make_house_bot(create_lost_match(person()), seat=1)
    Seat.objects.filter(match=create_lost_match(person()), index=1).update(fault="timeout")
    create_lost_match(person()).record.delete()

    assert next_owner() is None


def test_automatic_analysis_yields_to_requested_ones() -> None:
    create_lost_match(person())
    own = automatic.request_next_analysis(now=LATER)
    assert own
    requested = services.analyse_match(person(), finished_match().pk, now=LATER)
    first = services.ANALYSES.claims_in_turn(own, services.SHARED_QUEUE, worker="w")()
    assert first
    assert first.pk == requested

    time = [0.0]
    stop = automatic.preemptible_stop(Analysis.objects.get(pk=own), lambda: False, lambda: time[0])
    assert not stop()
    services.analyse_match(person(), finished_match().pk, now=LATER)
    assert not stop(), "it does not ask the database at every step"
    time[0] = 5.0
    assert stop()
    assert not automatic.preemptible_stop(Analysis.objects.get(pk=requested), lambda: False, lambda: time[0])()


def test_preempted_analysis_is_requeued_without_using_an_attempt() -> None:
    create_lost_match(person())
    own = automatic.request_next_analysis(now=LATER)
    assert own
    lease = services.ANALYSES.claim(own, worker="w")
    assert lease
    services.analyse_match(person(), finished_match().pk, now=LATER)
    ticks = iter(range(0, 10_000, 10))

    def work(stop: Any) -> bool:
        return analysis_job._analyse(ScriptedEngine(), lambda: float(next(ticks)), lease, stop)

    assert not services.ANALYSES.run_job(lease, work)
    row = Analysis.objects.get(pk=own)
    assert (row.status, row.attempts) == (AnalysisStatus.WAITING, 0)


def test_automatic_analysis_is_reassigned_to_the_person_who_requests_it() -> None:
    match, reader = create_lost_match(person()), person()
    own = automatic.request_next_analysis(now=LATER)

    assert services.analyse_match(reader, match.pk, now=LATER) == own
    row = Analysis.objects.get(pk=own)
    assert (row.requested_by, row.party) == (reader, f"user:{reader.pk}")


def test_review_counts_turns_and_names_the_losing_move() -> None:
    match = create_lost_match(person())
    unanalysed = review(match.pk)
    assert unanalysed
    assert (unanalysed.verdicts, unanalysed.evaluation) == ((), None)
    own = automatic.request_next_analysis(now=LATER)
    assert own
    # White answers the fifth move of the line wrongly. That move is turn 3 because the match began with two opening
    # moves.
    analysis_job.analyse(own, worker="w", engine=ScriptedEngine({5: exact(5, -4, "F3", 64)}))

    found = review(match.pk)

    assert found
    assert found.evaluation
    assert found.evaluation.leads == [0, 0, 0, -4, 0, 0, 0, 0]
    (verdict,) = found.verdicts
    assert (verdict.seat, verdict.turn) == (1, 4)
    assert verdict.message.code == LOST_PROVEN.code
    assert (verdict.message.parameters["move"], verdict.message.parameters["best"]) == ("D6", "F3")


def _loss_notifications(owner: User) -> list[tuple[str, str, str]]:
    rows = Notification.objects.filter(recipient=owner, kind="loss").order_by("pk")
    return [(text.title, text.body, text.path) for row in rows for text in (notification_text(row.kind, row.context),)]


def _analyse_next() -> Match:
    own = automatic.request_next_analysis(now=LATER)
    assert own
    analysis_job.analyse(own, worker="w", engine=ScriptedEngine({5: exact(5, -4, "F3", 64)}))
    match = Analysis.objects.get(pk=own).match
    assert match
    return match


def test_author_gets_one_notification_a_day_about_every_verdict() -> None:
    owner = person("loser")
    create_lost_match(owner)
    create_lost_match(owner)
    Bot.objects.exclude(owner=owner).update(texts={"zh-hans": {"name": "抢角"}})
    first = _analyse_next()
    ((title, body, path),) = _loss_notifications(owner)
    black, white = (Seat.objects.get(match=first, index=seat).bots_submission.bot.name for seat in (0, 1))
    assert title == f"{white} lost to {black}"
    assert re.search(r"\b4\b.*\bD6\b.*\b68\b.*\bF3\b", body)
    assert path == f"/matches/{first.pk}/?at=4"
    with translation.override("zh-hans"):
        assert "抢角" in _loss_notifications(owner)[0][0], (
            "workers write notices in English; their readers may not read it"
        )
    _analyse_next()
    assert Notification.objects.filter(kind="loss").count() == 1, "the winner hears nothing"
    row = Notification.objects.get(kind="loss")
    text = notification_text(row.kind, row.context)
    assert text.title.startswith("2 losses. Latest: ")
    assert len({text.path, *(one.path for one in text.more)}) == 2


def test_requested_analysis_sends_no_notification() -> None:
    match, reader = create_lost_match(person()), person()
    requested = services.analyse_match(reader, match.pk, now=LATER)
    analysis_job.analyse(requested, worker="w", engine=ScriptedEngine({5: exact(5, -4, "F3", 64)}))
    assert not Notification.objects.exists()


def test_no_notification_is_sent_for_a_withheld_result() -> None:
    match = create_lost_match(person())
    own = automatic.request_next_analysis(now=LATER)
    assert own
    Match.objects.filter(pk=match.pk).update(withheld=True)
    analysis_job.analyse(own, worker="w", engine=ScriptedEngine({5: exact(5, -4, "F3", 64)}))
    assert Analysis.objects.get(pk=own).status == AnalysisStatus.DONE
    assert not Notification.objects.exists()


@pytest.mark.parametrize("is_analysed", [False, True])
def test_match_page_reads_the_analysis_once(client: Client, is_analysed: bool) -> None:
    match = create_lost_match(person())
    if is_analysed:
        own = automatic.request_next_analysis(now=LATER)
        assert own
        analysis_job.analyse(own, worker="w", engine=ScriptedEngine({5: exact(5, -4, "F3", 64)}))
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/matches/{match.pk}/").content.decode()
    assert f"/matches/{match.pk}/analysis/" in page
    read = [query["sql"] for query in queries if 'FROM "reversi_analysis_analysis"' in query["sql"]]
    assert len(read) == len(set(read)), read
