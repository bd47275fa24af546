"""A match page explains every fault to the bot's author."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from arena.core.referee.clock import FakeClock
from arena.core.referee.position import Position
from arena.core.referee.rehearsal import rehearse
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.registry import GAMES
from arena.matches import playing, views
from arena.matches.models import Match, SeatReport
from tests.factories import bot, person, queued_match
from tests.matches.scripted import BLACK, WHITE, answers, play
from tests.note_codes import note_codes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

CRASH = ScriptedTurn(
    failed={
        "cause": "exception",
        "message": "KeyError: 3",
        "traceback": "Traceback (most recent call last)",
        "file": "main.py",
        "line": 7,
        "source_line": "return self.book[3]",
    },
    prints=b"last words\n",
)
FIRST = ScriptedTurn(answer=BLACK[0], prints=b"first words\n")
REFUSED = ScriptedTurn(answer="A1", takes=0.25, prints=b"I try A1\n")


@pytest.fixture
def author(client: Client) -> Client:
    """Return a client signed in as the author of the bot that plays black."""
    client.force_login(person("black"))
    return client


def create_match() -> Match:
    return queued_match([bot(User.objects.get(username="black")), bot()])


def play_new_match(*black: ScriptedTurn) -> Match:
    match = create_match()
    assert play(match, black, answers(WHITE))
    return match


def articles(author: Client, match: Match, **query: str) -> list[str]:
    page = author.get(reverse("match", args=[match.pk]), query).content.decode()
    return re.findall(r'<article class="card diagnosis".*?</article>', page, re.DOTALL)


def position(author: Client, match: Match, turn: int, attempt: int) -> Position:
    answer = author.get(reverse("match-position", args=[match.pk, 0, turn, attempt]))
    return Position.from_json(json.loads(answer.content), GAMES)


def test_last_fault_is_listed_first_with_its_move(author: Client) -> None:
    match = play_new_match(FIRST, REFUSED, ScriptedTurn(answer=BLACK[1]), CRASH)
    crash, refused = articles(author, match)
    for expected in (
        'data-kind="crash" data-turn="5"',
        'data-lost="true"',
        "KeyError: 3",
        "Traceback (most",
        "main.py:7",
        "return self.book[3]",
    ):
        assert expected in crash
    assert "last words" in crash
    assert "first words" not in crash, "only what was printed in this move"
    shown = 'data-lost="false" data-kind="illegal_move" data-turn="3"'
    for expected in (shown, "A1", "I try A1", "250 ms"):
        assert expected in refused
    assert "Legal moves" in refused
    assert f"python -m bots replay match-{match.pk}-seat-0-turn-5.json mine.py" in crash


def test_saved_state_reproduces_fault_until_bot_is_fixed(author: Client) -> None:
    match = play_new_match(FIRST, REFUSED, ScriptedTurn(answer=BLACK[1]), CRASH)
    clock = FakeClock()
    there = position(author, match, 5, 1)
    script = [FIRST, ScriptedTurn(answer=BLACK[1]), CRASH]
    again = rehearse(there, GAMES, ScriptedPlayer(clock, script), clock, there.match_limits(), lambda: False)
    assert again.diagnosis
    assert (again.diagnosis.kind, again.turn, again.differed) == (there.observed and there.observed.fault, 5, 0)
    mended = rehearse(there, GAMES, ScriptedPlayer(clock, answers(BLACK)), clock, there.match_limits(), lambda: False)
    assert (mended.diagnosis, mended.move) == (None, BLACK[2])


def test_last_illegal_answer_is_shown_with_earlier_ones(author: Client) -> None:
    match = play_new_match(FIRST, REFUSED, ScriptedTurn(answer="Z9"), ScriptedTurn(answer=7))
    shown = articles(author, match)
    assert note_codes(shown[0])[0] == "illegal.in_a_row"
    quoted = [re.findall(r'class="diagnosis__answer">(.*?)</code>', one)[0] for one in shown]
    assert [html.unescape(one) for one in quoted] == ["7", "'Z9'", "'A1'"]
    observed = position(author, match, 3, 3).observed
    assert observed
    assert [text.split(":")[1] for text in observed.refused] == [" 'A1'", " 'Z9'"]


@pytest.mark.long
def test_bot_that_fails_to_start_has_the_initial_state(author: Client) -> None:
    match = create_match()
    clock = FakeClock()

    def seating(job: object, stack: object) -> list[ScriptedPlayer]:
        broken = ScriptedPlayer(clock, start={"import": CRASH})
        return [broken, ScriptedPlayer(clock, answers(WHITE))]

    assert playing.play(match.pk, worker="w", seating=seating, clock=clock)
    (start,) = articles(author, match)
    assert 'data-kind="start" data-turn="0"' in start
    assert "last words" in start
    assert position(author, match, 0, 1).turns == []


def test_answers_that_break_the_same_rule_share_a_card(author: Client) -> None:
    match = play_new_match(*(turn for move in BLACK for turn in (REFUSED, REFUSED, ScriptedTurn(answer=move))))
    (shown,) = articles(author, match)
    assert "at move 9" in shown


@pytest.mark.long
def test_faults_are_paginated(author: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "FAULTS_PER_PAGE", 2)
    rejected = [REFUSED, ScriptedTurn(answer="Z9"), ScriptedTurn(answer=7)]
    match = play_new_match(
        *(turn for pair in zip(rejected, BLACK[:3], strict=True) for turn in (pair[0], ScriptedTurn(answer=pair[1]))),
        CRASH,
    )
    first, second = articles(author, match), articles(author, match, page="2")
    assert (len(first), len(second)) == (2, 2)
    assert "at move 7" in first[0]
    assert "at move 1<" in second[-1]


@pytest.mark.long
def test_older_report_is_shown_without_missing_fields(author: Client) -> None:
    match = play_new_match(FIRST, CRASH)
    report = SeatReport.objects.get(seat__match=match, seat__index=0)
    kept = {"kind", "message", "traceback", "file", "line", "source_line", "turn"}
    report.diagnosis = {name: value for name, value in report.diagnosis.items() if name in kept}
    report.save()
    (crash,) = articles(author, match)
    assert "KeyError: 3" in crash
    assert not {"printed", "not_printed"} & set(note_codes(crash))
    assert "charged" not in crash


@pytest.mark.long
def test_printed_output_is_shown_by_turn(author: Client) -> None:
    match = play_new_match(FIRST, REFUSED, ScriptedTurn(answer=BLACK[1], prints=b"now B\n"), CRASH)

    found = author.get(reverse("match-output", args=[match.pk, 0])).json()
    assert found == {"turns": [[0, "thinking\n"], [1, "first words\n"], [3, "I try A1\nnow B\n"], [5, "last words\n"]]}

    def printed_html(at: str) -> str:
        page = author.get(reverse("match", args=[match.pk]), {"at": at}).content.decode()
        return re.search(r'<div class="bot-output".*?</div>', page, re.DOTALL)[0]  # type: ignore[index]

    assert 'data-turn="0"' in printed_html("0")
    assert 'data-turn="1"' in printed_html("2")
    assert "first words" in printed_html("2")
    assert "I try A1\nnow B" in printed_html("3")
    assert "last words" in printed_html("99")
