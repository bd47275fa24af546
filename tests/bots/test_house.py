"""House bots, loaded from a copy of their packed upload, play whole matches without an illegal answer."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from arena.core.sandbox.uploads.module_package import read_module
from arena.games.base import Audience, Termination
from arena.games.registry import GAMES
from bots.golden_point.sdk.golden_state import GoldenState
from bots.reversi.sdk.board import Board

BOTS = Path(__file__).parents[2] / "bots"
REVERSI = sorted(path.stem for path in (BOTS / "reversi" / "house").glob("[!_]*.py"))
GOLDEN = sorted(path.stem for path in (BOTS / "golden_point" / "house").glob("[!_]*.py"))
AT_RANDOM = ("q_learning", "random_pick")
Player = Callable[[Any], Any]


def load(game: str, name: str, folder: Path) -> ModuleType:
    """Unpack the upload of a house bot into ``folder`` and import it, with little thinking time if that can be set."""
    place = folder / name
    if not place.exists():
        read_module(BOTS / game / "house" / f"{name}.py").write_to(place)
    spec = importlib.util.spec_from_file_location(f"upload_{name}", place / "main.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(place))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(place))
        for imported in [one for one in sys.modules if one.partition(".")[0] == "house"]:
            del sys.modules[imported]
    if hasattr(getattr(module, "AIPlayer", None), "seconds_per_move"):
        module.AIPlayer.seconds_per_move = 0.02
    return module


def mover(game: str, name: str, folder: Path) -> Player:
    """Return the bot's ``get_move`` or, if the bot defines a class, the ``get_move`` of a new player."""
    module = load(game, name, folder)
    move: Player = module.AIPlayer().get_move if hasattr(module, "AIPlayer") else module.get_move
    return move


def play_reversi(players: tuple[Player, Player]) -> Any:
    game = GAMES["reversi"]
    state = game.initial(game.settings({}), 2, random.Random(0))
    while (outcome := game.outcome(state)) is None:
        (seat,) = game.to_move(state)
        cells = game.shared(state)["board"]
        board = Board()
        board._board = [list(cells[start : start + 8]) for start in range(0, 64, 8)]
        state = game.apply(state, {seat: game.parse(state, seat, players[seat](board))})
    return outcome


def play_golden(players: list[Player], numbers: int, rounds: int) -> Any:
    game = GAMES["golden_point"]
    state = game.initial(game.settings({"numbers": numbers, "rounds": rounds}), len(players), random.Random(0))
    golden: list[float] = []
    history: list[list[tuple[float, ...] | None]] = []
    while (outcome := game.outcome(state)) is None:
        moves = {}
        for seat in game.to_move(state):
            observation = GoldenState(
                players=len(players),
                numbers=numbers,
                round=len(golden) + 1,
                rounds=rounds,
                golden=list(golden),
                history=list(history),
                seat=seat,
                score=game.own(state, seat)["score"],
            )
            moves[seat] = game.parse(state, seat, players[seat](observation))
        state = game.apply(state, moves)
        golden.append(game.view(state, Audience.EVERYBODY)["golden"])
        history.append([None if own is None else tuple(own) for own in game.view(state, Audience.EVERYBODY)["numbers"]])
    return outcome


@pytest.mark.parametrize("name", REVERSI)
def test_reversi_bots_play_both_colors(name: str, tmp_path: Path) -> None:
    random.seed(1)
    player, opponent = load("reversi", name, tmp_path), load("reversi", "random_move", tmp_path)
    for seats in ((player, opponent), (opponent, player)):
        black, white = (module.AIPlayer(color).get_move for module, color in zip(seats, "XO", strict=True))
        assert play_reversi((black, white)).termination == Termination.COMPLETED, "nobody resigned"


@pytest.mark.long
def test_corners_beats_the_simple_bots(tmp_path: Path) -> None:
    random.seed(2)
    corners = load("reversi", "corners", tmp_path)
    for name in ("random_move", "most_discs", "least_mobility"):
        opponent = load("reversi", name, tmp_path)
        outcomes = [
            play_reversi((corners.AIPlayer("X").get_move, opponent.AIPlayer("O").get_move)).points[0],
            play_reversi((opponent.AIPlayer("X").get_move, corners.AIPlayer("O").get_move)).points[1],
        ]
        assert sum(outcomes) > 1, name


@pytest.mark.long
@pytest.mark.parametrize("numbers", [1, 2])
def test_golden_point_bots_play_at_one_table(numbers: int, tmp_path: Path) -> None:
    random.seed(3)
    players = [mover("golden_point", name, tmp_path) for name in GOLDEN]
    outcome = play_golden(players, numbers, rounds=60)
    points = dict(zip(GOLDEN, outcome.points, strict=True))
    chance = points.pop("random_pick")
    del points["disruptor"]  # sacrifices points to move the golden number
    assert min(points.values()) > chance, "whatever has a strategy does better than chance"


@pytest.mark.parametrize("numbers", [1, 2])
@pytest.mark.parametrize("name", GOLDEN)
def test_golden_point_bots_survive_a_long_match_against_themselves(name: str, numbers: int, tmp_path: Path) -> None:
    """All answers stay within the permitted range, although the golden numbers of two identical bots can approach 0."""
    random.seed(4)
    players = [mover("golden_point", name, tmp_path) for _ in range(2)]
    outcome = play_golden(players, numbers, rounds=100)
    one, other = outcome.points
    assert (one == other) is (name not in AT_RANDOM), "the same bot twice plays the same, unless it plays at random"


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_point_bots_handle_removed_players(name: str, tmp_path: Path) -> None:
    observation = GoldenState(
        players=3, numbers=1, round=2, rounds=9, golden=[0.618], history=[[(1.0,), None, None]], seat=0, score=0
    )
    (answer,) = mover("golden_point", name, tmp_path)(observation)
    assert 0 < answer < 100


@pytest.mark.parametrize(("game", "name"), [("reversi", n) for n in REVERSI] + [("golden_point", n) for n in GOLDEN])
def test_every_bot_documents_its_strategy(game: str, name: str, tmp_path: Path) -> None:
    docstring = load(game, name, tmp_path).__doc__
    assert docstring is not None
    assert docstring.replace("\n", " ").count(". ") >= 1
    assert docstring.rstrip().endswith(".")
