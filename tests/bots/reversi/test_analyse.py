"""``python -m bots analyse`` reads matches in every format, and prints the analysis as text or JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.referee.clock import FakeClock
from arena.core.referee.record import Record
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.reversi.lines import Line
from arena.games.reversi.move_grades import EngineFinding
from arena.games.reversi.notation import read_moves, write_ggf
from arena.games.reversi.recorded_line import match_line
from bots.cli.commands import OK, USAGE, main
from tests.core.referee.matches import first_legal, golden_spec, play_to_end, reversi_spec

WON = "E6F4E3F6G5D6E7F5C5"  # the shortest match: black takes every disc
QUICK = ["--seconds", "0.01", "--solving", "0.01"]

Text = pytest.CaptureFixture[str]


def record() -> Record:
    """Return a record in which black plays one move after a two-move opening, and then crashes."""
    clock = FakeClock()
    black = ScriptedPlayer(
        clock, [ScriptedTurn("C3"), ScriptedTurn(failed={"cause": "exception", "message": "KeyError"})]
    )
    spec = replace(reversi_spec(), settings={"opening": "F5D6"})
    return play_to_end(spec, [black, ScriptedPlayer(clock, then=first_legal)], clock)[0].record


@pytest.mark.long
def test_game_is_shown_move_by_move(capsys: Text) -> None:
    assert main(["analyse", WON, *QUICK]) == OK
    out = capsys.readouterr().out
    assert "Opening: " in out
    assert [line.split()[2][:2] for line in out.splitlines() if line[:2].strip().isdigit()] == list(
        read_moves(WON).moves
    )
    assert "Black won by 64 discs." in out


def test_json_output_has_one_line_per_position_last_first(capsys: Text) -> None:
    line = read_moves(WON)
    assert main(["analyse", write_ggf(line), "--json", *QUICK]) == OK
    found = [EngineFinding.from_json(json.loads(text)) for text in capsys.readouterr().out.splitlines()]
    assert [finding.ply for finding in found] == list(range(len(line.moves), -1, -1))
    assert (found[0].value, found[0].exact, found[0].best) == (6400, True, None)


def test_files_of_every_format_are_read(tmp_path: Path, capsys: Text) -> None:
    made = record()
    assert match_line(made).line == Line(moves=("F5", "D6", "C3", *match_line(made).line.moves[3:]))
    assert match_line(made).prescribed == 2
    (tmp_path / "record.json").write_text(json.dumps(made.to_json()))
    (tmp_path / "moves.txt").write_text("1. f5 d6\n2. c3")
    (tmp_path / "board.txt").write_text("\n".join(["........"] * 3 + ["...OX...", "...XO..."] + ["........"] * 3))
    for name, more in (("record.json", []), ("moves.txt", []), ("board.txt", ["--side", "o"])):
        assert main(["analyse", str(tmp_path / name), "--json", *more, *QUICK]) == OK
        last = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert EngineFinding.from_json(last).best


def test_invalid_game_is_rejected_with_the_reason(tmp_path: Path, capsys: Text) -> None:
    players = [ScriptedPlayer(FakeClock(), then=lambda _: ScriptedTurn([20, 30.5])) for _ in range(2)]
    golden = play_to_end(golden_spec(seats=2, rounds=1), players, FakeClock())[0].record
    (tmp_path / "golden.json").write_text(json.dumps(golden.to_json()))
    for game, reason in (
        ("F5F5", "[illegal]"),
        ("F5/D6/C9", "[unreadable]"),
        ("no-such-file.json", "[file_missing]"),
        (str(tmp_path / "none"), "[file_missing]"),
        (str(tmp_path / "golden.json"), "[invalid_line]"),
    ):
        assert main(["analyse", game]) == USAGE
        assert reason in capsys.readouterr().err
