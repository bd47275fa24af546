"""Fair share: whatever the order of requests, the parties that share worker processes are served round robin.

A party is a person or, for guests, a network address.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.platform.jobs import fair_share
from arena.platform.jobs.fair_share import (
    SharedQueue,
    claim_next,
    concurrency_limit,
    count_rows_ahead,
    network_party,
    person_party,
    waiting_in_turn,
)
from arena.platform.jobs.lifecycle import Lease, leased_row, release
from arena.submissions.check_job import JOBS, SHARED_QUEUE
from arena.submissions.models import Bot, Submission, SubmissionStatus
from tests.factories import bot

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def some_bot() -> Bot:
    return bot(playable=False)


def queue_requests(some_bot: Bot, *parties: str) -> list[int]:
    """Queue one request from each of these people or networks, in this order, and return the request ids."""
    number = some_bot.submissions.count()
    return [
        Submission.objects.create(bot=some_bot, number=number + at, sha256="0" * 64, size=1, party=party).pk
        for at, party in enumerate(parties, start=1)
    ]


def claim() -> Lease:
    lease = claim_next(SHARED_QUEUE, worker="w", now=NOW)
    assert lease is not None
    return lease


def party_of(lease: Lease) -> str:
    return str(Submission.objects.values_list("party", flat=True).get(pk=lease.pk))


def finish_match(lease: Lease) -> None:
    assert leased_row(lease).update(status=SubmissionStatus.PASSED)


def serve_requests(count: int, processes: int) -> list[str]:
    """Return who sent each of the next ``count`` requests, in the order in which they are claimed.

    All ``processes`` are kept busy; the request that has been running longest always ends first.
    """
    busy, order = [claim() for _ in range(processes)], []
    order = [party_of(lease) for lease in busy]
    while len(order) < count:
        finish_match(busy.pop(0))
        busy.append(claim())
        order.append(party_of(busy[-1]))
    return order


def test_single_request_does_not_wait_behind_fifty_of_another_party(some_bot: Bot) -> None:
    queue_requests(some_bot, *["ada"] * 50, "bob", "bob", "eve")
    assert serve_requests(7, processes=1) == ["ada", "bob", "eve", "ada", "bob", "ada", "ada"]


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_parties_get_equal_numbers_of_turns(some_bot: Bot, processes: int) -> None:
    queue_requests(some_bot, *["ada"] * 30, *["bob"] * 8, *["eve"] * 8)
    assert set(Counter(serve_requests(24, processes)).values()) == {8}


def test_running_jobs_count_before_waiting_ones(some_bot: Bot) -> None:
    queue_requests(some_bot, "ada", "ada", "ada")
    slow = [claim(), claim()]
    queue_requests(some_bot, "bob", "bob")
    first = claim()
    assert party_of(first) == "bob"
    assert party_of(claim()) == "bob", "with one running he still holds less than she does"
    finish_match(first)
    finish_match(slow[0])
    queue_requests(some_bot, "eve")
    assert party_of(claim()) == "eve"
    assert party_of(claim()) == "ada"


def test_oldest_request_of_a_party_comes_first(some_bot: Bot) -> None:
    pks = queue_requests(some_bot, "ada", "ada", "ada")
    assert [claim().pk for _ in pks] == pks
    assert claim_next(SHARED_QUEUE, worker="w", now=NOW) is None


def test_requeued_request_precedes_younger_ones_of_its_party(some_bot: Bot) -> None:
    first, _second = queue_requests(some_bot, "ada", "ada")
    release(claim(), counted=False)
    assert claim().pk == first


def test_interrupted_rows_precede_all_turns(some_bot: Bot) -> None:
    queue_requests(some_bot, "ada")
    (lost,) = queue_requests(some_bot, "bob")
    queue = SharedQueue(JOBS, before_turns=Q(pk=lost))
    assert waiting_in_turn(queue).values_list("pk", flat=True).first() == lost
    assert count_rows_ahead(queue, lost) == 0


def test_lost_claim_race_moves_on_to_the_next_row(some_bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = queue_requests(some_bot, "ada", "bob")
    real, races = fair_share.claim_row, [first]

    def claim_too_late(*args: object, **kwargs: object) -> Lease | None:
        if races:
            Submission.objects.filter(pk=races.pop()).update(status=SubmissionStatus.CHECKING)
            return None
        return real(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(fair_share, "claim_row", claim_too_late)
    assert claim().pk == second


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_position_in_the_queue_matches_the_order_of_service(some_bot: Bot, processes: int) -> None:
    queue_requests(some_bot, *["ada"] * 6, "bob", *["eve"] * 3, "bob", "ada")
    busy = [claim() for _ in range(processes)]
    waiting = list(Submission.objects.filter(status=SubmissionStatus.WAITING).values_list("pk", flat=True))
    places = {pk: count_rows_ahead(SHARED_QUEUE, pk) for pk in waiting}
    order = []
    for _ in waiting:
        finish_match(busy.pop(0))
        busy.append(claim())
        order.append(busy[-1].pk)
    assert places == {pk: place for place, pk in enumerate(order)}


def test_party_with_all_but_one_process_leaves_the_last_to_others(some_bot: Bot) -> None:
    queue = replace(SHARED_QUEUE, max_running=concurrency_limit(3))
    queue_requests(some_bot, "ada", "ada", "ada")
    held_by_ada = [claim_next(queue, worker="w", now=NOW) for _ in range(3)]
    assert held_by_ada[2] is None
    queue_requests(some_bot, "bob")
    lease = claim_next(queue, worker="w", now=NOW)
    assert lease is not None
    assert party_of(lease) == "bob"
    assert held_by_ada[0] is not None
    finish_match(held_by_ada[0])
    lease = claim_next(queue, worker="w", now=NOW)
    assert lease is not None
    assert party_of(lease) == "ada"


def test_queue_with_one_process_serves_every_party() -> None:
    assert concurrency_limit(1) is None
    assert concurrency_limit(0) is None, "nobody knows of the workers"


def test_match_that_lost_its_worker_ignores_the_limit_of_its_party(some_bot: Bot) -> None:
    queue_requests(some_bot, "ada")
    claim()
    (lost,) = queue_requests(some_bot, "ada")
    queue = SharedQueue(JOBS, before_turns=Q(pk=lost), max_running=1)
    lease = claim_next(queue, worker="w", now=NOW)
    assert lease is not None
    assert lease.pk == lost


def test_others_precede_a_party_at_its_limit(some_bot: Bot) -> None:
    queue = replace(SHARED_QUEUE, max_running=1)
    queue_requests(some_bot, "ada")
    claim()
    mine, later, others = *queue_requests(some_bot, "ada", "ada"), queue_requests(some_bot, "bob")[0]
    assert [count_rows_ahead(queue, pk) for pk in (others, mine, later)] == [0, 1, 2]


def test_choice_is_one_query_without_a_full_table_scan(some_bot: Bot) -> None:
    queue_requests(some_bot, *["ada"] * 5, "bob")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        waiting_in_turn(SHARED_QUEUE).values_list("pk", flat=True).first()
    assert len(queries) == 1
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("EXPLAIN QUERY PLAN " + queries[0]["sql"])
            plan = [str(row[3]) for row in cursor.fetchall()]
            assert not [line for line in plan if line.startswith("SCAN")], plan


def test_parties_of_networks_and_people_differ() -> None:
    assert len({network_party("1"), network_party("2"), person_party(1), person_party(2), person_party(None)}) == 5
    assert len(network_party("a" * 64)) <= Submission._meta.get_field("party").max_length
