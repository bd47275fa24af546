"""A challenge seats the boss and those extra opponents that can play, and the page names them."""

from __future__ import annotations

import random
import re

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.games.sites import SITES
from arena.learning_path.services import challenge
from arena.matches.models import Match
from arena.submissions.models import Bot
from tests.factories import bot, person
from tests.learning_path.test_event_handlers import boss, reached_rungs, store_result

pytestmark = pytest.mark.django_db
GAME = "golden_point"
EXTRA_OPPONENTS = SITES[GAME].extra_opponents


def challenged_bots(ann: User, mine: Bot) -> set[int]:
    """Challenge the weakest boss and return the ids of the bots in the match."""
    pk = challenge(ann, GAME, SITES[GAME].bosses[0], mine.pk, now=timezone.now(), rng=random.Random(1))
    bots = [seat.submission.bot_id for seat in Match.objects.get(pk=pk).seats.all() if seat.submission]
    assert len(bots) == len(set(bots))
    return set(bots)


def test_extra_opponents_are_seated_and_reach_no_rung() -> None:
    ann = person("ann")
    mine, weakest = bot(ann, GAME), boss(SITES[GAME].bosses[0], GAME)
    extra_opponents = [boss(code, GAME) for code in EXTRA_OPPONENTS]
    for other in SITES[GAME].bosses[1:]:
        boss(other, GAME)
    table = [mine, weakest, *extra_opponents]
    assert challenged_bots(ann, mine) == {each.pk for each in table}
    store_result(table, [1, 2, *[3] * len(extra_opponents)])
    assert reached_rungs(ann) == {SITES[GAME].bosses[0]}


def test_retired_and_unchecked_extra_opponents_are_not_seated() -> None:
    ann = person("ann")
    mine, weakest, retired, unchecked = (
        bot(ann, GAME),
        *(boss(code, GAME) for code in (SITES[GAME].bosses[0], *EXTRA_OPPONENTS[:2])),
    )
    assert challenged_bots(ann, mine) == {mine.pk, weakest.pk, retired.pk, unchecked.pk}
    Bot.objects.filter(pk=retired.pk).update(retired=True)
    Bot.objects.filter(pk=unchecked.pk).update(active=None)
    assert challenged_bots(ann, mine) == {mine.pk, weakest.pk}


def test_name_of_each_challenge_begins_with_its_text(client: Client) -> None:
    ann = person("ann")
    mine, beaten = bot(ann), boss("corners", "reversi")
    boss("beginner", "reversi")
    store_result([mine, beaten], [1, 2])
    client.force_login(ann)
    buttons = re.findall(r'/challenge/" aria-label="([^"]*)">([^<]*)<', client.get("/path/").content.decode())
    assert len({text for _name, text in buttons}) == 2, "a new challenge and a repeated one"
    assert all(name.startswith(text) for name, text in buttons)


def test_page_names_the_extra_opponents(client: Client) -> None:
    assert 'data-part="extra-opponents"' not in client.get("/path/").content.decode()
    calm = boss("calm_disruptor", GAME)
    page = client.get("/path/").content.decode()
    assert 'data-part="extra-opponents"' in page
    assert f'<li><a href="/bots/{calm.pk}/">{calm.name}</a></li>' in page
