"""Long matches are sent in pages of turns, which hide the same information as short matches do."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arena.core.referee.clock import FakeClock
from arena.core.referee.players import Player
from arena.core.referee.replay import replay
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.registry import GAMES
from arena.matches import playing
from arena.matches.broadcast import first_event_number, topic
from arena.matches.models import Match, MatchHistory, MatchStatus, Purpose, TurnPage
from arena.matches.playing import ClaimedMatch
from arena.matches.records import record_of
from arena.matches.services import MatchRequest, create_matches
from arena.matches.snapshots import match_snapshot, snapshot, turn_page
from arena.matches.turn_pages import PAGE_BYTES, WHOLE_BYTES, TurnBatch, size_of, split_into_pages
from arena.platform.live.publisher import Journal
from arena.platform.live.testing import MemoryBroker
from tests.factories import bot, queued_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

SEATS, ROUNDS = 60, 60
MAX_BYTES = 60_000  # maximum size of a compressed first snapshot


def turns_of(count: int, size: int) -> Iterator[Json]:
    for number in range(count):
        moves = [{"seat": number % 2, "move": 1, "seconds": 0.5, "fault": None}] if number else []
        yield {"number": number, "moves": moves, "view": {"text": "x" * size}}


@pytest.fixture
def long_match() -> Match:
    """Play a golden-point match with many seats, some of which think longer than others."""
    seats = tuple(bot(game="golden_point").active_id or 0 for _ in range(SEATS))
    request = MatchRequest("golden_point", {"numbers": 2, "rounds": ROUNDS}, {}, 1, Purpose.SCRIMMAGE, seats)
    (pk,) = create_matches([request])
    clock = FakeClock()

    def seating(job: ClaimedMatch, stack: ExitStack) -> Sequence[Player]:
        return [ScriptedPlayer(clock, then=lambda request, seat=seat: _numbers(seat)) for seat in range(SEATS)]  # type: ignore[misc]

    assert playing.play(pk, worker="w", seating=seating, clock=clock)
    return Match.objects.get(pk=pk)


def _numbers(seat: int) -> ScriptedTurn:
    return ScriptedTurn([1 + seat / 7, 90 - seat / 3], takes=0.001 * seat)


def test_pages_are_small_and_contain_all_turns() -> None:
    turns = list(turns_of(20, PAGE_BYTES // 3))
    pages = list(split_into_pages(turns, 2))
    assert [turn for page in pages for turn in page.turns] == turns
    assert len(pages) > 5
    assert all(sum(map(size_of, page.turns)) <= PAGE_BYTES for page in pages)
    assert [page.first for page in pages] == [page.turns[0]["number"] for page in pages]
    assert pages[1].spent == [0.5 * sum(turn["number"] % 2 == seat for turn in pages[0].turns[1:]) for seat in (0, 1)]
    assert TurnBatch.decompress(pages[1].compress()) == pages[1]


def test_turn_larger_than_a_page_has_its_own_page() -> None:
    assert [len(page.turns) for page in split_into_pages(turns_of(3, PAGE_BYTES * 2), 2)] == [1, 1, 1]


def test_short_match_is_sent_in_full(client: Client) -> None:
    match = queued_match()
    assert snapshot(match.pk).keys().isdisjoint({"first", "turns_url", "overview"})


@pytest.mark.long
def test_long_match_is_loaded_from_its_end(long_match: Match, client: Client) -> None:
    assert MatchHistory.objects.filter(match=long_match).exists()  # prepared by the worker for the first visitor
    record = record_of(long_match.pk)
    assert record
    turns = replay(record, GAMES)
    assert sum(map(size_of, turns)) > WHOLE_BYTES
    found = match_snapshot(long_match.pk)
    assert found.sent["turns"] == turns[found.sent["first"] :]
    assert 0 < found.sent["first"] < ROUNDS
    assert len(gzip.compress(json.dumps(found.sent).encode())) < MAX_BYTES
    assert found.sent["overview"]["golden"] == [
        turn["view"]["golden"] and round(turn["view"]["golden"], 4) for turn in turns
    ]
    assert len(found.turns) == len(turns)
    assert found.turns[7] == turns[7]
    assert found.turns[-1] == turns[-1]
    assert found.turns[3:6] == turns[3:6]
    spent = [
        sum(move["seconds"] for turn in turns[: found.sent["first"]] for move in turn["moves"] if move["seat"] == seat)
        for seat in (0, 9)
    ]
    assert [found.sent["spent"][seat] for seat in (0, 9)] == pytest.approx(spent)


@pytest.mark.long
def test_every_turn_is_on_a_cacheable_page(long_match: Match, client: Client) -> None:
    sent = snapshot(long_match.pk)
    found: dict[int, Json] = {}
    for first in sent["pages"]:
        answer = client.get(f"{sent['turns_url']}{first}.json", {"of": sent["of"]}, headers={"accept-encoding": "gzip"})
        assert answer["Content-Encoding"] == "gzip"
        assert "immutable" in answer["Cache-Control"]
        assert "private" in answer["Cache-Control"]
        page = json.loads(gzip.decompress(answer.content))
        assert page["first"] == first
        found |= {turn["number"]: turn for turn in page["turns"]}
    assert sorted(found) == list(range(ROUNDS + 1))
    assert found[9]["view"]["round"] == 9
    _compare_record(long_match, client)


def _compare_record(match: Match, client: Client) -> None:
    """Assert that the download equals the stored record, and stays compressed for clients that accept compression."""
    record = record_of(match.pk)
    assert record
    url = reverse("match-record", args=[match.pk])
    assert client.get(url).json() == json.loads(json.dumps(record.to_json()))
    packed = client.get(url, headers={"accept-encoding": "gzip, deflate"})
    assert packed["Content-Encoding"] == "deflate"
    assert len(packed.content) == len(bytes(match.record.data))


@pytest.mark.long
def test_response_without_version_is_not_cacheable(long_match: Match, client: Client) -> None:
    url = reverse("match-turns", args=[long_match.pk, 5])
    plain = client.get(url)
    assert plain["Cache-Control"] == "no-store"
    # uncompressed for clients that do not accept gzip
    assert any(turn["number"] == 5 for turn in plain.json()["turns"])
    assert client.get(url, headers={"if-none-match": plain["ETag"]}).status_code == 304
    assert client.get(reverse("match-turns", args=[long_match.pk, ROUNDS + 1])).status_code == 404
    Match.objects.update(withheld=True)
    assert client.get(url).status_code == 404  # readers who may not see the match get none of its pages


@pytest.mark.long
def test_pages_of_another_code_version_are_recomputed(long_match: Match) -> None:
    MatchHistory.objects.update(version="older", overview=None)
    sent = snapshot(long_match.pk)
    assert sent["of"] != "older"
    assert sent["overview"]
    assert TurnPage.objects.filter(history__match=long_match).count() == len(sent["pages"])


@pytest.mark.long
def test_page_shows_any_turn_and_seat_without_javascript(long_match: Match, client: Client) -> None:
    url = reverse("match", args=[long_match.pk])
    early = client.get(url, {"at": "5"})
    assert re.search(r'class="chart__round">[^<]*\b5\b', early.content.decode())
    one = client.get(url, {"seat": "9", "moves": "2"}).content.decode()
    assert "Page 2 of 2" in one
    assert one.count("data-at=") == ROUNDS - 50  # turn 0 has no moves


@pytest.fixture
def running_match() -> Match:
    """Return a running match of 100 long turns, with a public stream and a private one."""
    match = queued_match()
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.RUNNING, fence=1)
    for name, text in ((topic(match.pk), "public"), (f"seats/{match.seats.first().pk}", "secret")):  # type: ignore[union-attr]
        journal = Journal(name, first_event_number(1))
        journal.publish({"type": "started"})
        for turn in turns_of(100, 9_000):
            journal.publish({"type": "turn", "turn": {**turn, "view": {**turn["view"], "who": text}}})
    return match


def test_running_match_is_paginated_from_its_viewers_stream(running_match: Match, client: Client) -> None:
    sent: dict[str, Any] = snapshot(running_match.pk)
    assert sent["seq"] == first_event_number(1) + 100
    assert sent["turns"][-1]["number"] == 99
    assert sent["turns"][0]["number"] == sent["first"] > 80
    assert sent["spent"] == [0.5 * len(range(2, sent["first"], 2)), 0.5 * len(range(1, sent["first"], 2))]
    answer = client.get(f"{sent['turns_url']}40.json")
    assert answer["Cache-Control"] == "no-store"
    page = answer.json()
    assert page["first"] <= 40 < page["first"] + len(page["turns"])
    assert len(page["turns"]) < 12
    assert "secret" not in json.dumps([page, sent])
    assert turn_page(running_match.pk, 99).version == ""


def test_viewers_receive_the_end_that_a_snapshot_does_not_show(running_match: Match, broker: MemoryBroker) -> None:
    name = topic(running_match.pk)
    journal = Journal(name, first_event_number(1) + 101)
    journal.publish({"type": "finished"})  # the match ends after its row was read
    sent = match_snapshot(running_match.pk).sent
    assert [event["type"] for event in broker.events(name) if event["seq"] > sent["seq"]] == ["finished"]


def test_lost_stream_has_no_page(running_match: Match, client: Client, broker: MemoryBroker) -> None:
    broker.delete_events(topic(running_match.pk), below=first_event_number(1) + 60)
    assert client.get(reverse("match-turns", args=[running_match.pk, 5])).status_code == 404
    assert client.get(reverse("match-turns", args=[running_match.pk, 95])).status_code == 200
    broker.disconnect()
    assert client.get(reverse("match", args=[running_match.pk])).status_code == 200
