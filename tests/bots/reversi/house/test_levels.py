"""The levels are complete and can be uploaded like any bot, and a higher level beats a much lower one."""

from __future__ import annotations

import importlib
import random
from pathlib import Path

import pytest

from arena.core.sandbox.uploads.module_package import read_module
from bots.reversi.house.levels import LEVELS
from tests.bots.test_house import play_reversi

REVERSI = Path(__file__).parents[4] / "bots" / "reversi" / "house"


def test_every_level_has_a_module() -> None:
    assert sorted(LEVELS) == sorted(path.stem for path in (REVERSI / "levels").glob("[!_]*.py"))


@pytest.mark.parametrize("level", LEVELS)
def test_level_is_packed_with_the_engine(level: str) -> None:
    package = read_module(REVERSI / "levels" / f"{level}.py", REVERSI)
    files = {file.path: file.data.decode(errors="replace") for file in package.files}
    assert {f"house/levels/{level}.py", "house/engine/thinking.py", "house/engine/pattern_weights.bin"} <= set(files)
    assert f"from house.levels.{level} import AIPlayer" in files["main.py"]


@pytest.mark.long
def test_club_beats_beginner() -> None:
    players = [importlib.import_module(f"bots.reversi.house.levels.{level}").AIPlayer for level in ("club", "beginner")]
    points = 0.0
    for seat in (0, 1):
        pair = [players[seat]("X"), players[1 - seat]("O")]
        for player in pair:
            player.chance = random.Random(1)  # without a fixed seed, the beginner sometimes wins
        points += play_reversi((pair[0].get_move, pair[1].get_move)).points[seat]
    assert points == 2
