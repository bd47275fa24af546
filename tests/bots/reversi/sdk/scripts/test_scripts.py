"""Scripts in every dialect play whole Reversi matches on both sides; the scripts check the rules themselves."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.core.referee.faults import FaultKind
from arena.games.reversi.rules import ReversiGame, ReversiState
from bots.reversi.sdk.scripts.botzone import KEEP_RUNNING, Botzone, BotzoneSimple
from bots.reversi.sdk.scripts.codingame import CodinGame
from bots.reversi.sdk.scripts.moves import ReversiMoves, UnreachablePosition
from bots.reversi.sdk.scripts.othello_gui import OthelloGui
from bots.reversi.sdk.scripts.saiblo import Saiblo
from bots.sdk.answers import Unusable
from bots.sdk.scripts.dialect import Dialect
from tests.bots.message_texts import codes, english_text
from tests.bots.sdk.scripts import examples, matches

ROOT = Path(__file__).resolve().parents[5]
GAMES = json.loads((ROOT / "tests" / "data" / "reversi_special_games.json").read_text())
PASSES = next(game["moves"] for game in GAMES["wipeout_black"] if game.get("pass_before_ply")).upper()
LOAD: dict[str, Any] = {"settings": {"opening": ""}}
START = "." * 27 + "OX" + "." * 6 + "XO" + "." * 27
AFTER_D3 = "." * 19 + "X" + "." * 7 + "XX" + "." * 6 + "XO" + "." * 27
AFTER_C3 = "." * 18 + "OX" + "." * 7 + "OX" + "." * 6 + "XO" + "." * 27

SCRIPTS = {
    "botzone": examples.BOTZONE,
    "botzone, keeps running": examples.BOTZONE_LONG,
    "botzone, simple": examples.BOTZONE_SIMPLE,
    "codingame": examples.CODINGAME,
    "othello gui": examples.OTHELLO_GUI,
    "reversi_ai": examples.REVERSI_AI,
    "saiblo": examples.SAIBLO,
}


for path in sorted((ROOT / "bots" / "reversi" / "scripts").glob("*.py")):
    SCRIPTS[f"the guide's {path.stem}"] = path.read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_script_plays_a_whole_match(tmp_path: Path, script: str, seat: int) -> None:
    result = matches.reversi(tmp_path, script, seat, opening="" if seat else "F5D6C3D3")
    assert not any(result.diagnoses), result.diagnoses
    assert len(result.record.turns) > 20


def received_states(moves: str, seat: int) -> Iterator[dict[str, Any]]:
    """Yield what ``seat`` receives at each of its turns while ``moves`` are played."""
    rules, state = ReversiGame(), ReversiState()
    for start in range(0, len(moves), 2):
        assert state.to_move is not None
        if state.to_move == seat:
            yield rules.shared(state)
        state = rules.apply(state, {state.to_move: moves[start : start + 2]})


@pytest.mark.parametrize("seat", [0, 1])
def test_moves_are_inferred_through_passes(seat: int) -> None:
    moves = ReversiMoves()
    for shared in received_states(PASSES, seat):
        moves.observe(shared, "XO"[seat])
    names = [f"{'ABCDEFGH'[ply[1]]}{ply[0] + 1}" for ply in moves.plies if ply]
    assert "".join(names) == shared["moves"]
    late = ReversiMoves()  # as in a match that resumes after an interruption
    late.observe(shared, "XO"[seat])
    assert late.plies == moves.plies
    assert None in moves.plies
    assert len(moves.plies) % 2 == seat


def test_opening_is_included_in_the_moves() -> None:
    rules = ReversiGame()
    state = rules.initial(rules.settings({"opening": "F5D6"}), 2, random.Random(1))
    moves = ReversiMoves()
    moves.observe(rules.shared(state), "X")
    assert moves.plies == [(4, 5), (5, 3)]


@pytest.mark.parametrize(("cells", "color"), [("X" + START[1:], "X"), (START, "O")])
def test_custom_position_is_reported(cells: str, color: str) -> None:
    with pytest.raises(UnreachablePosition) as refused:
        ReversiMoves().observe({"board": cells, "moves": ""}, color)
    assert "custom position" in english_text(refused.value)


def start_dialect(dialect: Dialect, color: str, cells: str) -> Dialect:
    dialect.begin({"color": color})
    dialect.observe({"color": color}, received_state(cells))
    return dialect


def received_state(cells: str) -> dict[str, str]:
    """Return what a seat receives in the position ``cells``, which must be one of those defined in this file."""
    return {"board": cells, "moves": {AFTER_D3: "D3", AFTER_C3: "D3C3"}.get(cells, "")}


def test_botzone_requests_distinguish_black_and_white() -> None:
    black = start_dialect(Botzone(LOAD, ""), "X", START)
    assert json.loads(black.first_input()) == {"requests": [{"x": -1, "y": -1}], "responses": []}
    black.observe({}, received_state(AFTER_C3))
    assert json.loads(black.next_input()) == {"x": 2, "y": 2}
    assert json.loads(black.first_input()) == {
        "requests": [{"x": -1, "y": -1}, {"x": 2, "y": 2}],
        "responses": [{"x": 2, "y": 3}],
    }
    white = start_dialect(Botzone(LOAD, ""), "O", AFTER_D3)
    assert json.loads(white.first_input()) == {"requests": [{"x": 2, "y": 3}], "responses": []}
    assert start_dialect(BotzoneSimple(LOAD, ""), "X", AFTER_C3).first_input() == "2\n-1 -1\n2 3\n2 2\n"


def test_botzone_returns_saved_data() -> None:
    black = start_dialect(Botzone(LOAD, ""), "X", START)
    assert black.answer('{"response": {"x": 2, "y": 3}, "data": "mine", "globaldata": [1]}') == "D3"
    whole = json.loads(black.first_input())
    assert (whole["data"], whole["globaldata"]) == ("mine", [1])


def test_requests_missed_by_a_forced_pass_are_sent_together() -> None:
    """When a seat has to pass, its next input contains the missed request in addition to the current one."""
    white = Botzone(LOAD, "")
    white.begin({"color": "O"})
    inputs = []
    for shared in received_states(PASSES, 1):
        white.observe({}, shared)
        inputs.append((white.next_input() if inputs else white.first_input()).splitlines())
    assert max(map(len, inputs)) >= 2


@pytest.mark.parametrize(
    ("dialect", "printed", "square"),
    [
        (Botzone, f'hm\n{{"response":{{"x":2,"y":3}}}}\n{KEEP_RUNNING}\n', "D3"),
        (Botzone, '{"response":{"x":-1,"y":-1}}\n{"response":{"x":7,"y":0}}\n', "A8"),
        (BotzoneSimple, "2 3\n", "D3"),
        (CodinGame, "d3\n", "D3"),
        (CodinGame, "legal: d3\nD3 MSG hello there\n", "D3"),
        (CodinGame, "EXPERT c4\n", "C4"),
        (OthelloGui, "3 2\n", "D3"),
        (Saiblo, "\0\0\0\x0223", "D3"),
    ],
)
def test_answers_are_parsed(dialect: type[Dialect], printed: str, square: str) -> None:
    assert start_dialect(dialect(LOAD, ""), "X", START).answer(printed) == square


@pytest.mark.parametrize(
    ("dialect", "printed", "code"),
    [
        (Botzone, "", "bot.script.nothing_printed"),
        (Botzone, "hello\n", "bot.script.no_answer"),
        (Botzone, '{"x": 1}', "bot.script.no_answer"),
        (Botzone, "[" * 60000, "bot.script.no_answer"),
        (Botzone, '{"response": "d3"}', "bot.reversi.botzone.response"),
        (Botzone, '{"response": {"x": 1.5, "y": 1}}', "bot.reversi.botzone.numbers"),
        (Botzone, '{"response": {"x": true, "y": 1}}', "bot.reversi.botzone.numbers"),
        (Botzone, '{"response": {"x": -1, "y": -1}}', "bot.reversi.botzone.passed"),
        (Botzone, '{"response": {"x": 8, "y": 1}}', "bot.reversi.botzone.outside"),
        (BotzoneSimple, "d3", "bot.script.no_answer"),
        (CodinGame, "", "bot.script.nothing_printed"),
        (CodinGame, "WAIT", "bot.script.no_answer"),
        (OthelloGui, "3", "bot.script.no_answer"),
        (OthelloGui, "8 0", "bot.reversi.othello_gui.outside"),
        (Saiblo, "", "bot.script.nothing_printed"),
        (Saiblo, "\0\0\0\x0288", "bot.script.no_answer"),
    ],
)
def test_invalid_output_is_reported(dialect: type[Dialect], printed: str, code: str) -> None:
    with pytest.raises(Unusable) as refused:
        start_dialect(dialect(LOAD, ""), "X", START).answer(printed)
    assert refused.value.code == code
    assert len(english_text(refused.value)) < 200  # the length that the referee keeps


def test_codingame_sends_rows_and_legal_moves() -> None:
    white = start_dialect(CodinGame(LOAD, ""), "O", AFTER_D3)
    lines = white.first_input().splitlines()
    assert lines[:2] == ["1", "8"]
    assert lines[2:10] == ["........"] * 2 + ["...0....", "...00...", "...01..."] + ["........"] * 3
    assert lines[10:] == ["3", "c3", "e3", "c5"]


def test_codingame_expert_mode_sends_the_opponents_moves() -> None:
    black = start_dialect(CodinGame(LOAD, ""), "X", START)
    assert len(black.first_input().splitlines()) == 2 + 8 + 1 + 4
    black.answer("EXPERT d3")
    black.observe({}, received_state(AFTER_C3))
    assert black.next_input().splitlines()[8:10] == ["c3", "4"]


def test_codingame_continues_without_known_previous_moves() -> None:
    assert start_dialect(CodinGame(LOAD, ""), "X", "X" + START[1:]).next_input().startswith("0.......\n")


def test_saiblo_questions_are_answered_between_moves() -> None:
    white = start_dialect(Saiblo(LOAD, ""), "O", AFTER_D3)
    assert white.next_input() == "#1" + "2" * 19 + "0" + "2" * 7 + "00" + "2" * 6 + "01" + "2" * 27 + "#"
    may = white.reply("thinking\0\0\0C" + white.next_input())
    assert may is not None
    assert [index for index, digit in enumerate(may) if digit == "1"] == [18, 20, 34]
    assert white.reply("\0\0\0\x0223") is None


@pytest.mark.parametrize(
    ("source", "first"), [("color = int(input())", "2"), ("arguments = input().split(',')", "2,5,0,1,1")]
)
def test_othello_gui_sends_the_color_or_five_numbers(source: str, first: str) -> None:
    lines = start_dialect(OthelloGui(LOAD, source), "O", AFTER_D3).first_input().splitlines()
    assert lines[:2] == [first, "SCORE 4 1"]
    assert eval(lines[2])[2] == (0, 0, 0, 1, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("main", "turn", "kind", "reason"),
    [
        ("# arena: codingame\nx = 1", 0, FaultKind.START, "bot.script.read_nothing"),
        ("# arena: codingame\nimport nonsense_module", 0, FaultKind.START, "nonsense_module"),
        ("# arena: codingame\ninput()\nprint('c4')", 3, FaultKind.EXIT, "bot.script.ended"),
        ("# arena: codingame\ninput()", 1, FaultKind.EXIT, "bot.script.ended"),
        ("# arena: codingame\nwhile True: input()", 1, FaultKind.ILLEGAL_MOVE, "bot.script.nothing_printed"),
        ("# arena: codingame\nimport sys\nsys.stdin.read()", 1, FaultKind.ILLEGAL_MOVE, "bot.script.nothing_printed"),
        ("# arena: codingame\nwhile True:\n  input(); print('a1')", 1, FaultKind.ILLEGAL_MOVE, "reversi.not_legal"),
        ("# arena: codingame\nwhile True:\n  if len(input()) == 1: 1 / 0", 1, FaultKind.CRASH, "ZeroDivisionError"),
        ("# arena: botzone\ninput()\ninput()", 1, FaultKind.CRASH, "bot.input_ended"),
        ("# arena: botzone\nimport sys\nsys.exit('no idea')", 1, FaultKind.ILLEGAL_MOVE, "bot.script.nothing_printed"),
        ("# arena: nonsense\ninput()", 0, FaultKind.START, "bot.unknown_dialect"),
        ("x = input()", 0, FaultKind.START, "bot.unclear_dialect"),
        ("def reversi_ai(a, b): return 1", 1, FaultKind.CRASH, "TypeError"),
        ("def reversi_ai(a, b, c): return None", 1, FaultKind.ILLEGAL_MOVE, "bot.reversi.function.no_pair"),
        ("def reversi_ai(a, b, c): return 8, 1", 1, FaultKind.ILLEGAL_MOVE, "bot.reversi.function.outside"),
    ],
)
def test_script_errors_are_explained(tmp_path: Path, main: str, turn: int, kind: FaultKind, reason: str) -> None:
    found = matches.reversi(tmp_path, main).diagnoses[0]
    assert found is not None
    assert (found.kind, found.turn) == (kind, turn), found
    assert reason in codes(found.message) if "." in reason else reason in found.message.text


def test_script_started_per_turn_is_restarted_after_illegal_answer(tmp_path: Path) -> None:
    main = "import json, side\njson.loads(input())\nside.answer()\n# requests responses\n"
    side = "import json, random\ndef answer(): print(json.dumps({'response': {'x': random.choice([0, 2]), 'y': 3}}))"
    result = matches.reversi(tmp_path, "# arena: botzone\n" + main, side=side)
    assert result.record.turns[0].moves[0].move in ("D3", None)


def test_long_running_script_is_not_asked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = "# arena: codingame\nwhile True:\n  input(); print('a1')\n"
    found = matches.reversi(tmp_path, main).diagnoses[0]
    assert found is not None
    assert found.message.code == "illegal.in_a_row"
    assert capsys.readouterr().err.count("resubmitted") == 2
