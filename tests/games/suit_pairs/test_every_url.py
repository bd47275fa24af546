"""Two running matches that differ only in hidden data produce the same bytes on every page, file and stream.

The hidden data are the cards, and the secret from which the seeds of the bots are derived.

Both matches are played on the real site, each in a fresh database, and inspected while a bot is thinking; their deals
come from ``secret_deals``. Values that differ between any two runs, such as form tokens and times, are masked.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from arena.accounts.models import Role, User
from arena.core.referee.bot_seeds import seat_key, start_seed
from arena.core.referee.clock import FakeClock
from arena.core.referee.players import Player
from arena.core.referee.testing import ScriptedInbox, ScriptedPerson, ScriptedPlayer, ScriptedTurn
from arena.core.sandbox.uploads.package import MAIN, Package
from arena.games.base import Audience, Json
from arena.games.registry import GAMES
from arena.games.suit_pairs.match import Settings, State
from arena.games.suit_pairs.rules import GAME, SuitPairs
from arena.matches import playing
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.playing import ClaimedMatch
from arena.matches.services import MatchRequest, create_matches
from arena.matches.snapshots import snapshot
from arena.platform.live.testing import MemoryBroker, memory_broker
from arena.play.models import Duel
from arena.play.turns import DuelTurnLog
from arena.submissions import store
from arena.submissions.models import Bot, Submission
from tests import factories
from tests.factories import bot, person
from tests.games.suit_pairs.secret_deals import RandomMatch, find_indistinguishable_matches, initial_state
from tests.running_site import eventually
from tests.tournaments.harness import TournamentHarness

pytestmark = pytest.mark.django_db(transaction=True)
SEED: Final = 90_210_333
SECRETS: Final = ("5ec2e7" * 5, "7e5c2e" * 5)
CRASH: Final = ScriptedTurn(failed={"cause": "exit", "message": "bye"})
LOOKS: Final = 3
UNCOMPARED: Final = ("ETag", "Server-Timing", "Content-Length")  # they depend on masked parts of the body
# URLs that end the session, redirect or do not concern matches of this game.
LEFT_OUT: Final = re.compile(r"^(logout|set_language|rooms-try-it|healthz|learn|2584|fib2584|reversi)")
# The parameter that each Atom feed receives as its "key".
FEEDS: Final = {"bot-feed": "bot_id", "person-feed": "username", "tournament-feed": "tournament_id"}
# URLs that show matches; only the slow tests compare the others.
NEAR: Final = re.compile(
    r"^(match|duel|play|home|tournament(-snapshot|-matches|-operations)?|bot|ladder|profile|tv|embed)($|-)"
)
MASKS: Final = (
    (re.compile(r"\w{3}, \d+ \w{3} \d{4} [\d:]{8} GMT"), "MOMENT"),
    (re.compile(r'(csrfmiddlewaretoken" value="|"csrf": ?")\w+'), r"\1"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(\+\d\d:\d\d|Z)?"), "MOMENT"),
    (re.compile(r'(nonce[=-]"?)[\w+/=-]+'), r"\1"),
    (re.compile(r"(<time [^>]*>)[^<]*"), r"\1MOMENT"),
    (re.compile(r"[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M"), "MOMENT"),
    (re.compile(r"data-elapsed=\"\d+\""), "SPAN"),
    (re.compile(r"(\d+ min )?\d+(\.\d+)? ?(ms|s|seconds?|minutes?|min)\b"), "SPAN"),
)


class SuitPairsWithFixedDeck(SuitPairs):
    """Suit Pairs with a fixed deck, whatever the seed."""

    def __init__(self, order: tuple[int, ...]) -> None:
        self._order = order

    def initial(self, settings: Settings, seats: int, rng: random.Random) -> State:
        return initial_state(self._order)


@dataclass
class RunOutput:
    """The output of one run, keyed by stream, or by visitor and URL."""

    seen: list[dict[str, str]] = field(default_factory=list)
    requests: list[list[Json]] = field(default_factory=list)  # requests to each seat
    ended: str = ""  # the turns of the snapshot after the end


@dataclass
class MatchSite:
    """A fresh database with one match, and a client for every kind of viewer."""

    match: Match
    clients: dict[str, Client]
    places: dict[str, Any]  # values for URL parameters
    every: bool = True  # whether to request all URLs

    @property
    def topics(self) -> list[str]:
        return [f"matches/{self.match.pk}", *(f"seats/{seat.pk}" for seat in self.match.seats.filter(submission=None))]


def _reset_database(monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("flush", verbosity=0, interactive=False, reset_sequences=True)
    cache.clear()
    monkeypatch.setattr(factories, "_numbers", itertools.count(1))


def _signed_in_clients(**people: User) -> dict[str, Client]:
    clients = {"nobody": Client()}
    for name, user in people.items():
        clients[name] = Client()
        clients[name].force_login(user)
    return clients


def _create_duel() -> MatchSite:
    """Create a match between Ann, in seat 0, and Ben's bot."""
    ann, ben = person("ann"), person("ben")
    theirs = bot(ben, GAME.name, name="Rook").active
    assert theirs is not None
    request = MatchRequest(
        GAME.name, {"deals": 1, "mirrored": 0}, {}, SEED, Purpose.DUEL, (None, theirs.pk), ann.pk, clock=600
    )
    match = _queue_match(request)
    Duel.objects.create(match=match, seat=0)
    clients = _signed_in_clients(ann=ann, ben=ben, staff=person("root", is_staff=True), eve=person("eve"))
    return MatchSite(match, clients, _url_parameters(match, theirs.bot, username="ben"))


def _create_tournament_match(broker: MemoryBroker) -> MatchSite:
    """Create a match between Ben's and Cy's bots in Olga's tournament."""
    stage = TournamentHarness(broker, lambda execute: nullcontext())
    User.objects.filter(pk=stage.organizer.pk).update(username="olga", role=Role.ORGANIZER)
    stage.organizer.refresh_from_db()
    ben, cy = person("ben"), person("cy")
    cup = stage.create_tournament(game=GAME.name)
    entries = stage.enter_bots(cup, [bot(ben, GAME.name, name="Rook"), bot(cy, GAME.name, name="Knight")])
    request = MatchRequest(
        GAME.name,
        {"deals": 1, "mirrored": 0},
        {},
        SEED,
        Purpose.LADDER,
        tuple(entry.bot.active_id for entry in entries),
    )
    match = _queue_match(request)
    clients = _signed_in_clients(ben=ben, cy=cy, organizer=stage.organizer, staff=person("root", is_staff=True))
    return MatchSite(match, clients, {**_url_parameters(match, entries[0].bot, username="cy"), "tournament_id": cup.pk})


def _queue_match(request: MatchRequest) -> Match:
    made = create_matches([request], planned=True)
    Match.objects.filter(pk__in=made).update(status=MatchStatus.QUEUED)
    return Match.objects.get(pk=made[0])


def _url_parameters(match: Match, theirs: Bot, username: str) -> dict[str, Any]:
    package = Package.from_files({MAIN: b"def get_move(state): return state.legal[0]\n"})
    store.store_package(package)
    Submission.objects.update(sha256=package.sha256)
    return {
        "match_id": match.pk,
        "bot_id": theirs.pk,
        "submission_id": theirs.active_id,
        "version_id": theirs.active_id,
        "username": username,
        "game": GAME.name.replace("_", "-"),
        "index": 1,
        "seat": 1,
        "turn": 1,
        "number": 1,
        "attempt": 1,
        "file": "moves.txt",
        "table": "standings",
    }


def _urls(places: dict[str, Any], every: bool) -> Iterator[str]:
    """Yield the URLs whose parameters are in ``places``, with each spelling of a game's name.

    ``every``: whether to include URLs that show no match.
    """
    for name, arguments in _url_patterns(get_resolver()):
        known = {**places, "key": places.get(FEEDS.get(name, ""), "")}
        if not LEFT_OUT.match(name) and (every or NEAR.match(name)) and all(known.get(key) for key in arguments):
            found = {key: known[key] for key in arguments}
            for spelt in ({**found, "game": GAME.name}, found) if "game" in found else (found,):
                try:
                    yield reverse(name, kwargs=spelt)
                except NoReverseMatch:
                    continue


def _url_patterns(resolver: URLResolver, namespace: str = "") -> Iterator[tuple[str, set[str]]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            if pattern.namespace != "admin":
                yield from _url_patterns(pattern, namespace)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name, set(pattern.pattern.converters)


def _read_streams(site: MatchSite, broker: MemoryBroker) -> dict[str, str]:
    found = {f"stream {topic}": json.dumps(broker.events(topic)) for topic in broker.topics}
    found["snapshot"] = json.dumps(snapshot(site.match.pk))
    if site.match.seats.filter(index=0, submission=None).exists():
        found["snapshot of the person"] = json.dumps(snapshot(site.match.pk, 0))
    return found


def _request_everything(site: MatchSite, broker: MemoryBroker) -> dict[str, str]:
    """Request each URL as each visitor; return the responses, by visitor and URL, and the contents of the streams."""
    found = _read_streams(site, broker)
    addresses = sorted(set(_urls(site.places, site.every)))
    assert len(addresses) > (40 if site.every else 15)
    for who, client in site.clients.items():
        for address in addresses:
            response = client.get(address)
            body = response.getvalue()
            headers = sorted((name, value) for name, value in response.items() if name not in UNCOMPARED)
            found[f"{who} {address}"] = f"{response.status_code} {headers}\n{body.decode(errors='replace')}"
    return found


def _mask(seen: dict[str, str]) -> dict[str, str]:
    for mask, instead in MASKS:
        seen = {name: mask.sub(instead, text) for name, text in seen.items()}
    return seen


def _play_match(game: RandomMatch, site: MatchSite, broker: MemoryBroker) -> RunOutput:
    """Play the actions of ``game``, then let the next bot crash.

    Capture the streams during the match, and the response from every URL at the end.
    """
    clock, looked = FakeClock(), RunOutput()
    actions: list[list[str]] = [[], []]
    for state, action in zip(game.states, game.actions, strict=False):
        assert state.to_move is not None
        actions[state.to_move].append(GAME.encode(action))
    often = max(1, len(game.actions) // LOOKS)

    def look(request: Json, seat: int, made: list[int]) -> ScriptedTurn:
        made[0] += 1
        left = actions[seat]
        done = len(game.actions) - len(actions[0]) - len(actions[1])
        if not left or done % often == 0:
            eventually(
                lambda: all(_newest_turn(broker, topic) >= done for topic in site.topics), "events are on their way"
            )
            looked.seen.append(_mask(_read_streams(site, broker) if left else _request_everything(site, broker)))
        return ScriptedTurn(left.pop(0)) if left else CRASH

    def seating(job: ClaimedMatch, stack: ExitStack) -> list[Player]:
        players: list[Player] = []
        for seat, submission in enumerate(job.submissions):
            if submission is None:
                moves = [(move, 1.0) for move in actions[seat]]
                inbox = RecordingInbox(clock, moves, actions[seat])
                players.append(ScriptedPerson(inbox))
            else:
                made = [0]
                players.append(
                    ScriptedPlayer(clock, then=lambda request, seat=seat, made=made: look(request, seat, made))
                )
        looked.requests = [player.requests for player in players if isinstance(player, ScriptedPlayer)]
        return players

    log = DuelTurnLog() if Duel.objects.filter(match=site.match).exists() else playing.NO_TURN_LOG
    assert playing.play(site.match.pk, worker="w", seating=seating, clock=clock, log=log)
    looked.ended = json.dumps(snapshot(site.match.pk)["turns"])
    return looked


class RecordingInbox(ScriptedInbox):
    """An inbox that removes the next item from ``left`` whenever it delivers an answer."""

    def __init__(self, clock: FakeClock, answers: list[tuple[Json, float]], left: list[str]) -> None:
        super().__init__(clock, answers)
        self._left = left

    def take_answer(self) -> Json:
        answer = super().take_answer()
        if answer is not None:
            self._left.pop(0)
        return answer


def hidden_keys(secret: str) -> list[str]:
    """Return the secret of a match, and the keys and seeds derived from it before the first turn."""
    keys = [seat_key(secret, seat) for seat in range(2)]
    return [secret, *keys, *(start_seed(key, 1) for key in keys)]


def requested_hands(run: RunOutput) -> list[Json]:
    return [request.get("own") for requests in run.requests for request in requests]


def _describe_difference(name: str, mine: str, theirs: str) -> str:
    """Describe where the response ``name`` first differs between ``mine`` and ``theirs``."""
    at = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs)))
    return f"{name}: ...{mine[max(0, at - 60) : at + 60]!r} is ...{theirs[max(0, at - 20) : at + 60]!r}"


def _newest_turn(broker: MemoryBroker, topic: str) -> int:
    return max((event["turn"]["number"] for event in broker.events(topic) if event["type"] == "turn"), default=-1)


def _is_bots_turn(game: RandomMatch, seats: set[int]) -> bool:
    """Return whether a bot is to move in the last state, in which every URL is requested."""
    return game.states[-1].to_move in seats


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "seed", "decisions", "every"),
    [
        ("duel", 3, 12, False),
        pytest.param("duel", 5, 30, True, marks=pytest.mark.stack),
        pytest.param("tournament", 5, 30, True, marks=pytest.mark.stack),
    ],
)
def test_running_match_leaks_no_hidden_data_on_any_url(
    kind: str, seed: int, decisions: int, every: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = 0 if kind == "duel" else Audience.PUBLIC
    bots = {1} if kind == "duel" else {0, 1}
    pair = next(
        found
        for number in itertools.count(decisions)
        if (found := find_indistinguishable_matches(seed * 1000, viewer, number)) and _is_bots_turn(found.one, bots)
    )
    runs: list[RunOutput] = []
    for game, secret in zip((pair.one, pair.other), SECRETS, strict=True):
        _reset_database(monkeypatch)
        monkeypatch.setitem(GAMES, GAME.name, SuitPairsWithFixedDeck(game.order))
        with memory_broker() as broker:
            site = _create_duel() if kind == "duel" else _create_tournament_match(broker)
            site.every = every
            Match.objects.filter(pk=site.match.pk).update(secret=secret)
            runs.append(_play_match(game, site, broker))
    one, other = runs
    assert len(one.seen) == len(other.seen) > 1
    for mine, theirs in zip(one.seen, other.seen, strict=True):
        assert mine.keys() == theirs.keys()
        assert [
            _describe_difference(name, mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]
        ] == []
        assert not any(hidden in text for text in mine.values() for hidden in (str(SEED), *hidden_keys(SECRETS[0])))
    assert sum(text.startswith("200") for text in one.seen[-1].values()) > 30, "most of it is pages that are shown"
    assert requested_hands(one) != requested_hands(other), "the bots were told different hands"
    for run, secret in zip(runs, SECRETS, strict=True):
        seeds = [request["seed"] for requests in run.requests for request in requests if request["do"] == "load"]
        assert set(seeds) <= set(hidden_keys(secret))
        assert len(set(seeds)) == len(seeds) == len(bots)
    assert one.ended != other.ended, "after its end all cards are open"
