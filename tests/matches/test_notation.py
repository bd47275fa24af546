"""Finished matches can be exported in the notations of other programs."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arena.core.referee.clock import FakeClock
from arena.core.referee.play import play_match
from arena.core.referee.players import Player
from arena.core.referee.record import Record, dump
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.matches.models import MatchRecord
from tests.core.referee.matches import golden_spec, reversi_spec
from tests.factories import bot, queued_match

pytestmark = pytest.mark.django_db

BLACK, WHITE = ["E6", "E3", "G5", "E7", "C5"], ["F4", "F6", "D6", "F5"]


def record_match(*scripts: list[str]) -> Record:
    clock = FakeClock()
    players: list[Player] = [ScriptedPlayer(clock, map(ScriptedTurn, script)) for script in scripts]
    return play_match(reversi_spec(), players, clock, lambda event: None, lambda: False).record


def texts(client: Client, record: Record) -> tuple[str, str]:
    match = queued_match([bot(name="One [1]"), bot(name="Two")])
    MatchRecord.objects.create(match=match, version=2, data=dump(record))
    found = [client.get(reverse("match-export", args=[match.pk, file])) for file in ("moves.txt", "game.ggf")]
    assert [answer["Content-Disposition"].rpartition(".")[2] for answer in found] == ['txt"', 'ggf"']
    return found[0].content.decode(), found[1].content.decode()


def test_match_exports_as_move_list_and_ggf(client: Client) -> None:
    moves, ggf = texts(client, record_match(BLACK, WHITE))
    assert moves == "E6F4E3F6G5D6E7F5C5\n"
    assert ggf.startswith("(;GM[Othello]PC[]PB[One 1]PW[Two]RE[+64]TY[8]BO[8 ")
    assert ggf.endswith("B[C5];)\n")


def test_resignation_is_not_a_move(client: Client) -> None:
    moves, ggf = texts(client, record_match(["E6", "Q"], ["F4"]))
    assert moves == "E6F4\n"
    assert "RE[-64]" in ggf


def test_opening_moves_are_included(client: Client) -> None:
    record = record_match(BLACK, WHITE)
    opened = Record.from_json(
        {**record.to_json(), "settings": {"opening": "E6F4"}, "turns": record.to_json()["turns"][2:]}
    )
    assert texts(client, opened)[0] == "E6F4E3F6G5D6E7F5C5\n"


def test_other_games_have_no_notation(client: Client) -> None:
    clock = FakeClock()
    players: list[Player] = [ScriptedPlayer(clock, [ScriptedTurn([1, 2])] * 4) for _ in range(3)]
    record = play_match(golden_spec(), players, clock, lambda event: None, lambda: False).record
    match = queued_match(game="golden_point")
    MatchRecord.objects.create(match=match, version=2, data=dump(record))
    assert client.get(reverse("match-export", args=[match.pk, "moves.txt"])).status_code == 404


def test_unfinished_match_is_not_exported(client: Client) -> None:
    assert client.get(reverse("match-export", args=[queued_match().pk, "game.ggf"])).status_code == 404
