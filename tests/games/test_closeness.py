"""Every game on the site rates how close a running match is; a tied score near the end is closest."""

from __future__ import annotations

import random

import pytest

from arena.games.base import Audience
from arena.games.closeness import closeness
from arena.games.registry import GAMES
from arena.games.sites import SITES


def test_tied_score_near_the_end_is_closest_and_decisive_lead_is_not() -> None:
    late, early = (closeness([20, 20], decisive=10, progress=progress) for progress in (1.0, 0.0))
    assert (late, early) == (1.0, 0.5)
    assert closeness([20, 10], decisive=10, progress=1.0) == 0
    assert closeness([90, 0], decisive=10, progress=1.0) == 0
    assert closeness([20, 15], decisive=10, progress=1.0) == 0.5


def test_closeness_at_a_table_compares_the_first_two_seats() -> None:
    assert closeness([0, 20, 18], decisive=10, progress=1.0) == pytest.approx(0.8)


def test_reversi_closeness_compares_discs() -> None:
    close = SITES["reversi"].closeness
    assert close
    level, ahead = ({"counts": {"X": black, "O": 50 - black}} for black in (25, 40))
    assert close(level) == pytest.approx((1 + 46 / 60) / 2)
    assert close(ahead) == 0


@pytest.mark.parametrize("name", GAMES)
def test_every_game_rates_closeness_of_its_first_public_view(name: str) -> None:
    game, close = GAMES[name], SITES[name].closeness
    seats = max(2, game.min_seats)
    state = game.initial(game.settings({}), seats, random.Random(1))

    assert close
    assert close(game.view(state, Audience.PUBLIC)) == pytest.approx(0.5, abs=0.05)


def test_single_seat_has_no_closeness() -> None:
    game, close = GAMES["fib2584"], SITES["fib2584"].closeness
    assert close
    assert close(game.view(game.initial(game.settings({}), 1, random.Random(1)), Audience.PUBLIC)) is None
