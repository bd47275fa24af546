"""Share cards and animations are valid images that show the board, the players and the score of any match."""

from __future__ import annotations

import random
import struct
from typing import Any
from xml.etree import ElementTree

import pytest

from arena.core.referee.events import outcome_json
from arena.games.base import Audience
from arena.games.drawing import HUES
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.games.templatetags.games import points
from arena.matches.card_text import FittedText, fit_text, text_width
from arena.matches.share_cards import FRAMES, HEIGHT, WIDTH, animation_frames, share_card
from arena.submissions.models import NAME_LENGTH

CASES = [
    ("reversi", 2, {}),
    ("golden_point", 9, {"rounds": 50}),
    ("fib2584", 1, {"games": 1}),
    ("fib2584", 5, {"games": 1}),
    ("suit_pairs", 2, {}),
]
NAMES = (
    "Corners",
    "小明 & <b>Tom</b>",
    "A name that is far too long for its place on a card of this width",
    "C3",
)
TEXT = "{http://www.w3.org/2000/svg}text"


def _answer(game: str, state: Any, seat: int, chance: random.Random) -> Any:
    if game == "golden_point":
        return [chance.uniform(0, 40) for _ in range(2)]
    view, own = GAMES[game].view(state, seat), GAMES[game].own(state, seat)
    return chance.choice(view["legal"] if game == "reversi" else own["legal"])


def play_match(game: str, seats: int, **settings: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a snapshot and all turns of a match between random players."""
    rules = GAMES[game]
    chance = random.Random(1)
    state = rules.initial(rules.settings(settings), seats, chance)
    views = [rules.view(state, Audience.PUBLIC)]
    while (outcome := rules.outcome(state)) is None:
        moves = {seat: rules.parse(state, seat, _answer(game, state, seat, chance)) for seat in rules.to_move(state)}
        state = rules.apply(state, moves)
        views.append(rules.view(state, Audience.PUBLIC))
    turns = [{"number": number, "moves": [], "view": view} for number, view in enumerate(views)]
    seated = [
        {"index": seat, "name": NAMES[seat % len(NAMES)], "bot_url": "", "fault": None, "points": outcome.points[seat]}
        for seat in range(seats)
    ]
    ended = outcome_json(outcome.points, outcome.ranks, outcome.termination)
    return {"match": {"game": game, "id": 7}, "seats": seated, "turns": turns[-1:], "outcome": ended}, turns


def texts(svg: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(svg).iter(TEXT)]


@pytest.mark.parametrize(("game", "seats", "settings"), CASES)
def test_every_game_draws_its_matches(game: str, seats: int, settings: dict[str, Any]) -> None:
    snapshot, turns = play_match(game, seats, **settings)
    card = share_card(snapshot, turns, "Course cup")
    assert card.board
    shown = texts(card.svg())
    assert "Course cup" in shown
    assert any(one.startswith(NAMES[0][:3]) for one in shown) or seats > 4
    drawn = animation_frames(snapshot, turns, "Course cup")
    assert len(drawn) == min(FRAMES, len(turns))
    assert drawn[-1] == card.svg()
    assert len(set(drawn)) > len(drawn) / 2, "they move"


def test_end_of_a_card_game_shows_both_piles_in_the_order_of_the_players() -> None:
    snapshot, turns = play_match("suit_pairs", 2)
    end = turns[-1]["view"]
    assert end["hand_sizes"] == [0, 0]
    shown = texts(share_card(snapshot, turns, "Course cup").svg())
    cards = [*end["piles"][0], *end["piles"][1], *end["table"]]
    assert sum(one in "♣♦♥♠" for one in shown) == len(cards)
    first, second = (str(points) for points in end["points"])
    assert shown.index(first) < shown.index(second) or first == second


def test_every_installed_game_has_an_image() -> None:
    assert [name for name, site in SITES.items() if site.picture is None] == []


def test_card_is_a_png_of_the_announced_size() -> None:
    snapshot, turns = play_match("reversi", 2)
    png = share_card(snapshot, turns, "Course cup").png()
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (WIDTH, HEIGHT)


def test_card_of_running_match_shows_turn_and_no_winner() -> None:
    snapshot, turns = play_match("reversi", 2)
    card = share_card(snapshot, turns, "Course cup", at=10)
    assert card.note == f"Move 10 of {len(turns) - 1}"
    assert not any(line.is_winner for line in card.lines)
    counts = turns[10]["view"]["counts"]
    assert [line.score for line in card.lines] == [str(counts["X"]), str(counts["O"])]
    at_the_end = share_card(snapshot, turns, "Course cup")
    assert sum(line.is_winner for line in at_the_end.lines) == 1


@pytest.mark.parametrize("seats", [2, 4])
def test_card_of_running_match_has_the_players_scores_so_far(seats: int) -> None:
    snapshot, turns = play_match("golden_point", seats, rounds=30)
    scores = turns[20]["view"]["scores"]
    lines = share_card(snapshot, turns, "Course cup", at=20).lines
    assert {line.swatch: line.score for line in lines} == {seat: points(score) for seat, score in enumerate(scores)}
    assert not any(line.is_winner for line in lines)


def test_names_have_the_colours_of_the_seats_if_the_picture_has() -> None:
    snapshot, turns = play_match("golden_point", 4, rounds=3)
    svg = share_card(snapshot, turns, "Course cup").svg()
    assert all(f'stroke="{hue}" stroke-width="4.56"' in svg for hue in HUES[:4])
    assert [line.swatch for line in share_card(*play_match("reversi", 2), "Course cup").lines] == [None, None]


def test_card_of_queued_match_has_no_board() -> None:
    snapshot, _ = play_match("reversi", 2)
    card = share_card({**snapshot, "turns": [], "outcome": None}, [], "Course cup")
    assert (card.board, card.note) == ("", "")
    assert card.png().startswith(b"\x89PNG")


def test_markup_in_names_is_escaped() -> None:
    snapshot, turns = play_match("golden_point", 4, rounds=3)
    assert "小明 & <b>Tom</b>" in texts(share_card(snapshot, turns, "Course cup").svg())


@pytest.mark.parametrize(
    "name",
    [
        "Benbot with a rather long name, 3rd try",
        "北京大学人工智能导论课程黄金点与黑白棋机器人第三小组的第十二个提交版本，最终版",
        "MinimaxWithAlphaBetaPruningAndDeepeni",
        "W" * NAME_LENGTH,
    ],
)
@pytest.mark.parametrize(("game", "seats"), [("reversi", 2), ("golden_point", 4)])
def test_longest_names_are_wrapped_and_not_truncated(game: str, seats: int, name: str) -> None:
    snapshot, turns = play_match(game, seats, **({"rounds": 3} if game == "golden_point" else {}))
    snapshot["seats"][0]["name"] = name
    shown = texts(share_card(snapshot, turns, "Course cup").svg())
    assert name not in shown
    assert name.replace(" ", "") in "".join(shown).replace(" ", "")
    assert not any("…" in one for one in shown)


def test_names_are_divided_between_words() -> None:
    fitted = fit_text("Benbot with a rather long name", 495, 84, largest=54, smallest=24)
    assert fitted.lines == ("Benbot with a rather", "long name")
    assert fit_text("Benbot", 495, 84, largest=54, smallest=24) == FittedText(54, ("Benbot",))


def test_punctuation_never_starts_a_line() -> None:
    assert fit_text("黄金点与黑白棋，最终版", 70, 84, largest=10, smallest=10).lines == ("黄金点与黑白", "棋，最终版")


def test_name_too_long_for_its_box_is_truncated() -> None:
    fitted = fit_text("far too long " * 20, 200, 60, largest=40, smallest=24)
    assert (fitted.size, len(fitted.lines)) == (24, 2)
    assert fitted.lines[-1].endswith("…")
    assert all(text_width(line, fitted.size) <= 200 for line in fitted.lines)


def test_long_context_and_large_scores_are_shown_in_full() -> None:
    snapshot, turns = play_match("golden_point", 4, rounds=3)
    snapshot["outcome"]["points"][0] = 19043.0
    context = "Golden point · Golden-point evening of the spring course, Round 12"
    shown = texts(share_card(snapshot, turns, context).svg())
    assert "19,043" in shown
    assert context in " ".join(shown)
