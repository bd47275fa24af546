"""A match has the same name on every page, in every list, in events and in the API."""

from __future__ import annotations

import html
import random
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from arena.matches.models import Match, MatchStatus
from arena.tournaments.events.snapshots import matches_json
from arena.tournaments.formats.encounter_names import match_names
from arena.tournaments.match_callbacks import contexts
from arena.tournaments.models import Format, Pairing, Tournament
from arena.tournaments.queries.brackets import rounds_of
from arena.tournaments.queries.drawn_bracket import bracket_of
from arena.tournaments.queries.programme import match_in_tournament
from arena.tournaments.services import reruns
from tests.tournaments.harness import TournamentHarness

PLANS: Mapping[str, tuple[Format, dict[str, Any], int, str, str]] = {
    "knockout": (
        Format.KNOCKOUT,
        {"matches_per_encounter": 2},
        5,
        "Quarterfinal, encounter 2, leg 1",
        "四分之一决赛 · 对阵 2 · 第 1 场",
    ),
    "double": (Format.DOUBLE_ELIMINATION, {}, 4, "Winners' round 1, encounter 1", "胜者组第 1 轮 · 对阵 1"),
    "groups": (
        Format.GROUPS,
        {"options": {"group_size": 3, "advance": 2, "finals": "knockout"}},
        6,
        "Round 1, encounter 1",
        "第 1 轮 · 对阵 1",
    ),
    "swiss": (
        Format.SWISS,
        {"matches_per_encounter": 2},
        4,
        "Round 1, encounter 1, leg 1",
        "第 1 轮 · 对阵 1 · 第 1 场",
    ),
    "tables": (Format.TABLE, {"options": {"seats": 3}}, 6, "Round 1, table 1", "第 1 轮 · 第 1 桌"),
    "one table": (Format.TABLE, {"repeats": 2}, 4, "Table 1", "第 1 桌"),
    "score attack": (
        Format.SCORE_ATTACK,
        {"game": "dare", "repeats": 2},
        3,
        "Random seed 1, match 1",
        "赛题 1 · 第 1 场",
    ),
}


def text_of(client: Client, address: str, **query: Any) -> str:
    response = client.get(address, query)
    assert response.status_code == 200
    return html.unescape(response.content.decode())


@pytest.mark.parametrize("plan", PLANS)
def test_match_has_one_name(stage: TournamentHarness, dare: None, plan: str) -> None:
    """The wording is the subject: a name, which people quote, in both languages."""
    format_, changes, entries, english, chinese = PLANS[plan]
    cup = stage.start_tournament(entries, format_, **changes)
    first = stage.matches(cup, MatchStatus.QUEUED)[0]
    stage.begin_match(first)
    for language, name in (("en", english), ("zh-hans", chinese)):
        client = Client(headers={"accept-language": language})
        with translation.override(language):
            assert match_names([first.pk]) == {first.pk: name}
        shown = text_of(client, reverse("match", args=[first.pk]))
        assert f" · Cup · {name} · #{first.pk}" in shown.partition("</title>")[0]
        assert f'href="{reverse("tournament", args=[cup.pk])}">Cup · {name}</a>' in shown
        assert f' · Cup · {name}">' in shown, "Open Graph"
        assert f">Cup · {name}</a>" in text_of(client, reverse("match-list"))
        own = text_of(client, reverse("tournament-matches", args=[cup.pk]))
        assert f'>{name} <span class="muted">#{first.pk}</span>' in own
        assert f"Cup · {name}" not in own
        live = text_of(client, reverse("tournament", args=[cup.pk]))
        assert f'<span class="live-matches__name"> {name}</span>' in live
        assert f'<span class="muted small">{name}' in live, "the boards"
        assert f"Cup · {name}" in text_of(client, reverse("embed-match", args=[first.pk]))
        api = client.get(f"/api/v1/matches/{first.pk}").json()
        assert api["name"] == name
        with translation.override(language):
            assert match_in_tournament(first.pk).name == name
    with translation.override("en"):
        (event,) = matches_json([first.pk])
    assert (event["name"], event["name_translations"]["zh-hans"]) == (english, chinese)


@pytest.mark.parametrize("plan", PLANS)
def test_names_are_unique_and_those_of_the_rounds(stage: TournamentHarness, dare: None, plan: str) -> None:
    format_, changes, entries, _english, _chinese = PLANS[plan]
    cup = stage.start_tournament(entries, format_, **changes)
    stage.play_all(cup, random.Random(4))
    ids = [match.pk for match in stage.matches(cup)]
    names = match_names(ids)
    assert len(set(names.values())) == len(ids)
    assert {pk: context.match_name for pk, context in contexts(ids).items()} == names
    assert bracket_names(cup).items() <= names.items()
    in_bracket = Pairing.objects.filter(tournament=cup, match__isnull=False).exclude(bracket="").count()
    assert len(bracket_names(cup)) == in_bracket


def bracket_names(cup: Tournament) -> dict[int, str]:
    """Return the names of the matches in the bracket, as its page shows them."""
    tree = rounds_of(bracket_of(cup.pk)).tree
    found = {}
    for bracket in tree.brackets if tree else ():
        for cell in (cell for column in bracket.columns for cell in column.cells if cell.encounter):
            assert cell.encounter.name == cell.name
            for number, leg in enumerate(cell.encounter.legs, start=1):
                found[leg.match_id] = cell.name if cup.matches_per_encounter == 1 else f"{cell.name}, leg {number}"
    return found


def test_second_final_has_a_name(stage: TournamentHarness) -> None:
    """In the final, the unbeaten bot, which has the first seat, loses."""
    cup = stage.start_tournament(2, Format.DOUBLE_ELIMINATION)
    names = []
    while queued := stage.matches(cup, MatchStatus.QUEUED):
        names += match_names([match.pk for match in queued]).values()
        for match in queued:
            stage.finish_match(match, (2, 1) if len(names) == 2 else (1, 2))
        stage.tick()
    assert names[1:] == ["Final", "Second final"]


def test_names_of_many_tournaments_take_a_constant_number_of_queries(stage: TournamentHarness) -> None:
    ids, counts = [], []
    for format_ in 3 * (Format.KNOCKOUT, Format.DOUBLE_ELIMINATION, Format.GROUPS):
        cup = stage.start_tournament(4, format_, options={"group_size": 2} if format_ == Format.GROUPS else {})
        ids += [match.pk for match in stage.matches(cup)]
        with CaptureQueriesContext(connection) as queries:
            assert len(contexts(ids)) == len(ids)
        counts.append(len(queries))
    assert set(counts[2:]) == {4}


def test_replaced_match_has_the_name_of_its_replacement(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(4, Format.KNOCKOUT)
    first = stage.matches(cup)[0]
    stage.finish_match(first, (1, 2))
    stage.run_committed(reruns.rerun, cup.pk, [first.pk], "Again", actor=stage.organizer, now=stage.now)
    assert Match.objects.get(pk=first.pk).replaced_by_id
    assert contexts([first.pk])[first.pk].label == "Cup · Semifinal, encounter 1"
