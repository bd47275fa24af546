"""Reversi rules, tested with published perft counts, real matches and the course's positions."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.base import Audience, IllegalMove, SettingsError, Termination
from arena.games.reversi.rules import (
    SQUARES,
    ReversiGame,
    ReversiSettings,
    ReversiState,
    flipped_discs,
    legal_squares,
    square_names,
)

DATA = Path(__file__).parents[2] / "data"
GAME = ReversiGame()
SPECIAL = [
    pytest.param(game, id=f"{kind}-{game['src']}")
    for kind, games in json.loads((DATA / "reversi_special_games.json").read_text()).items()
    for game in games
]
# Leaf counts by depth; a pass counts as a ply, a final position as a leaf.
PERFT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]


def start() -> ReversiState:
    return GAME.initial(ReversiSettings(), 2, random.Random(0))


def play_moves(state: ReversiState, moves: list[str]) -> ReversiState:
    for move in moves:
        (seat,) = GAME.to_move(state)
        state = GAME.apply(state, {seat: GAME.parse(state, seat, move)})
    return state


def split_moves(moves: str) -> list[str]:
    return [moves[i : i + 2] for i in range(0, len(moves), 2)]


def perft(own: int, other: int, depth: int) -> int:
    legal = legal_squares(own, other)
    if not legal:
        return 1 if depth == 1 or not legal_squares(other, own) else perft(other, own, depth - 1)
    if depth == 1:
        return legal.bit_count()
    leaves = 0
    while legal:
        placed = legal & -legal
        legal ^= placed
        turned = flipped_discs(own, other, placed.bit_length() - 1)
        leaves += perft(other ^ turned, own | turned | placed, depth - 1)
    return leaves


@pytest.mark.parametrize("depth", range(1, 8))
def test_perft_matches_the_published_counts(depth: int) -> None:
    assert perft(*start().discs, depth) == PERFT[depth - 1]


@pytest.mark.long
@pytest.mark.parametrize("depth", [8, 9])
def test_deep_perft_matches_the_published_counts(depth: int) -> None:
    assert perft(*start().discs, depth) == PERFT[depth - 1]


@pytest.mark.parametrize("game", SPECIAL)
def test_special_games_are_replayed(game: dict[str, Any]) -> None:
    state = start()
    passes = []  # number of moves played before each pass
    for number, move in enumerate(split_moves(game["moves"]), start=1):
        state = play_moves(state, [move])
        if state.passed is not None:
            passes.append(number)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.termination is Termination.COMPLETED
    assert GAME.view(state, Audience.EVERYBODY)["counts"] == {"X": game["black"], "O": game["white"]}
    assert passes == game.get("pass_before_ply", [])
    assert outcome.margins[0] == 2 * game.get("score_wof_black", 64) - 64
    assert outcome.margins == (-outcome.margins[1], -outcome.margins[0])


def read_wthor_games() -> list[tuple[int, list[str]]]:
    """Return, for every game in the file, the number of black discs as the federation counts them, and the moves."""
    raw = (DATA / "WTH_1977.wtb").read_bytes()
    (count,) = struct.unpack_from("<I", raw, 4)
    games = []
    for number in range(count):
        game = raw[16 + 68 * number :][:68]
        games.append((game[6], [SQUARES[8 * (move // 10 - 1) + move % 10 - 1] for move in game[8:] if move]))
    return games


@pytest.mark.parametrize(("discs", "moves"), read_wthor_games())
def test_recorded_tournament_games_are_replayed(discs: int, moves: list[str]) -> None:
    outcome = GAME.outcome(play_moves(start(), moves))
    assert outcome is not None
    assert outcome.margins[0] == 2 * discs - 64
    assert outcome.winner == (None if discs == 32 else int(discs < 32))


def test_course_positions_have_the_same_moves_and_flips() -> None:
    """Legal squares and flips are the same as on the course's board, apart from their order."""
    for position in json.loads((DATA / "reversi_course_positions.json").read_text()):
        own, other = (
            sum(1 << i for i, disc in enumerate(position["board"]) if disc == color)
            for color in (position["color"], {"X": "O", "O": "X"}[position["color"]])
        )
        assert set(square_names(legal_squares(own, other))) == set(position["legal_in_order"])
        for move, flips in position["flips_in_order"].items():
            assert set(square_names(flipped_discs(own, other, SQUARES.index(move)))) == set(flips)


@pytest.mark.long
@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_random_matches_keep_the_invariants(rng: random.Random) -> None:
    state, turns = start(), 0
    while GAME.outcome(state) is None:
        turns += 1
        (seat,) = GAME.to_move(state)
        move = rng.choice(square_names(state.legal))
        after = GAME.apply(state, {seat: move})
        assert not after.discs[0] & after.discs[1]
        assert (after.discs[0] | after.discs[1]).bit_count() == (state.discs[0] | state.discs[1]).bit_count() + 1
        assert state.discs[1 - seat] & after.flipped == after.flipped != 0
        assert GAME.decode(GAME.encode(move)) == move
        json.dumps([GAME.view(after, Audience.EVERYBODY), GAME.shared(after), GAME.own(after, 0)], allow_nan=False)
        state = after
    assert GAME.to_move(state) == ()
    assert not state.legal
    assert turns <= GAME.max_turns(GAME.settings({}))


def test_observations_of_bots_and_spectators() -> None:
    state = play_moves(start(), ["D3"])
    board = "...................X.......XX......XO..........................."
    assert GAME.shared(state) == {"board": board, "last": "D3", "moves": "D3"}
    assert GAME.own(state, 0) == {"color": "X"}
    assert GAME.own(state, 1) == {"color": "O"}
    assert GAME.view(state, Audience.EVERYBODY) == {
        "board": board,
        "to_move": "O",
        "legal": ["C3", "E3", "C5"],
        "counts": {"X": 4, "O": 1},
        "last": "D3",
        "flipped": ["D4"],
        "passed": None,
    }


def test_pass_is_shown() -> None:
    moves = split_moves("f5f6e6f4e3c5c4d3f3e2f2d2c3d6d1b5c1c2b3e1f1a3a6b4a4b6a2g3a5b2h3h2h1g1g2b1h4g4a1")
    before, after = play_moves(start(), moves[:-1]), play_moves(start(), moves)
    views = (GAME.view(state, Audience.EVERYBODY) for state in (before, after))
    assert [(view["to_move"], view["passed"]) for view in views] == [("X", None), ("X", "O")]


@pytest.mark.parametrize(
    "answer", [None, 3, True, [2, 3], {}, "", "D33", "I1", "A9", "E5", "A1", "pass", "D3 ", "d\x00"]
)
def test_illegal_answers_are_rejected(answer: Any) -> None:
    with pytest.raises(IllegalMove):
        GAME.parse(start(), 0, answer)


def test_lowercase_moves_are_accepted() -> None:
    assert GAME.parse(start(), 0, "d3") == "D3"


def test_rejection_lists_the_legal_moves() -> None:
    with pytest.raises(IllegalMove, match="D3, C4, F5, E6") as refused:
        GAME.parse(start(), 0, "A1")
    assert refused.value.message.code == "reversi.not_legal"


def test_q_resigns() -> None:
    state = play_moves(start(), ["D3", "q"])
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.points, outcome.ranks, outcome.margins) == ((1, 0), (1, 2), (64, -64))
    assert outcome.termination is Termination.RESIGNATION
    assert GAME.view(state, Audience.EVERYBODY)["to_move"] is None


@pytest.mark.parametrize("loser", [0, 1])
def test_faulting_seat_loses_on_either_turn(loser: int) -> None:
    outcome = GAME.outcome(GAME.apply(start(), {}, frozenset({loser})))
    assert outcome is not None
    assert outcome.termination is Termination.FORFEIT
    assert outcome.winner == 1 - loser
    assert outcome.margins[loser] == -64


def test_two_faults_leave_no_winner() -> None:
    outcome = GAME.outcome(GAME.apply(start(), {}, frozenset({0, 1})))
    assert outcome is not None
    assert outcome.points == (0, 0)
    assert outcome.winner is None


def test_apply_rejects_unrequested_moves() -> None:
    for moves in ({1: "D3"}, {0: "A1"}, {0: "D3", 1: "C5"}, {}):
        with pytest.raises(ValueError, match=r"."):
            GAME.apply(start(), moves)


def test_opening_setting_determines_the_initial_position() -> None:
    settings = GAME.settings({"opening": "f5d6"})
    assert GAME.settings_json(settings) == {"opening": "F5D6"}
    assert GAME.initial(settings, 2, random.Random(0)) == play_moves(start(), ["F5", "D6"])
    assert GAME.settings_json(GAME.settings({})) == {"opening": ""}


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"opening": "A1"}, "opening"),
        ({"opening": "F"}, "opening"),
        ({"opening": 5}, "opening"),
        ({"opening": "e6f4e3f6g5d6e7f5c5"}, "opening"),
        ({"openning": ""}, "openning"),
    ],
)
def test_invalid_settings_are_rejected(raw: dict[str, Any], field: str) -> None:
    with pytest.raises(SettingsError) as caught:
        GAME.settings(raw)
    assert caught.value.field == field


@pytest.mark.parametrize("raw", [None, 5, "d3", "Z9"])
def test_decode_rejects_values_that_encode_never_produces(raw: Any) -> None:
    with pytest.raises(ValueError, match="not a"):
        GAME.decode(raw)
