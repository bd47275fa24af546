"""Every step of a tutorial is a bot that plays without a fault, and the last one beats the weakest house bot."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from arena.core.referee.clock import SystemClock
from arena.core.referee.in_process_player import InProcessPlayer
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.sandbox.uploads.package import MAIN, read_package
from arena.games.base import Json, Termination
from arena.games.bot_packages import house_folders, tutorial_steps
from arena.games.registry import GAMES
from arena.games.sites import SITES
from tests.bots.conversation import Conversation

SETTINGS: dict[str, list[dict[str, Json]]] = {
    "reversi": [{"opening": ""}],
    "golden_point": [{"numbers": 1, "rounds": 20}, {"numbers": 2, "rounds": 20}],
}
STEPS = [(game, step) for game in SETTINGS for step in range(len(tutorial_steps(game)))]
SERIES = 20


def play(folder: Path, game: str, source: str, settings: dict[str, Json], number: int) -> MatchResult:
    """Match ``number`` of a series; the bot has the seat ``number % 2``."""
    random.seed(number)
    (package,) = read_package(source.encode(), MAIN).files
    weakest = (house_folders()[game] / f"{SITES[game].bosses[0]}.py").read_text()
    seats = [package.data.decode(), weakest] if number % 2 == 0 else [weakest, package.data.decode()]
    players = []
    for seat, main in enumerate(seats):
        own = folder / f"{number}-{seat}"
        own.mkdir()
        players.append(InProcessPlayer(partial(_begin, own, game, main), own))
    spec = MatchSpec(GAMES[game], settings, number, MatchLimits(), (SeatSpec("one", ""), SeatSpec("other", "")))
    return play_match(spec, players, SystemClock(), lambda event: None, lambda: False)


def _begin(folder: Path, game: str, main: str) -> Callable[[bytes], bytes]:
    return Conversation(folder, game, main=main).session.handle


def test_each_tutorial_has_steps() -> None:
    assert {game for game in GAMES if tutorial_steps(game)} == set(SETTINGS)


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_a_step_plays_without_a_fault(game: str, step: int, tmp_path: Path) -> None:
    for number, settings in enumerate(SETTINGS[game]):
        result = play(tmp_path, game, tutorial_steps(game)[step], settings, number)
        assert result.outcome.termination == Termination.COMPLETED
        assert not any(result.refused)


@pytest.mark.parametrize("game", SETTINGS)
def test_the_last_step_wins_most_matches(game: str, tmp_path: Path) -> None:
    won = 0
    for number in range(SERIES):
        result = play(tmp_path, game, tutorial_steps(game)[-1], SETTINGS[game][-1], number)
        own, other = (result.outcome.ranks[seat] for seat in (number % 2, 1 - number % 2))
        won += own < other
    assert won >= 15, "the tutorial promises a clear win"


@pytest.mark.parametrize("game", SETTINGS)
def test_each_step_is_longer_than_the_one_before(game: str) -> None:
    lengths = [len(source.splitlines()) for source in tutorial_steps(game)]
    assert lengths == sorted(lengths)
