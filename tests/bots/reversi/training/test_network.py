"""The compiled rules agree with the arena's, and a training run learns and can be resumed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed: make develop")
jax = pytest.importorskip("jax", reason="the extra `training` is not installed: make training")
pytest.importorskip("optax", reason="the extra `training` is not installed: make training")

from arena.games.reversi.rules import flipped_discs, legal_squares  # noqa: E402
from bots.reversi.training.network import __main__ as command  # noqa: E402
from bots.reversi.training.network.environment import ENVIRONMENT  # noqa: E402
from bots.reversi.training.network.files import load_weights  # noqa: E402
from bots.reversi.training.network.learning import SYMMETRIES  # noqa: E402
from bots.reversi.training.network.openings import random_start  # noqa: E402
from bots.reversi.training.network.rules import Squares, observe, position_after, result  # noqa: E402

pytestmark = pytest.mark.long  # compiling takes most of the time

GAMES = 256


def numbers(squares: Squares) -> list[int]:
    return [
        int(low) | int(high) << 32 for low, high in zip(np.asarray(squares.low), np.asarray(squares.high), strict=True)
    ]


class Reference:
    """A game under the arena's rules, for comparison."""

    def __init__(self, own: int, other: int, black: bool) -> None:
        self.own, self.other, self.black, self.over = own, other, black, False

    def play(self, square: int) -> None:
        flipped = flipped_discs(self.own, self.other, square)
        self.own, self.other = self.other ^ flipped, self.own | flipped | 1 << square
        self.black = not self.black
        if not legal_squares(self.own, self.other):
            if legal_squares(self.other, self.own):
                self.own, self.other, self.black = self.other, self.own, not self.black
            else:
                self.over = True


def test_random_games_agree_with_the_rules() -> None:
    chance = random.Random(1)
    positions = jax.jit(jax.vmap(random_start))(jax.random.split(jax.random.key(1), GAMES))
    step, seen = jax.jit(position_after), jax.jit(observe)
    known = [
        Reference(*one)
        for one in zip(numbers(positions.own), numbers(positions.other), np.asarray(positions.black), strict=True)
    ]
    ended = 0
    while ended < GAMES:
        planes = np.asarray(seen(positions)).reshape(GAMES, 4, 64)
        actions = np.zeros(GAMES, np.int32)
        for index, game in enumerate(known):
            if game.over:
                continue
            legal = legal_squares(game.own, game.other)
            expected = (game.own, game.other, legal, legal_squares(game.other, game.own))
            for plane, squares in zip(planes[index], expected, strict=True):
                assert [square for square in range(64) if plane[square]] == [
                    square for square in range(64) if squares >> square & 1
                ]
            actions[index] = chance.choice([square for square in range(64) if legal >> square & 1])
        positions = step(positions, actions)
        over, black, results = (np.asarray(one) for one in (positions.over, positions.black, result(positions)))
        for index, game in enumerate(known):
            if game.over:
                continue
            game.play(int(actions[index]))
            assert game.over == over[index]
            if not game.over:
                assert game.black == black[index]
                continue
            ended += 1
            lead = game.own.bit_count() - game.other.bit_count()
            assert results[index] * (1 if game.black == black[index] else -1) == (lead > 0) - (lead < 0)


def test_openings_differ_and_leave_moves_to_play() -> None:
    positions = jax.jit(jax.vmap(random_start))(jax.random.split(jax.random.key(2), GAMES))
    assert not np.asarray(positions.over).any()
    assert len(set(zip(numbers(positions.own), numbers(positions.other), strict=True))) > GAMES // 2
    assert (np.asarray(jax.vmap(ENVIRONMENT.lead)(positions)) == 0).all()


def test_symmetries_map_legal_moves_to_legal_moves() -> None:
    own, other = 0x0000_0008_1C00_0000, 0x0000_0010_2000_0000
    legal = legal_squares(own, other)

    def image(squares: int, places: list[int]) -> int:
        return sum(1 << at for at, place in enumerate(places) if squares >> place & 1)

    images = [[int(place) for place in places] for places in SYMMETRIES]
    assert len(set(map(tuple, images))) == 8
    for places in images:
        assert legal_squares(image(own, places), image(other, places)) == image(legal, places)


@pytest.mark.long
def test_run_learns_writes_files_and_resumes(tmp_path: Path) -> None:
    arguments = [
        "--run",
        str(tmp_path),
        "--games",
        "32",
        "--steps",
        "8",
        "--batch",
        "64",
        "--trial",
        "0",
        "--seed",
        "1",
    ]
    command.main([*arguments, "--rounds", "6"])
    curves = (tmp_path / "curves.csv").read_text().splitlines()
    first = load_weights(tmp_path / "weights.npz")
    assert len(curves) == 2
    command.main([*arguments, "--rounds", "2"])
    assert len((tmp_path / "curves.csv").read_text().splitlines()) == 3
    again = load_weights(tmp_path / "weights.npz")
    assert {name: one.shape for name, one in again.items()} == {name: one.shape for name, one in first.items()}
    assert any((np.asarray(again[name]) != np.asarray(first[name])).any() for name in first)
