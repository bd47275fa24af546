"""People play a game with chance, hidden moves and one to three seats, whose rules the app does not know."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import kombu
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from arena.accounts.models import User
from arena.celery import PER_GAME, app, queue_of
from arena.core.referee.events import SeatMove
from arena.core.referee.faults import FaultKind
from arena.games.base import AnyGame
from arena.games.registry import GAMES, PACKAGES, InstalledGame
from arena.games.site import Advice, GameSite, HumanPlay
from arena.games.sites import GAME_NAMES, SITES
from arena.matches.models import Match, MatchStatus
from arena.matches.templatetags.results import RESULT_TEXTS
from arena.matches.verification import problems_of
from arena.platform.refusal import Refused
from arena.play import answering, hints, opponents, queries, requests
from arena.play.identity import Visitor
from arena.play.models import Duel, DuelTurn, Hint
from arena.play.requests import DuelRequest
from arena.submissions.models import Bot
from tests.core.referee.dice import DICE
from tests.example_game.lanterns.arena.rules import GAME
from tests.example_game.lanterns.arena.site import SITE
from tests.factories import bot, person
from tests.play.duels import play_duel
from tests.refusals import codes_shown, expect_refusal

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

NAME = "lanterns"
NIGHTS = 3


def install_game(monkeypatch: pytest.MonkeyPatch, name: str, rules: AnyGame, site: GameSite) -> None:
    """Install a game on the site for one test."""
    monkeypatch.setitem(GAMES, name, rules)
    monkeypatch.setitem(SITES, name, site)
    monkeypatch.setitem(GAME_NAMES, name, site.name)
    monkeypatch.setitem(
        PACKAGES, name, InstalledGame("tests.example_game.lanterns.arena", "tests.example_game.lanterns.bots")
    )
    for kind in PER_GAME:
        queue = queue_of(kind, name)
        monkeypatch.setitem(app.amqp.queues, queue, kombu.Queue(queue))


@pytest.fixture(autouse=True)
def _install_lanterns(monkeypatch: pytest.MonkeyPatch) -> None:
    install_game(monkeypatch, NAME, GAME, SITE)


def lantern_bot(name: str) -> Bot:
    made = bot(person(), NAME, name=name)
    Bot.objects.filter(pk=made.pk).update(is_house=True)
    return Bot.objects.get(pk=made.pk)


def create_match(who: User, seat: int, *bots: Bot) -> Match:
    wish = DuelRequest(NAME, tuple(one.pk for one in bots), seat, 600)
    return Match.objects.get(pk=requests.request_duel(Visitor(who), wish, now=timezone.now(), rng=random.Random(1)))


def set_running(match: Match, *turns: tuple[int, int]) -> None:
    """Put the match into the state in which these seats have laid these candles, in this order."""
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.RUNNING)
    DuelTurn.objects.filter(duel_id=match.pk).delete()
    for number, (seat, candle) in enumerate(turns, start=1):
        DuelTurn.objects.create(duel_id=match.pk, number=number, moves=[SeatMove(seat, candle).to_json()])


def lay_candles(match: Match, *candles: int) -> list[Callable[[int], None]]:
    return [lambda turn, candle=candle: answering.submit_move(match.pk, turn, str(candle)) for candle in candles]  # type: ignore[misc]


def page_of(client: Client, match: Match) -> str:
    page = client.get(reverse("duel", args=[match.pk])).content.decode()
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"|nonce="[^"]*"', "", page)


def test_person_plays_a_solo_game_and_a_rematch() -> None:
    ann = person()
    match = create_match(ann, 0)
    assert play_duel(match, lay_candles(match, 9, 8, 7, 6))
    match.refresh_from_db()
    assert (match.status, match.termination) == (MatchStatus.FINISHED, "completed")
    assert problems_of(match.pk) == []
    client = Client()
    client.force_login(ann)
    page = page_of(client, match)
    scored = RESULT_TEXTS["you.scored"] % {"points": r"\d+ points"}
    assert re.search(rf'data-part="result">\s*{scored}', page)
    assert reverse("duel-rematch", args=[match.pk]) in page
    answer = client.post(reverse("duel-rematch", args=[match.pk]))
    assert answer.url == reverse("duel", args=[Match.objects.latest("pk").pk])
    assert list(Match.objects.latest("pk").seats.values_list("index", "person")) == [(0, ann.pk)]


@pytest.mark.long
def test_hidden_information_never_reaches_the_page() -> None:
    """The responses are byte-identical whichever candles the other seats laid face down and whatever the wind."""
    ann = person()
    match = create_match(ann, 2, lantern_bot("Ember"), lantern_bot("Spark"))
    client = Client()
    client.force_login(ann)
    shown: set[tuple[str, str]] = set()
    for candles in ((1, 2), (9, 4)):
        for seed in _same_lantern(2):
            Match.objects.filter(pk=match.pk).update(seed=seed)
            set_running(match, *enumerate(candles))
            snapshot = json.dumps(client.get(reverse("duel-snapshot", args=[match.pk])).json())
            shown.add((page_of(client, match), snapshot))
    assert len(shown) == 1
    found = queries.duel_page(match.pk)
    assert found is not None
    assert [move.answer for move in found.moves] == list(range(1, 10))


def _same_lantern(number: int) -> list[int]:
    """Return ``number`` seeds with the same first lantern but different winds."""
    by_wind: dict[int, int] = {}
    for seed in range(1000):
        state = GAME.initial(GAME.settings({"nights": NIGHTS}), 3, random.Random(seed))
        if state.lantern == 5:
            by_wind.setdefault(state.wind, seed)
    return list(by_wind.values())[:number]


def test_illegal_move_is_explained_in_the_readers_language() -> None:
    match = create_match(person(), 0, lantern_bot("Ember"))
    set_running(match, (0, 9), (1, 3))
    with expect_refusal("illegal_move") as english:
        answering.submit_move(match.pk, 3, "9")
    assert "candle 9 is not in your hand" in english.value.message
    with override("zh-hans"), expect_refusal("illegal_move") as chinese:
        answering.submit_move(match.pk, 3, "9")
    assert chinese.value.message.startswith("不能")
    for nonsense in ("", "NaN", "[1, 2", '{"a": 1}', "[" * 3000, "9" * 5000, '"\\u0000"', "null", "true", "1e400"):
        with expect_refusal("illegal_move"):
            answering.submit_move(match.pk, 3, nonsense)
    assert Duel.objects.get().answer is None
    assert answering.submit_move(match.pk, 3, " 7 ") == 7
    assert answering.submit_move(match.pk, 3, "7") == 7, "the same move once more"
    with expect_refusal("already_played"):
        answering.submit_move(match.pk, 3, "6")


def test_match_continues_without_a_resigned_seat_after_worker_death() -> None:
    ann = person()
    match = create_match(ann, 1, lantern_bot("Ember"), lantern_bot("Spark"))
    first = [*lay_candles(match, 5), lambda turn: answering.resign(match.pk)]
    assert play_duel(match, first, (9, 8, 7, 6))
    match.refresh_from_db()
    assert (match.status, match.termination) == (MatchStatus.FINISHED, "completed")
    assert match.seats.get(index=1).fault == "resigned"
    assert match.seats.get(index=1).rank == 3
    assert problems_of(match.pk) == []
    client = Client()
    client.force_login(ann)
    resigned = RESULT_TEXTS["you.resigned"] % {"points": r"\d+ points"}
    assert re.search(rf'data-part="result">\s*{resigned}', page_of(client, match))


def test_match_with_a_faulted_bot_resumes_after_worker_death() -> None:
    match = create_match(person(), 2, lantern_bot("Ember"), lantern_bot("Spark"))
    set_running(match)
    fault = SeatMove(0, None, fault=FaultKind.CRASH).to_json()
    DuelTurn.objects.create(duel_id=match.pk, number=1, moves=[fault])
    DuelTurn.objects.create(duel_id=match.pk, number=2, moves=[SeatMove(1, 4).to_json()])
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.QUEUED)
    assert play_duel(match, lay_candles(match, 9, 8, 7, 6), (9, 8, 7))
    assert match.seats.get(index=0).fault == "crash"
    assert problems_of(match.pk) == []


def test_resigning_a_solo_game_keeps_the_record_valid() -> None:
    match = create_match(person(), 0)
    assert play_duel(match, [*lay_candles(match, 5), lambda turn: answering.resign(match.pk)])
    match.refresh_from_db()
    assert match.termination == "resignation"
    assert problems_of(match.pk) == []


def test_rematch_rotates_the_seats() -> None:
    ann, ember, spark = person(), lantern_bot("Ember"), lantern_bot("Spark")
    match = create_match(ann, 0, ember, spark)
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.FINISHED)
    again = requests.rematch(match.pk, Visitor(ann), now=timezone.now(), rng=random.Random(2))
    seats = Match.objects.get(pk=again).seats.order_by("index").values_list("person", "submission__bot")
    assert list(seats) == [(None, spark.pk), (ann.pk, None), (None, ember.pk)]
    assert Duel.objects.get(pk=again).seat == 1


@pytest.mark.long
def test_form_offers_table_sizes_and_additional_opponents(client: Client) -> None:
    ember, spark = lantern_bot("Ember"), lantern_bot("Spark")
    response = client.get(reverse("play"), {"game": NAME})
    fields = response.context["form"].fields
    choices = {name: [value for value, _ in getattr(field, "choices", ())] for name, field in fields.items()}
    assert {1, 2, 3} == set(choices["players"])
    assert {"0", "1", "2"} < set(choices["seat"])
    assert str(spark.pk) in response.content.decode().partition('name="bot_3"')[2]
    assert str(SITE.seats[0]) in response.content.decode()
    chosen = {"game": NAME, "clock": "300", "level": ember.pk}
    begun = client.post(reverse("play"), {**chosen, "players": "3", "seat": "1", "bot_3": spark.pk})
    assert begun.status_code == 302, begun.content.decode()
    match = Match.objects.get()
    assert match.settings == {"nights": NIGHTS}
    assert list(match.seats.order_by("index").values_list("submission__bot", flat=True)) == [ember.pk, None, spark.pk]
    Match.objects.update(status=MatchStatus.CANCELLED)
    assert client.post(reverse("play"), {"game": NAME, "clock": "300", "players": "1"}).status_code == 302
    assert list(Match.objects.latest("pk").seats.values_list("clock", flat=True)) == [300]
    Match.objects.update(status=MatchStatus.CANCELLED)
    assert client.post(reverse("play"), {"game": NAME, "clock": "300", "players": "2"}).status_code == 422
    assert client.get(reverse("play"), {"against": spark.pk}).context["game"] == NAME
    assert client.get(reverse("play"), {"game": "golden_point"}).status_code == 404, "played in rooms alone"


def test_game_may_compute_its_own_hints(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def advice(state: Any, seat: int) -> Advice:
        return Advice(max(state.hand(seat)), {"why": "the brightest"})

    assert SITE.people is not None
    people = replace(SITE.people, adviser="", advice=advice)
    monkeypatch.setitem(SITES, NAME, replace(SITE, people=people))
    ann = person()
    match = create_match(ann, 0, lantern_bot("Ember"))
    set_running(match)
    client.force_login(ann)
    shown = client.post(reverse("duel-hint", args=[match.pk]), {"turn": 1}, HTTP_ACCEPT="application/json").json()
    assert shown == {"turn": 1, "hint": {"answer": 9, "label": "9", "more": True}}
    page = page_of(client, match)
    assert "Hint: 9" in page
    assert "the brightest" in page
    assert Hint.objects.get().answer is None, "nothing waits for a worker"


def test_game_without_hints_refuses_hint_requests(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert SITE.people is not None
    monkeypatch.setitem(SITES, NAME, replace(SITE, people=replace(SITE.people, adviser="")))
    ann = person()
    match = create_match(ann, 0)
    set_running(match)
    client.force_login(ann)
    assert reverse("duel-hint", args=[match.pk]) not in page_of(client, match)
    with expect_refusal("no_hints"):
        hints.request_hint(match.pk, now=timezone.now())


def test_games_closed_to_people_and_oversized_tables_are_refused() -> None:
    assert opponents.people_settings("golden_point") is None
    with pytest.raises(Refused):
        requests.request_duel(
            Visitor(person()), DuelRequest("golden_point", (), 0, 600), now=timezone.now(), rng=random.Random(1)
        )
    with pytest.raises(Refused):
        create_match(person(), 0, *[lantern_bot(str(n)) for n in range(3)])


def create_dice_match(monkeypatch: pytest.MonkeyPatch, who: User, **settings: int) -> Match:
    """Create a two-seat match of a game that lists no legal moves for people and has no page for playing."""
    install_game(monkeypatch, "dice", DICE, GameSite(name="Dice", people=HumanPlay(settings={"rounds": 2, **settings})))
    made = bot(person(), "dice")
    wish = DuelRequest("dice", (made.pk,), 0, 600)
    return Match.objects.get(pk=requests.request_duel(Visitor(who), wish, now=timezone.now(), rng=random.Random(1)))


@pytest.mark.parametrize("at_once", [0, 1], ids=["consecutive", "simultaneous"])
def test_person_moves_consecutively_or_simultaneously_as_rules_demand(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    match = create_dice_match(monkeypatch, person(), at_once=at_once)
    turns: list[int] = []

    def lay(turn: int) -> None:
        turns.append(turn)
        assert answering.submit_move(match.pk, turn, "12") == 12

    assert play_duel(match, [lay] * 4, (1, 2, 3, 4))
    assert turns == ([1, 2, 3, 4] if at_once else [1, 2, 5, 6])
    assert problems_of(match.pk) == []


@pytest.mark.long
def test_game_without_listed_moves_has_a_text_field(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    ann = person()
    match = create_dice_match(monkeypatch, ann)
    set_running(match)
    client.force_login(ann)
    assert '<input name="move"' in page_of(client, match)
    refused = client.post(reverse("duel-move", args=[match.pk]), {"turn": 1, "move": "six"}, follow=True)
    assert codes_shown(refused) == ["illegal_move"]
    assert refused.context["table"].answered is None
    taken = client.post(reverse("duel-move", args=[match.pk]), {"turn": 1, "move": "6"}, follow=True)
    assert taken.context["table"].answered.label == "6"
