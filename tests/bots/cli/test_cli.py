"""The command line works with real bots in plain processes."""

from __future__ import annotations

import json
import os
import re
import runpy
import zipfile
from pathlib import Path

import pytest

from arena.core.referee.record import Record
from arena.core.referee.replay import verify
from arena.core.sandbox.errors import MissingCapability
from arena.games.registry import GAMES
from bots.cli.commands import ARENA_FAILED, BOT_FAILED, OK, USAGE, main
from bots.cli.new import example_scripts
from bots.cli.record_files import RecordFiles
from bots.cli.table import format_table
from bots.golden_point.sdk import SDK as GOLDEN_POINT
from bots.reversi.sdk import SDK as REVERSI

FIRST = "class AIPlayer:\n  def __init__(self, c): self.c = c\n  def get_move(self, board): return next("
FIRST += "board.get_legal_actions(self.c))\n"


@pytest.fixture(autouse=True)
def _working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).resolve().parents[3])]))


def write(name: str, text: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    return name


def test_starter_passes_its_check_and_plays(capsys: pytest.CaptureFixture[str]) -> None:
    for game in ("reversi", "golden_point"):
        assert main(["new", game, f"{game}.py"]) == OK
        assert main(["check", f"{game}.py", "--game", game]) == OK
    assert "passed the check for golden_point" in capsys.readouterr().out


@pytest.mark.long
def test_script_template_passes_its_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "reversi", "mine.py", "--script", "codingame"]) == OK
    assert main(["check", "mine.py"]) == OK
    assert "CodinGame" in capsys.readouterr().out
    assert main(["new", "golden_point", "other.py", "--script", "codingame"]) == USAGE
    assert re.search(r"golden-lines.* \[no_script\]", capsys.readouterr().err)


@pytest.mark.long
def test_options_may_stand_between_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "reversi", "--script", "codingame", "mine.py"]) == OK
    assert "CodinGame" in Path("mine.py").read_text(encoding="utf-8")
    assert main(["play", "reversi", "mine.py", "--record", "match.json", "house:random_move"]) == OK
    assert main(["replay", "match.json", "--turn", "1", "mine.py"]) == OK
    capsys.readouterr()
    with pytest.raises(SystemExit, match=str(USAGE)):
        main(["new", "reversi", "--script", "codingame", "mine.py", "more.py"])
    assert "more.py" in capsys.readouterr().err


def test_script_templates_belong_to_the_arenas_dialects() -> None:
    assert set(example_scripts("reversi")) == {"botzone", "codingame"} <= set(REVERSI.dialects)
    assert set(example_scripts("golden_point")) == {"golden-lines"} <= set(GOLDEN_POINT.dialects)


@pytest.mark.long
def test_matches_are_played_recorded_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.py", FIRST)
    write("folder/main.py", FIRST)
    with zipfile.ZipFile("b.zip", "w") as archive:
        archive.writestr("b/main.py", "from side import AIPlayer\n")
        archive.writestr("b/side.py", FIRST)
    assert main(["play", "reversi", "a.py", "b.zip", "--games", "2", "--record", "out.json"]) == OK
    assert main(["play", "reversi", "folder", "house:random_move", "--seed", "5"]) == OK
    out = capsys.readouterr().out
    assert "Match 2: b " in out
    for number in (1, 2):
        record = Record.from_json(json.loads(Path(f"out-{number}.json").read_text()))
        assert verify(record, GAMES) == []
    assert [seat.name for seat in record.seats] == ["b", "a"]


@pytest.mark.long
def test_series_has_openings_and_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.py", FIRST)
    Path("records").mkdir()
    command = ["play", "reversi", "a.py", "house:greedy", "--matches", "4", "--seed", "1"]
    assert main([*command, "--record", "records"]) == OK
    shown = capsys.readouterr()
    assert shown.err == ""  # no progress bar without a terminal
    assert re.search(r"rate +interval +points", shown.out)  # column widths depend on these matches
    assert "house:most_discs" in shown.out
    records = [json.loads(path.read_text()) for path in sorted(Path("records").glob("match-*.json"))]
    openings = [record["settings"]["opening"] for record in records]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    assert [record["seats"][0]["name"] for record in records] == ["a", "house:most_discs"] * 2
    assert main([*command, "--record", "again.json"]) == OK
    again = [json.loads(path.read_text()) for path in sorted(Path().glob("again-*.json"))]
    assert [record["settings"]["opening"] for record in again] == openings


@pytest.mark.long
def test_single_match_starts_from_the_standard_position() -> None:
    assert main(["play", "reversi", "house:corners", "house:most_discs", "--record", "one.json"]) == OK
    assert json.loads(Path("one.json").read_text())["settings"] == {"opening": ""}


@pytest.mark.long
def test_turns_are_printed_with_watch(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.py", FIRST)
    assert main(["play", "reversi", "a.py", "a.py", "--watch"]) == OK
    out = capsys.readouterr().out
    assert "  1.  X a  " in out
    assert "  2.  O a #2  " in out
    assert out.count("A  B  C  D  E  F  G  H") > 50
    assert main(["play", "golden_point", "house:steady", "house:trend", "--set", "rounds=3", "--watch"]) == OK
    assert capsys.readouterr().out.count("  golden ") == 3


def likelihood_ratio_of(out: str) -> tuple[float, float]:
    """Return the log-likelihood ratio that the new bot is better, and the bound above which this is certain."""
    found = re.search(r"better ([+-][0-9.]+), .*bounds .*, \+([0-9.]+)\)", out)
    assert found
    return float(found[1]), float(found[2])


@pytest.mark.long
def test_version_test_stops_as_soon_as_the_result_is_certain(capsys: pytest.CaptureFixture[str]) -> None:
    """If the difference is clear, the test needs far fewer matches than its maximum."""
    assert (
        main(["play", "golden_point", "house:steady", "house:random_pick", "--sprt", "large", "--set", "rounds=5"])
        == OK
    )
    out = capsys.readouterr().out
    ratio, bound = likelihood_ratio_of(out)
    assert ratio > bound
    assert 10 < out.count("Match ") < 80


@pytest.mark.long
def test_version_test_of_equal_bots_ends_at_the_maximum(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["play", "reversi", write("a.py", FIRST), write("b.py", FIRST), "--sprt", "--games", "4"]
    assert main(command) == OK
    out = capsys.readouterr().out
    assert "at most 4." in out
    ratio, bound = likelihood_ratio_of(out)
    assert ratio < bound
    assert "2 pairs" in out


def test_version_test_compares_two_bots(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "fib2584", "house:greedy", "--sprt"]) == USAGE
    assert "[two_bots]" in capsys.readouterr().err


@pytest.mark.long
def test_failed_check_can_be_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    write("bad.py", "def get_move(board):\n    return board.nothing\n")
    assert main(["check", "bad.py", "--record", "c.json"]) == BOT_FAILED
    assert main(["replay", "c.json", "bad.py"]) == BOT_FAILED
    assert "AttributeError" in capsys.readouterr().out


@pytest.mark.long
def test_illegal_answers_without_forfeit_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    erring = FIRST.replace("self, c): self.c", "self, c): self.tried = 0; self.c").replace(
        "return next(",
        """
    self.tried += 1
    if self.tried == 1: return "A1"
    return next(""",
    )
    write("erring.py", erring)
    assert main(["check", "erring.py"]) == OK
    assert re.search(r"on turn 1: .*'A1'", capsys.readouterr().out)
    assert main(["play", "reversi", "erring.py", "house:corners"]) == OK
    assert re.search(r"erring: illegal_move on turn 1: .*'A1'", capsys.readouterr().err)


def test_check_rejects_what_the_upload_page_rejects(capsys: pytest.CaptureFixture[str]) -> None:
    write("page.py", "<!doctype html><title>404</title>")
    assert main(["check", "page.py"]) == BOT_FAILED
    assert re.search(r"failed  upload  page\.py .* \[not_python\]", capsys.readouterr().out)


@pytest.mark.long
def test_check_reports_imports_the_arena_may_not_provide(capsys: pytest.CaptureFixture[str]) -> None:
    write("guarded.py", "try:\n    import torch, numpy, board\nexcept ImportError:\n    pass\n" + FIRST)
    assert main(["check", "guarded.py"]) == OK
    assert "imports torch," in capsys.readouterr().err


@pytest.mark.long
def test_files_written_by_a_bot_are_deleted_after_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    saving = f"""import os
os.mkdir("assets")
with open("assets/turns", "x") as file:
    file.write("0")
{FIRST}"""
    assert main(["check", write("saving.py", saving)]) == OK
    write("folder/main.py", saving)
    assert main(["play", "reversi", "folder", "saving.py", "--games", "2"]) == OK
    assert [file.name for file in Path("folder").iterdir()] == ["main.py"]
    assert "completed" in capsys.readouterr().out


def test_jail_requires_linux(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert main(["play", "reversi", "house:corners", "house:corners", "--jail"]) == USAGE
    assert "[no_linux]" in capsys.readouterr().err


def test_machine_without_a_jail_reports_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = (MissingCapability("user_namespaces", "sysctl something=1"),)
    monkeypatch.setattr("arena.core.sandbox.supervision.forkserver.missing_capabilities", lambda config: lacking)
    assert main(["play", "reversi", "house:corners", "house:corners", "--jail"]) == USAGE
    assert "user_namespaces: sysctl something=1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["play", "chess", "a", "b"], ", ".join(sorted(GAMES))),
        (["play", "reversi", "a", "b", "--games", "0"], "--games"),
        (["play", "reversi", "a", "b", "--games", "many"], "--games"),
        (["play", "reversi", "a", "b", "--opening-moves", "60"], "--opening-moves"),
        (["play", "reversi", "a", "b", "--limit", "nan"], "--limit"),
        (["play", "reversi", "a", "b", "--pace", "fast"], "--pace"),
        (["play", "reversi"], "BOT"),
    ],
)
def test_invalid_arguments_are_explained(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == USAGE
    reason = capsys.readouterr().err.rpartition("error: ")[2]  # after the usage, which lists all arguments
    assert expected in reason


@pytest.mark.long
def test_golden_point_accepts_settings(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["house:steady", "house:last_golden", "house:trend"]
    assert main(["play", "golden_point", *bots, "--set", "rounds=5", "--set", "numbers=1"]) == OK
    assert "(completed, 5 turns, random seed 0)" in capsys.readouterr().out


@pytest.mark.long
def test_failing_bot_fails_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    write("bad.py", "def get_move(board):\n    print('so far')\n    return board.nothing\n")
    write("good.py", FIRST)
    assert main(["play", "reversi", "good.py", "bad.py", "--log"]) == BOT_FAILED
    shown = capsys.readouterr()
    assert "bad: crash on turn 2: AttributeError" in shown.err
    assert 'File "main.py", line 3' in shown.err
    assert "so far" in shown.out
    assert main(["check", "bad.py"]) == BOT_FAILED
    assert "failed  first move" in capsys.readouterr().out


def test_unresponsive_bot_is_stopped() -> None:
    write("slow.py", "import time\ndef get_move(board): time.sleep(60)\n")
    assert main(["play", "reversi", "slow.py", "house:random_move", "--limit", "0.3"]) == BOT_FAILED


def test_exit_of_a_bots_process_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    write("gone.py", "import os\ndef get_move(board): os._exit(7)\n")
    assert main(["play", "reversi", "gone.py", "house:random_move"]) == BOT_FAILED
    assert re.search(r"gone: exit on turn 1: .*\b7\b", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["play", "reversi", "nobody.py", "house:corners"], "bot_not_found", "nobody.py"),
        (["play", "reversi", "house:nobody", "house:corners"], "no_house_bot", "house:alpha_beta, house:corners, "),
        (["play", "reversi", "house:corner", "house:corners"], "no_house_bot", " house:corners?"),
        (["play", "reversi", "greedy", "house:corners"], "bot_not_found", " house:greedy?"),
        (["play", "reversi", "house:corners", "house:corners", "--record", "no/where.json"], "no_folder", " no "),
        (
            ["play", "reversi", "house:corners", "house:corners", "--set", "opening=A1"],
            "reversi.opening.not_legal",
            "A1",
        ),
        (["play", "reversi", "house:corners"], "number_of_bots", "2 bots"),
        (["play", "reversi", ".", "house:corners"], "no_main", "main.py"),
        (
            ["play", "golden_point", "house:steady", "house:trend", "--set", "rounds=0"],
            "settings.whole_number",
            "1 to 2000",
        ),
        (["play", "golden_point", "house:steady", "house:trend", "--set", "rounds"], "settings.syntax", "NAME=VALUE"),
        (["play", "reversi", "bot.zip", "house:corners"], "damaged_archive", "bot.zip"),
        (["check", "bot.txt"], "other_file_type", "bot.txt"),
        (["train", "golden_point"], "no_program", " reversi"),
        (["new", "reversi", "bot.txt"], "file_exists", "bot.txt"),
    ],
)
def test_invalid_commands_are_explained(
    arguments: list[str], code: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("bot.txt", "no bot")
    Path("bot.zip").write_bytes(b"PK\x03\x04 no archive")
    assert main(arguments) == USAGE
    errors = capsys.readouterr().err
    assert errors.endswith(f" [{code}]\n")
    assert named in errors


def test_internal_error_has_its_own_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert main(["play", "reversi", "house:random_move", "house:random_move"]) == ARENA_FAILED
    assert "/nowhere/python" in capsys.readouterr().err


def test_house_bots_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["house", "reversi"]) == OK
    assert "house:corners" in capsys.readouterr().out


def test_tables_align_with_wide_characters() -> None:
    assert (
        format_table(("bot", "won"), [("\u68cb\u624b", "1"), ("a", "10")]) == "bot   won\n\u68cb\u624b    1\na      10"
    )


def test_running_without_a_command_lists_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == OK
    shown = capsys.readouterr().out
    for command in ("play", "check", "replay", "analyse", "new", "house"):
        assert f"\n    {command} " in shown


def test_record_files_are_numbered_by_match(tmp_path: Path) -> None:
    for matches in (2, 200):
        assert RecordFiles(tmp_path / "r.json", matches)._path(2) == tmp_path / "r-2.json"
        assert RecordFiles(tmp_path, matches)._path(2) == tmp_path / "match-2.json"


@pytest.mark.long
def test_analysis_explains_the_offset_between_turns_and_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "reversi", "house:corners", "house:random_move", "--games", "2", "--record", "g.json"]) == OK
    capsys.readouterr()
    assert main(["analyse", "g-1.json", "--seconds", "0.001", "--solving", "0.001"]) == OK
    last = capsys.readouterr().out.splitlines()[-1]
    assert re.findall(r"\d+", last) == ["1", "8", "1", "9"]  # moves of the opening, then a turn and its move


@pytest.mark.long
def test_bot_output_is_escaped_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "print('\\x1b]0;owned\\x07\\x1b[2Jlog \\u202eevil')\n" + FIRST
    write("\u202egnp.py", hostile + "  x = 1\n")
    write("raises.py", "def get_move(board):\n    raise ValueError('\\x1b[8mhidden \\u2066x')\n")
    main(["play", "reversi", "\u202egnp.py", "raises.py", "--log", "--record", "h.json"])
    main(["replay", "h.json"])
    main(["check", "raises.py"])
    shown = "".join(capsys.readouterr())
    assert "log \ufffdevil" in shown
    assert "hidden \ufffdx" in shown
    assert "\ufffdgnp" in shown
    assert not set(shown) & set("\x1b\x07\u202e\u2066")


def test_typed_arguments_are_echoed_without_escape_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "no\x1b[31m\u202ebot.py"]) == USAGE
    assert " no\ufffdbot.py." in capsys.readouterr().err


@pytest.mark.long
def test_bots_are_restarted_locally_between_deals_as_in_the_arena(capsys: pytest.CaptureFixture[str]) -> None:
    """In the second of two mirrored deals, a bot sees nothing that it stored in its module or folder in the first."""
    remembers = """
import pathlib
seen = []
def get_move(state):
    left = pathlib.Path(__file__).with_name("hand.txt")
    if 1 in seen and state.deal == 2 or not seen and left.exists():
        print("has a memory")
    seen.append(state.deal)
    left.write_text("hand")
    if len(seen) == 1:
        print("begins deal", state.deal)
    return state.legal[0]
"""
    path = write("remembers.py", remembers)
    assert main(["play", "suit_pairs", path, path, "--set", "deals=1", "--log"]) == OK
    log = capsys.readouterr().out
    assert log.count(" 2 ---\nbegins deal 2") == 2  # printed by the new process
    assert "has a memory" not in log
    assert main(["check", "--game", "suit_pairs", path]) == OK


@pytest.mark.parametrize(
    ("pair", "code", "named"),
    [
        ("games=0", "settings.whole_number", "games"),
        ("games=²", "settings.whole_number", "games"),
        ("games=" + "9" * 5000, "settings.whole_number", "games"),
        ("turns=5", "settings.unknown", "turns"),
        ("games", "settings.syntax", "games"),
    ],
)
def test_invalid_setting_is_named(pair: str, code: str, named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "fib2584", "house:greedy", "--set", pair]) == USAGE
    assert re.fullmatch(rf"python -m bots: --set {named}: .* \[{code}\]\n", capsys.readouterr().err)


def test_internal_error_is_not_reported_as_a_failed_bot(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(arguments: list[str]) -> int:
        raise ValueError("a defect")

    monkeypatch.setattr("bots.cli.commands.main", broken)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("bots", run_name="__main__")
    assert ended.value.code == ARENA_FAILED
    assert "ValueError: a defect" in capsys.readouterr().err
