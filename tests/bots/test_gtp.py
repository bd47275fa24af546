"""Engines that speak GTP: what they are told, and whole matches of a small engine of the tests' own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.games.reversi import ReversiGame, ReversiState
from bots.cli.commands import BOT_FAILED, OK, USAGE, main
from bots.cli.gtp import EngineFailed, GtpSession, moves_between

ROOT = Path(__file__).parents[2]
# Plays the first legal move; the third argument is the command on which it ends instead of answering.
ENGINE = """
import sys
sys.path.insert(0, {root!r})
from arena.games.reversi import ReversiGame, ReversiState, square_names

rules, state = ReversiGame(), ReversiState()
for line in sys.stdin:
    name, *rest = line.split()
    if name in sys.argv[1:]:
        sys.exit()
    answer = "= "
    if name == "clear_board":
        state = ReversiState()
    elif name == "play" and rest[1] != "pass":
        assert state.to_move == ["black", "white"].index(rest[0])
        state = rules.apply(state, {{state.to_move: rest[1].upper()}})
    elif name == "genmove":
        move = square_names(state.legal)[0]
        state = rules.apply(state, {{state.to_move: move}})
        answer = "= " + move.lower()
    elif name not in ("boardsize", "play"):
        answer = "? unknown command"
    print(answer, flush=True)
    print(flush=True)
"""


class Scripted:
    """Answers ``genmove`` with these moves and remembers what it was told."""

    def __init__(self, *moves: str) -> None:
        self.told: list[str] = []
        self._moves = iter(moves)

    def ask(self, command: str) -> str:
        self.told.append(command)
        if command.startswith("time_settings") or command.endswith("pass"):
            raise EngineFailed("? unknown")
        return next(self._moves) if command.startswith("genmove") else ""


def ask(session: GtpSession, stage: str, **fields: Any) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(session.handle(json.dumps({"do": stage, "nonce": "n", **fields}).encode()))
    assert reply["nonce"] == "n"
    return reply


def loaded(engine: Scripted, seat: int, opening: str = "") -> GtpSession:
    session = GtpSession(lambda: engine)
    reply = ask(session, "load", game="reversi", seat=seat, settings={"opening": opening}, move_seconds=2.5)
    assert reply["t"] == "done"
    return session


def after(*line: str) -> ReversiState:
    rules, state = ReversiGame(), ReversiState()
    for move in line:
        assert state.to_move is not None
        state = rules.apply(state, {state.to_move: move})
    return state


def cells(*line: str) -> dict[str, object]:
    return {"board": ReversiGame().view(after(*line))["board"]}


def test_an_engine_is_told_every_move_once() -> None:
    engine = Scripted("c3", "RESIGN")
    session = loaded(engine, 1, "F5")
    assert engine.told == ["boardsize 8", "clear_board", "time_settings 0 2 1", "play black f5"]
    engine.told.clear()
    session = loaded(engine, 0, "F5D6")
    engine.told.clear()
    assert ask(session, "move", shared=cells("F5", "D6"))["value"] == "C3"
    assert ask(session, "move", shared=cells("F5", "D6", "C3", "D3"))["value"] == "Q"
    assert engine.told == ["genmove black", "play white d3", "genmove black"]


def test_a_refused_move_is_a_failure() -> None:
    session = loaded(Scripted("a1"), 0)
    assert ask(session, "move", shared=cells())["value"] == "A1"
    assert "not legal" in ask(session, "again", reason="A1 is not legal here")["message"]


def test_several_moves_and_a_pass_are_found_again() -> None:
    """Black is passed over after the 38th move of this wipe-out, and three times more."""
    games = json.loads((ROOT / "tests" / "data" / "reversi_special_games.json").read_text())
    line = games["wipeout_black"][0]["moves"].upper()
    moves = [line[start : start + 2] for start in range(0, len(line), 2)]
    for begin in range(30, len(moves) - 3):
        before, then = after(*moves[:begin]), after(*moves[: begin + 3])
        state = before
        for move in moves_between(before, str(ReversiGame().view(then)["board"])):
            assert state.to_move is not None
            state = ReversiGame().apply(state, {state.to_move: move})
        assert state.discs == then.discs


def test_a_position_from_nowhere_is_refused() -> None:
    with pytest.raises(EngineFailed):
        moves_between(after("F5"), "X" * 64)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "engine.py"
    path.write_text(ENGINE.format(root=str(ROOT)))
    return f"gtp:{sys.executable} {path}"


def test_an_engine_plays_whole_matches(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "reversi", engine, "house:random_move", "--games", "4"]) == OK
    assert "Match 4: " in capsys.readouterr().out


@pytest.mark.parametrize("command", ["clear_board", "genmove"])
def test_an_engine_that_ends_loses_with_a_reason(engine: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "reversi", f"{engine} {command}", "house:random_move"]) == BOT_FAILED
    assert f"The engine ended on '{command}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["reversi", "gtp:nobody-plays --level 3", "house:corners"], "There is no program nobody-plays"),
        (["reversi", "gtp:", "house:corners"], "Write gtp:COMMAND in quotes"),
        (["reversi", "gtp:engine 'x", "house:corners"], "No closing quotation"),
        (["golden_point", "gtp:engine", "house:steady"], "play reversi, not golden_point"),
    ],
)
def test_engines_that_cannot_be_seated(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *arguments]) == USAGE
    assert told in capsys.readouterr().err
