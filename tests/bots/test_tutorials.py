"""Every tutorial step is a bot that plays without a fault, and the last step beats the house bot named in the text."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from arena.core.referee.clock import SystemClock
from arena.core.referee.in_process_player import InProcessPlayer
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.sandbox.uploads.package import MAIN, Package, read_package
from arena.games.base import Json, Termination
from arena.games.bot_packages import tutorial_steps
from arena.games.registry import GAMES, PACKAGES
from arena.games.sites import SITES
from bots.sdk.harness import Session

Settings = dict[str, Json]


@dataclass(frozen=True, slots=True)
class TutorialClaims:
    """The claims that a tutorial's text makes about its steps.

    ``trials``: settings with which each step plays without a fault. The last step wins at least ``wins`` of ``matches``
    against ``opponent``. ``climb``: settings of one match in which each step beats the previous one.
    """

    trials: tuple[Settings, ...]
    opponent: str
    wins: int
    matches: int
    settings: Settings
    climb: Settings | None = None


CLAIMS = {
    "reversi": TutorialClaims(({"opening": ""},), "random_move", 8, 10, {"opening": ""}),
    "golden_point": TutorialClaims(
        ({"numbers": 1, "rounds": 20}, {"numbers": 2, "rounds": 20}),
        "random_pick",
        15,
        20,
        {"numbers": 2, "rounds": 20},
    ),
    "fib2584": TutorialClaims(({"games": 1},), "expectimax", 1, 1, {"games": 6}, climb={"games": 10}),
    "suit_pairs": TutorialClaims(({"deals": 1},), "greedy", 2, 2, {"deals": 5}, climb={"deals": 2}),
}
STEPS = [(game, step) for game in CLAIMS for step in range(len(tutorial_steps(game)))]
CLIMBS = [(game, step) for game, step in STEPS if step and CLAIMS[game].climb]


def house_bot(game: str, name: str) -> Package:
    """Return a package that imports the house bot by its full module name, so that no folder is added to the path."""
    return read_package(f"from {PACKAGES[game].bots}.house.{name} import *\n".encode(), MAIN)


def step_bot(game: str, step: int) -> Package:
    return read_package(tutorial_steps(game)[step].encode(), MAIN)


def play(folder: Path, game: str, bots: tuple[Package, Package], settings: Settings, number: int) -> MatchResult:
    """Play match ``number`` of several; the first bot has seat ``number % 2``."""
    random.seed(number)
    import_module(PACKAGES[game].sdk)
    players = []
    for seat in range(2):
        own = folder / f"{number}-{seat}"
        bots[seat ^ number % 2].write_to(own)
        players.append(InProcessPlayer(partial(_begin, own), own))
    spec = MatchSpec(GAMES[game], settings, number, MatchLimits(), (SeatSpec("one", ""), SeatSpec("other", "")))
    result = play_match(spec, players, SystemClock(), lambda event: None, lambda: False)
    assert result.outcome.termination == Termination.COMPLETED
    assert not any(result.diagnoses)
    return result


def _begin(folder: Path) -> Callable[[bytes], bytes]:
    return Session(str(folder)).handle


def wins(result: MatchResult, number: int) -> bool:
    own, other = (result.outcome.ranks[seat] for seat in (number % 2, 1 - number % 2))
    return own < other


def test_each_tutorial_has_steps() -> None:
    assert {game for game in GAMES if tutorial_steps(game)} == set(CLAIMS)


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_step_plays_without_a_fault(game: str, step: int, tmp_path: Path) -> None:
    weakest = house_bot(game, SITES[game].bosses[0])
    for number, settings in enumerate(CLAIMS[game].trials):
        result = play(tmp_path, game, (step_bot(game, step), weakest), settings, number)
        assert not any(result.rejected)


@pytest.mark.parametrize("game", CLAIMS)
def test_last_step_beats_the_house_bot_named_in_the_text(game: str, tmp_path: Path) -> None:
    promise = CLAIMS[game]
    bots = step_bot(game, -1), house_bot(game, promise.opponent)
    won = [wins(play(tmp_path, game, bots, promise.settings, number), number) for number in range(promise.matches)]
    assert sum(won) >= promise.wins


@pytest.mark.long
@pytest.mark.parametrize(("game", "step"), CLIMBS)
def test_step_beats_the_previous_one(game: str, step: int, tmp_path: Path) -> None:
    bots = step_bot(game, step), step_bot(game, step - 1)
    assert wins(play(tmp_path, game, bots, CLAIMS[game].climb or {}, 0), 0)


@pytest.mark.parametrize("game", CLAIMS)
def test_each_step_is_longer_than_the_previous_one(game: str) -> None:
    lengths = [len(source.splitlines()) for source in tutorial_steps(game)]
    assert lengths == sorted(lengths)
