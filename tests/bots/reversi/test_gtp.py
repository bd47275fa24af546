"""GTP engines receive every move once, and a small test engine plays whole matches."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import bots.cli.engines
import bots.cli.locate
from arena.games.base import Json
from arena.games.reversi.rules import ReversiGame, ReversiState
from bots.cli.commands import BOT_FAILED, OK, USAGE, main
from bots.cli.engines import ENGINE_FILE
from bots.reversi.gtp import EngineError, GtpSession

ROOT = Path(__file__).parents[3]
# Plays the first legal move; exits without an answer on any command that is named in its arguments.
ENGINE = """
import sys
sys.path.insert(0, {root!r})
from arena.games.base import Json
from arena.games.reversi.rules import ReversiGame, ReversiState, square_names

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


class ScriptedEngine:
    """An engine that answers ``genmove`` with these moves and records its commands."""

    def __init__(self, *moves: str) -> None:
        self.commands: list[str] = []
        self._moves = iter(moves)

    def ask(self, command: str) -> str:
        self.commands.append(command)
        if command.startswith("time_settings") or command.endswith("pass"):
            raise EngineError("? unknown")
        return next(self._moves) if command.startswith("genmove") else ""


def ask(session: GtpSession, stage: str, **fields: Any) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(session.handle(json.dumps({"do": stage, "nonce": "n", **fields}).encode()))
    assert reply["nonce"] == "n"
    return reply


def load_session(engine: ScriptedEngine, seat: int, opening: str = "") -> GtpSession:
    session = GtpSession(lambda: engine)
    reply = ask(session, "load", game="reversi", seat=seat, settings={"opening": opening}, move_seconds=2.5)
    assert reply["t"] == "done"
    return session


def state_after(*line: str) -> ReversiState:
    rules, state = ReversiGame(), ReversiState()
    for move in line:
        assert state.to_move is not None
        state = rules.apply(state, {state.to_move: move})
    return state


def shared_after(*line: str) -> Json:
    return ReversiGame().shared(state_after(*line))


def test_engine_receives_every_move_once() -> None:
    engine = ScriptedEngine("c3", "RESIGN")
    session = load_session(engine, 1, "F5")
    assert engine.commands == ["boardsize 8", "clear_board", "time_settings 0 2 1", "play black f5"]
    engine.commands.clear()
    session = load_session(engine, 0, "F5D6")
    engine.commands.clear()
    assert ask(session, "move", shared=shared_after("F5", "D6"))["value"] == "C3"
    assert ask(session, "move", shared=shared_after("F5", "D6", "C3", "D3"))["value"] == "Q"
    assert engine.commands == ["genmove black", "play white d3", "genmove black"]


def test_rejected_move_is_a_failure() -> None:
    session = load_session(ScriptedEngine("a1"), 0)
    assert ask(session, "move", shared=shared_after())["value"] == "A1"
    assert "because" in ask(session, "again", reason="because")["message"]


def test_several_moves_and_passes_are_sent_together() -> None:
    """The engine gets all moves since the last request, including white's four passes (the first after move 39)."""
    games = json.loads((ROOT / "tests" / "data" / "reversi_special_games.json").read_text())
    line = games["wipeout_black"][0]["moves"].upper()
    moves = [line[start : start + 2] for start in range(0, len(line), 2)]
    engine = ScriptedEngine("a1", "a1")
    session = load_session(engine, 1)
    ask(session, "move", shared=shared_after(*moves[:30]))
    engine.commands.clear()
    ask(session, "move", shared=shared_after(*moves[:-1]))
    played = [command.split() for command in engine.commands[:-1]]
    assert [move.upper() for _, _, move in played if move != "pass"] == moves[30:-1]
    assert [side for _, side, move in played if move == "pass"] == ["white"] * 4


def test_unreachable_position_is_rejected() -> None:
    session = load_session(ScriptedEngine("c3"), 1, "F5")
    assert ask(session, "move", shared=shared_after("E6"))["t"] == "failed"


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "engine.py"
    path.write_text(ENGINE.format(root=str(ROOT)))
    return f"gtp:{sys.executable} {path}"


@pytest.mark.long
def test_engine_plays_whole_matches(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "reversi", engine, "house:random_move", "--games", "4"]) == OK
    assert "Match 4: " in capsys.readouterr().out


@pytest.mark.parametrize("command", ["clear_board", "genmove"])
def test_engine_that_exits_loses_with_a_reason(engine: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "reversi", f"{engine} {command}", "house:random_move"]) == BOT_FAILED
    assert f"The engine exited during '{command}" in capsys.readouterr().err


def test_engine_is_found_in_debians_games_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "gtp-someone"
    program.touch(mode=0o755)
    monkeypatch.setattr(bots.cli.engines, "_GAMES", str(tmp_path))
    with ExitStack() as stack:
        found = bots.cli.locate.locate("gtp:gtp-someone --level=3", "reversi", stack)
        assert found.name == "gtp:gtp-someone"
        assert json.loads((found.folder / ENGINE_FILE).read_text()) == [str(program), "--level=3"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["reversi", "gtp:nobody-plays --level 3", "house:corners"], "Program not found: nobody-plays"),
        (["reversi", "gtp:", "house:corners"], "write gtp:COMMAND in quotes"),
        (["reversi", "gtp:engine 'x", "house:corners"], "No closing quotation"),
        (["golden_point", "gtp:engine", "house:steady"], "play reversi, not golden_point"),
    ],
)
def test_engines_that_cannot_play_are_rejected(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments]) == USAGE
    assert reason in capsys.readouterr().err
