"""The title of a match page has names and scores; below it is the verdict on the reader's or the loser's seat."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arena.core.messages import verbatim_message
from arena.games.review import Review, Verdict
from arena.matches import reviews
from arena.matches.reviews import main_verdict
from arena.matches.templatetags.match_title import match_title
from tests.factories import bot, person, queued_match


def _snapshot(names: list[str], outcome: dict[str, Any] | None = None, turns: Any = (), game: str = "reversi") -> Any:
    seats = [
        {"index": index, "name": name, "bot_url": "", "fault": None, "color": None} for index, name in enumerate(names)
    ]
    return {"match": {"id": 7, "game": game}, "seats": seats, "outcome": outcome, "turns": list(turns)}


def _outcome(ranks: list[int], points: list[float], termination: str = "completed") -> dict[str, Any]:
    winner = ranks.index(1) if ranks.count(1) == 1 else None
    return {"ranks": ranks, "points": points, "termination": termination, "winner": winner}


def _board(black: int, white: int) -> dict[str, Any]:
    return {"number": 1, "moves": [], "view": {"counts": {"X": black, "O": white}}}


def test_duel_title_has_names_and_board_scores() -> None:
    title = match_title(_snapshot(["Corners", "Mia"], _outcome([1, 2], [1, 0]), [_board(51, 13)]))

    assert str(title) == "Corners 51 – 13 Mia"
    assert [seat.is_winner for seat in title.seats] == [True, False]


def test_title_before_first_turn_has_no_score_and_names_guests() -> None:
    assert str(match_title(_snapshot(["Corners", ""]))) == "Corners – Guest"


def test_match_that_reached_its_time_limit_has_no_score() -> None:
    title = match_title(_snapshot(["A", "B"], _outcome([1, 1], [0, 0], "time_limit"), [_board(9, 3)]))

    assert str(title) == "A – B"


def test_large_table_title_names_the_best_players() -> None:
    names = ["A", "B", "C", "D", "E"]

    assert str(match_title(_snapshot(names, game="golden_point"))) == "A, B, C and 2 more"
    finished = _snapshot(names, _outcome([5, 4, 3, 2, 1], [1, 2, 3, 4, 5]), game="golden_point")
    assert str(match_title(finished)) == "E, D, C and 2 more"


def test_title_of_four_players_hides_nobody() -> None:
    names = ["A", "B", "C", "D"]

    assert str(match_title(_snapshot(names, game="golden_point"))) == "A, B, C, D"


def test_title_of_large_table_names_the_readers_bots_in_the_order_of_the_result() -> None:
    finished = _snapshot(["A", "B", "C", "D", "E", "F"], _outcome([6, 5, 4, 3, 2, 1], [1, 2, 3, 4, 5, 6]))

    assert str(match_title({**finished, "own_seats": [0]})) == "F, E, A and 3 more"
    assert str(match_title({**finished, "own_seats": [0, 5]})) == "F, E, A and 3 more"
    assert str(match_title({**finished, "own_seats": [0, 1, 2, 3]})) == "D, C, B and 3 more"


@pytest.mark.long
@pytest.mark.django_db
def test_match_page_of_a_large_table_names_the_readers_own_bot(client: Client) -> None:
    author = person("ann")
    others = [bot(game="golden_point", name=f"Bot {letter}") for letter in "ABCDE"]
    match = queued_match([*others, bot(author, "golden_point", "Fifty")], "golden_point")
    url = reverse("match", args=[match.pk])

    assert "<title>Bot A, Bot B, Bot C and 3 more" in client.get(url).content.decode()
    client.force_login(author)
    assert "<title>Bot A, Bot B, Fifty and 3 more" in client.get(url).content.decode()
    projector = client.get(url, {"view": "projector"}).content.decode()
    assert "<title>Bot A, Bot B, Bot C and 3 more" in projector


REVIEW = Review(tuple(Verdict(seat, seat + 10, verbatim_message(f"about {seat}")) for seat in (0, 1, 2)))


def _verdict_seat(snapshot: Any, reader: int | None = None) -> int | None:
    found = main_verdict(REVIEW, {**snapshot, "reader": None if reader is None else {"seat": reader, "is": "bot"}})
    return found.seat if found else None


def test_players_see_own_verdict_and_others_see_the_losers() -> None:
    pair = _snapshot(["A", "B"], _outcome([1, 2], [1, 0]))

    assert _verdict_seat(pair) == 1
    assert _verdict_seat(pair, reader=0) == 0
    assert _verdict_seat(_snapshot(["A", "B", "C"], _outcome([3, 1, 2], [0, 2, 1]))) == 2
    assert _verdict_seat(_snapshot(["A", "B"], _outcome([1, 1], [0, 0]))) == 0


def test_spectators_see_the_verdict_on_the_whole_match_if_there_is_one() -> None:
    overall = Verdict(0, 5, verbatim_message("about the match"))
    snapshot = _snapshot(["A", "B"], _outcome([1, 2], [1, 0]))

    assert main_verdict(Review(REVIEW.verdicts, overall=overall), snapshot) is overall
    found = main_verdict(Review(REVIEW.verdicts, overall=overall), {**snapshot, "reader": {"seat": 1, "is": "bot"}})
    assert found is REVIEW.verdicts[1]


def test_seat_without_verdict_does_not_show_one_of_another_seat() -> None:
    assert main_verdict(Review(), _snapshot(["A", "B"], _outcome([1, 2], [1, 0]))) is None
    assert _verdict_seat(_snapshot(["A", "B", "C", "D"], _outcome([2, 1, 3, 4], [0, 1, 0, 0])), reader=3) is None


def test_only_finished_matches_are_reviewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "_REVIEWERS", {"reversi": lambda match_id: REVIEW})
    running, finished = _snapshot(["A", "B"]), _snapshot(["A", "B"], _outcome([1, 2], [1, 0]))

    assert reviews.review_of(running) is None
    assert reviews.review_of(finished) is REVIEW
    assert reviews.review_of({**finished, "match": {"id": 7, "game": "golden_point"}}) is None
