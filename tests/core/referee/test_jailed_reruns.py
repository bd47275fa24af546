"""Reruns of real bots are identical, inside and outside the jail, whichever source of randomness the bots use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.core.memory_layout import fixed_layout
from arena.core.referee.bot_seeds import new_secret
from arena.core.referee.record import Record
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.uploads.package import MAIN, Package
from arena.games.bot_packages import sdk_packages
from arena.games.registry import GAMES
from bots.cli.commands import BOT_FAILED, OK, main
from tests.core.referee.jailed import LIBRARIES, ROOT, MakeBot, play_in_jail
from tests.core.sandbox.configs import why_unavailable
from tests.core.sandbox.pythons import python_for_everybody, readable_by_everybody

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.long,
    pytest.mark.skipif(not LIBRARIES.is_dir(), reason="the libraries of bots are not installed here: make install"),
]

DRAWS = """
import random

import numpy as np

WORDS = {f"word {number}" for number in range(200)}
OWN, GENERATOR = random.Random(), np.random.default_rng()


def draw():
    word = next(iter(WORDS))
    WORDS.discard(word)
    WORDS.add(word[::-1] + "x")
    return (sum(map(ord, word)) + random.randrange(1000) + OWN.randrange(1000)
            + int(np.random.randint(1000)) + int(GENERATOR.integers(1000)))
"""
CHOOSES = {
    "reversi": """
class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        legal = sorted(board.get_legal_actions(self.color))
        return legal[draw() % len(legal)]
""",
    "golden_point": """
def get_move(state):
    numbers = [1 + draw() % 9800 / 100 for _ in range(state.numbers)]
    return numbers[0] if state.numbers == 1 else numbers
""",
    "fib2584": "def get_move(state):\n    return list(state.legal)[draw() % len(state.legal)]\n",
    "suit_pairs": "def get_move(state):\n    return state.legal[draw() % len(state.legal)]\n",
}
SETTINGS: dict[str, dict[str, Any]] = {
    "reversi": {},
    "golden_point": {"rounds": 10},
    "fib2584": {},
    "suit_pairs": {"deals": 1},
}
SECRET = "00112233445566778899aabbccddeeff"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[ForkServer, ForkServer]]:
    """Yield two fork servers that are as different as possible: with and without namespaces, if both modes work."""
    usable = [mode for mode in (Mode.NAMESPACES, Mode.LANDLOCK) if not why_unavailable(mode)]
    if not usable:
        pytest.skip("there is no jail here")
    configs = [SandboxConfig((LIBRARIES,), ROOT, packages=sdk_packages(), mode=mode) for mode in usable]
    if Mode.LANDLOCK in usable and readable_by_everybody(ROOT / "bots"):
        configs[-1] = replace(configs[-1], python=python_for_everybody() or configs[-1].python)
    else:
        configs = configs[:1]
    with ForkServer(configs[0]) as one, ForkServer(configs[-1]) as other:
        yield one, other


def moves(record: Record) -> list[Any]:
    return [move.move for turn in record.turns for move in turn.moves]


@pytest.mark.parametrize("game", GAMES)
def test_same_secret_gives_the_same_moves_in_every_jail_and_on_every_machine(
    servers: tuple[ForkServer, ForkServer],
    bot: MakeBot,
    game: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = DRAWS + CHOOSES[game]
    seats = 1 if GAMES[game].independent_seats else 2
    sha256 = Package.from_files({MAIN: source.encode()}).sha256
    seated = tuple(SeatSpec(f"bot {seat}", sha256) for seat in range(seats))
    spec = MatchSpec(GAMES[game], SETTINGS[game], 1, MatchLimits(), seated, SECRET)
    folders = [bot(source) for _ in range(seats)]
    first, second, other = (
        play_in_jail(where, one, *folders).record
        for where, one in ((servers[0], spec), (servers[1], spec), (servers[0], replace(spec, secret=new_secret())))
    )
    assert all(move.fault is None for turn in first.turns for move in turn.moves)
    assert moves(first) == moves(second)
    assert moves(first) != moves(other)

    kept, mine = tmp_path / "record.json", tmp_path / "mine.py"
    mine.write_text(source)
    kept.write_text(json.dumps(first.to_json()))
    assert main(["replay", "--rerun", str(kept), str(mine), "--json"]) == OK
    found = json.loads(capsys.readouterr().out)
    assert [(one["seat"], one["equal"], one["same_files"]) for one in found["seats"]] == [
        (seat, True, True) for seat in range(seats)
    ]
    kept.write_text(json.dumps(other.to_json() | {"secret": SECRET}))
    assert main(["replay", "--rerun", str(kept), str(mine), "--seat", "0", "--json"]) == BOT_FAILED
    (one,) = json.loads(capsys.readouterr().out)["seats"]
    assert one["difference"]["recorded"]["move"] != one["difference"]["now"]["move"]


def test_without_a_secret_bots_use_system_randomness(servers: tuple[ForkServer, ForkServer], bot: MakeBot) -> None:
    """In a match without a secret, such as one in a room, every bot draws different random numbers.

    Without reseeding, forks of one server would share their NumPy random state.
    """
    source = DRAWS + CHOOSES["golden_point"]
    seats = (SeatSpec("first", ""), SeatSpec("second", ""))
    spec = MatchSpec(GAMES["golden_point"], {"rounds": 3, "numbers": 1}, 1, MatchLimits(), seats)
    drawn = [moves(play_in_jail(servers[0], spec, bot(source), bot(source)).record) for _ in range(2)]
    numbers = [str(number) for one in drawn for number in one]
    assert len(set(numbers)) > len(numbers) / 2
    assert drawn[0] != drawn[1]


def test_sets_hashed_by_address_have_the_same_order_in_every_fork_server(
    servers: tuple[ForkServer, ForkServer], bot: MakeBot
) -> None:
    with fixed_layout() as is_fixed:
        if not is_fixed:
            pytest.skip("this container forbids fixed addresses")
    source = "print([*{len, int, None, print, dict, (None, 1)}])\ndef get_move(state): return 5.0\n"
    seats = (SeatSpec("first", ""), SeatSpec("second", ""))
    spec = MatchSpec(GAMES["golden_point"], {"rounds": 1, "numbers": 1}, 1, MatchLimits(), seats)
    with ForkServer(servers[0].config) as again:
        logs = {
            log for server in (servers[0], again) for log in play_in_jail(server, spec, bot(source), bot(source)).logs
        }
    assert len(logs) == 1
