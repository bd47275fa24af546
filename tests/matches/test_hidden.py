"""Viewers of a running match get only what they are permitted to see; after the match, they get everything."""

from __future__ import annotations

import json
import logging
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from arena.core.referee.bot_seeds import seat_key
from arena.core.referee.clock import FakeClock
from arena.core.referee.players import Player
from arena.core.referee.testing import ScriptedInbox, ScriptedPerson, ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.registry import GAMES
from arena.games.site import GameSite
from arena.games.sites import SITES
from arena.matches import playing
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.matches.playing import ClaimedMatch
from arena.matches.services import MatchRequest, cancel, create_matches
from arena.matches.snapshots import snapshot
from arena.platform.live import permission
from arena.platform.live.testing import MemoryBroker
from arena.platform.live.topics import Access, Topic
from arena.play.identity import visitor_of
from arena.play.models import Duel
from tests.core.referee.dice import DICE, HALVES
from tests.factories import bot, person

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 3
SEED = 90_210_333


@pytest.fixture(autouse=True)
def _install_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "dice", DICE)
    monkeypatch.setitem(SITES, "dice", GameSite(name="Dice"))


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def match(ann: User) -> Match:
    """Create a match between Ann, in seat 0, and Ben's bot, in seat 1."""
    theirs = bot(person("ben"), "dice").active
    assert theirs is not None
    request = MatchRequest(
        "dice", {"rounds": ROUNDS, "at_once": 0}, {}, SEED, Purpose.SCRIMMAGE, (None, theirs.pk), ann.pk, clock=600
    )
    made = create_matches([request], planned=True)  # a game that the site does not have has no queue
    Match.objects.filter(pk__in=made).update(status=MatchStatus.QUEUED)
    return Match.objects.get(pk=made[0])


class Recorder:
    """A player of a whole match that calls ``look`` whenever the bot is asked for a move."""

    def __init__(self, match: Match, look: Any) -> None:
        self.match, self._look = match, look
        self.secrets: list[int] = []  # the bot's dice and bets

    def play(self) -> None:
        clock = FakeClock()

        def seating(job: ClaimedMatch, stack: ExitStack) -> list[Player]:
            inbox = ScriptedInbox(clock, [(half, 1.0) for half in [4_321_000] * ROUNDS * HALVES])
            return [ScriptedPerson(inbox), ScriptedPlayer(clock, then=self._bet)]

        assert playing.play(self.match.pk, worker="w", seating=seating, clock=clock)

    def _bet(self, request: Json) -> ScriptedTurn:
        self.secrets += [request["own"]["face"], bet := request["own"]["face"] // 2 + len(self.secrets)]
        self._look()
        return ScriptedTurn(bet)


def contains_secret(shown: bytes | str, secrets: list[int]) -> bool:
    text = shown.decode() if isinstance(shown, bytes) else shown
    return any(str(secret) in text for secret in secrets)


def test_running_match_leaks_no_hidden_information(
    match: Match, client: Client, broker: MemoryBroker, caplog: pytest.LogCaptureFixture
) -> None:
    """No snapshot, stream, record, log or position contains hidden information, not even for the bot's author."""
    seat = match.seats.get(index=0)
    author = Client()
    author.force_login(User.objects.get(username="ben"))
    caplog.set_level(logging.DEBUG)
    addresses = [
        f"/matches/{match.pk}/snapshot.json",
        f"/matches/{match.pk}/record.json",
        f"/matches/{match.pk}/moves.txt",
        f"/matches/{match.pk}/seats/1/log/",
        f"/matches/{match.pk}/seats/1/positions/1/1/",
    ]
    looks: list[str] = []

    def look() -> None:
        assert Match.objects.get(pk=match.pk).status == MatchStatus.RUNNING
        looks.append(json.dumps([snapshot(match.pk), snapshot(match.pk, 0)]))
        looks.extend(one.get(address).content.decode() for one in (client, author) for address in addresses)
        looks.append(json.dumps([broker.events(f"matches/{match.pk}"), broker.events(f"seats/{seat.pk}")]))
        looks.extend(entry.getMessage() for entry in caplog.records)

    recorder = Recorder(match, look)
    recorder.play()
    assert len(looks) > 10
    for shown in looks:
        assert not contains_secret(shown, recorder.secrets)
        assert str(SEED) not in shown
        assert not any(hidden in shown for hidden in (match.secret, seat_key(match.secret, 1)))
    assert client.get(f"/matches/{match.pk}/record.json").json()["secret"] == match.secret
    after = client.get(f"/matches/{match.pk}/snapshot.json").content
    assert all(contains_secret(after, [secret]) for secret in recorder.secrets), (
        "after its end nothing is hidden any more"
    )


def test_admin_does_not_show_the_match_secret(match: Match) -> None:
    root = person("root", is_staff=True)
    User.objects.filter(pk=root.pk).update(is_superuser=True)
    operator = Client()
    operator.force_login(User.objects.get(pk=root.pk))
    page = operator.get(reverse("admin:matches_match_change", args=[match.pk]))
    assert page.status_code == 200
    assert str(match.seed) in page.content.decode()
    assert match.secret not in page.content.decode()


def test_players_see_only_their_own_dice(match: Match, broker: MemoryBroker) -> None:
    recorder = Recorder(match, lambda: None)
    recorder.play()
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.RUNNING)  # the streams now contain every turn
    mine, everybodys = snapshot(match.pk, 0), snapshot(match.pk)
    assert mine["topic"] == f"seats/{match.seats.get(index=0).pk}"
    assert everybodys["topic"] == f"matches/{match.pk}"
    events, public_events = broker.events(mine["topic"]), broker.events(everybodys["topic"])
    assert [event["type"] for event in events] == [event["type"] for event in public_events]
    assert [event["seq"] for event in events] == [event["seq"] for event in public_events]
    assert len(mine["turns"]) == len(everybodys["turns"]) == 1 + 2 * ROUNDS * HALVES
    assert all(turn["view"]["faces"] == [None, None] for turn in everybodys["turns"])
    assert {move["move"] for turn in everybodys["turns"] for move in turn["moves"]} == {None}
    assert all(turn["view"]["faces"][0] and turn["view"]["faces"][1] is None for turn in mine["turns"])
    assert {move["move"] for turn in mine["turns"] for move in turn["moves"]} == {4_321_000, None}
    for shown in (mine, everybodys, events, public_events):
        assert not contains_secret(json.dumps(shown), recorder.secrets)
    assert public_events[-1]["reveals"], "who watches takes a snapshot once more"


def test_cancellation_is_sent_to_the_stream_of_a_seat(match: Match, broker: MemoryBroker) -> None:
    cancel([match.pk])
    assert [event["type"] for event in broker.events(f"seats/{match.seats.get(index=0).pk}")] == ["cancelled"]


def test_only_the_player_can_watch_the_stream_of_a_seat(match: Match, ann: User) -> None:
    mine, bots = match.seats.get(index=0), match.seats.get(index=1)
    assert access(mine, ann) is Access.GRANTED
    for stranger in (User.objects.get(username="ben"), person("eve"), person("root", is_staff=True), None):
        assert access(mine, stranger) is Access.FORBIDDEN
    assert access(bots, User.objects.get(username="ben")) is Access.FORBIDDEN, (
        "while the match runs it is public to him"
    )
    assert permission.authorize(Topic("seats", 10**9), None).access is Access.FORBIDDEN


def test_guest_is_authorized_for_own_seat_by_session(match: Match) -> None:
    Seat.objects.filter(match=match, index=0).update(person=None)
    seat = match.seats.get(index=0)
    session = SessionStore()
    session["guest"] = "key of this browser"
    session.save()
    visitor: Any = SimpleNamespace(user=AnonymousUser(), session=session, META={})
    Duel.objects.create(match=match, seat=0, guest=visitor_of(visitor).guest)
    assert permission.authorize(Topic("seats", seat.pk), session.session_key).access is Access.GRANTED
    other = SessionStore()
    other["guest"] = "key of another browser"
    other.save()
    for key in (other.session_key, None):
        assert permission.authorize(Topic("seats", seat.pk), key).access is Access.FORBIDDEN


def access(seat: Seat, who: User | None) -> Access:
    client = Client()
    if who is not None:
        client.force_login(who)
    key = client.session.session_key if who is not None else SessionStore().session_key
    return permission.authorize(Topic("seats", seat.pk), key).access


def test_game_without_hidden_information_has_one_stream(broker: MemoryBroker) -> None:
    ours = bot(None, "reversi").active
    assert ours is not None
    pk = create_matches([MatchRequest("reversi", {}, {}, 1, Purpose.SCRIMMAGE, (None, ours.pk), ours.bot.owner_id)])[0]
    cancel([pk])
    assert broker.events(f"seats/{Seat.objects.get(match=pk, index=0).pk}") == []
    assert snapshot(pk, 0)["topic"] == f"matches/{pk}"
