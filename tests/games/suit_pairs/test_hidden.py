"""Two matches that differ only in what is hidden: everybody else is sent the same bytes, by whatever way."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.core.referee.clock import FakeClock
from arena.core.referee.players import Player
from arena.core.referee.testing import ScriptedInbox, ScriptedPerson, ScriptedPlayer, Turn
from arena.games.base import Json
from arena.games.registry import GAMES
from arena.games.suit_pairs.cards import cards_in, set_of
from arena.games.suit_pairs.deal import pairable
from arena.games.suit_pairs.match import Settings, State
from arena.games.suit_pairs.rules import GAME, SuitPairs
from arena.matches import playing
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.playing import ClaimedMatch
from arena.matches.services import MatchRequest, create_matches
from arena.matches.snapshots import snapshot
from arena.platform.live.testing import MemoryBroker
from tests.factories import bot, person
from tests.running_site import eventually

pytestmark = pytest.mark.django_db(transaction=True)
SEED = 90_210_333
PERSONS_DECISIONS = 3  # before the bot is asked for the first time
Look = Callable[[], None]


class OtherSecrets(SuitPairs):
    """The same table and the same hand for seat 0; another hand and another deck for seat 1."""

    def initial(self, settings: Settings, seats: int, rng: random.Random) -> State:
        state = super().initial(settings, seats, rng)
        deal = state.deal
        first = deal.deck[0]  # the table is filled up with it
        unseen = [*cards_in(deal.hands[1]), *deal.deck[1:]][::-1]
        other = replace(deal, hands=(deal.hands[0], set_of(unseen[:10])), deck=(first, *unseen[10:]))
        assert other.hands[1] != deal.hands[1]
        assert pairable(other.hands[1], deal.table)
        return replace(state, deal=other)


def _request(ann: User, theirs: int) -> Match:
    """Ann on seat 0, a bot's submission on seat 1."""
    settings = {"deals": 1, "mirrored": 0}
    made = create_matches(
        [MatchRequest(GAME.name, settings, {}, SEED, Purpose.SCRIMMAGE, (None, theirs), ann.pk, clock=600)],
        planned=True,
    )
    Match.objects.filter(pk__in=made).update(status=MatchStatus.QUEUED)
    return Match.objects.get(pk=made[0])


def _pairing(state: State) -> list[str]:
    """A pair of seat 0: the stage and both cards."""
    deal = state.deal
    card = min(cards_in(pairable(deal.hands[0], deal.table)))
    partner = min(other for other in cards_in(deal.table) if other // 13 == card // 13)
    return ["pair", GAME.encode(card), GAME.encode(partner)]


def _play(match: Match, look: Look) -> None:
    """Seat 0 pairs, seat 1 chooses to pair and a first card, and crashes instead of the second."""
    clock = FakeClock()
    state = GAME.initial(GAME.settings(match.settings), 2, random.Random(SEED))

    def answer(request: Json) -> Turn:
        look()
        stage = request["shared"]["stage"]
        if request["own"]["pending"] is not None:
            return Turn(failed={"cause": "exit", "message": "bye"})
        return Turn("pair" if stage == "init" else request["own"]["legal"][0])

    def seating(job: ClaimedMatch, stack: ExitStack) -> list[Player]:
        inbox = ScriptedInbox(clock, [(move, 1.0) for move in _pairing(state)])
        return [ScriptedPerson(inbox), ScriptedPlayer(clock, then=answer)]

    assert playing.play(match.pk, worker="w", seating=seating, clock=clock)


def _seen(match: Match, clients: dict[str, Client], broker: MemoryBroker) -> dict[str, str]:
    """Everything that is sent of a match, by who is sent it; what differs from match to match is left out."""
    mine = match.seats.get(index=0).pk
    addresses = [
        f"/matches/{match.pk}/snapshot.json",
        f"/matches/{match.pk}/record.json",
        f"/matches/{match.pk}/moves.txt",
        f"/matches/{match.pk}/seats/1/log/",
        f"/matches/{match.pk}/seats/1/positions/1/1/",
    ]
    found = {
        "snapshot": json.dumps(snapshot(match.pk)),
        "snapshot of the person": json.dumps(snapshot(match.pk, 0)),
        "socket": json.dumps(broker.events(f"matches/{match.pk}")),
        "socket of the person": json.dumps(broker.events(f"seats/{mine}")),
        "page of the match": _data(clients["nobody"].get(f"/matches/{match.pk}/").content.decode()),
    }
    for who, client in clients.items():
        found |= {f"{who} {n}": client.get(address).content.decode() for n, address in enumerate(addresses)}
    numbers = re.compile(r'(matches/|seats/|bots/|"id": )\d+|(?<=csrfmiddlewaretoken" value=")\w+')
    return {name: numbers.sub(r"\1N", text) for name, text in found.items()}


def _newest(broker: MemoryBroker, topic: str) -> int:
    """The newest turn that was told."""
    return max((event["turn"]["number"] for event in broker.events(topic) if event["type"] == "turn"), default=-1)


def _data(page: str) -> str:
    found = re.search(r'<script id="match-snapshot"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found
    return found[1]


def test_a_running_match_shows_the_same_whatever_is_hidden(
    broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = person("ann"), person("ben")
    clients = {"nobody": Client(), "the person": Client(), "the bot's author": Client(), "staff": Client()}
    clients["the person"].force_login(ann)
    clients["the bot's author"].force_login(ben)
    clients["staff"].force_login(person("root", is_staff=True))
    theirs = bot(ben, GAME.name).active
    assert theirs is not None
    looks: list[list[dict[str, str]]] = []
    ended: list[str] = []
    for game in (GAME, OtherSecrets()):
        monkeypatch.setitem(GAMES, GAME.name, game)
        match = _request(ann, theirs.pk)
        looked: list[dict[str, str]] = []

        def look(match: Match = match, looked: list[dict[str, str]] = looked) -> None:
            assert Match.objects.get(pk=match.pk).status == MatchStatus.RUNNING
            topics = [f"matches/{match.pk}", f"seats/{match.seats.get(index=0).pk}"]
            newest = PERSONS_DECISIONS + len(looked)
            eventually(lambda: all(_newest(broker, topic) == newest for topic in topics), "events are on their way", 20)
            looked.append(_seen(match, clients, broker))

        _play(match, look)
        looks.append(looked)
        ended.append(json.dumps(snapshot(match.pk)["turns"]))
    assert len(looks[0]) == len(looks[1]) == 3, "before the stage, before the first card, and while it waits"
    for one, other in zip(*looks, strict=True):
        assert one.keys() == other.keys()
        assert [name for name in one if one[name] != other[name]] == []
        assert not any(str(SEED) in text for text in one.values())
    assert '"action": null' in looks[0][2]["snapshot of the person"], "the first of two cards waits"
    assert ended[0] != ended[1], "after its end all cards are open"
