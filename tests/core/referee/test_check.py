"""With scripted bots, the upload check reports every step as it runs and stops at the first failure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.messages import verbatim_message
from arena.core.referee.check import Check
from arena.core.referee.check_report import CONDITIONAL, CheckReport, CheckStep, CheckStepName, StepState
from arena.core.referee.clock import FakeClock
from arena.core.referee.faults import FaultKind, MatchStopped
from arena.core.referee.players import PlayerExit
from arena.core.referee.spec import MatchLimits
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.registry import GAMES
from tests.core.referee.matches import first_legal

BOT, HOUSE = Path("bot"), Path("house")


def slow_turns(seconds: float) -> Callable[[Json], ScriptedTurn]:
    return lambda request: replace(first_legal(request), takes=seconds)


def run_check(
    then: Callable[[Json], ScriptedTurn],
    *,
    start: dict[str, ScriptedTurn] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[CheckReport, list[CheckStep]]:
    clock, reported = FakeClock(), []

    def seat(folder: Path) -> ScriptedPlayer:
        if folder == BOT:
            return ScriptedPlayer(clock, then=then, start=start, printed=b"hello\n")
        return ScriptedPlayer(clock, then=first_legal)

    checked = Check(seat, GAMES["reversi"], MatchLimits(move_seconds=20), clock, reported.append, stop=stop)
    return checked.run(BOT, HOUSE), reported


def test_sound_bot_passes_and_every_step_is_reported_running_and_passed() -> None:
    report, reported = run_check(first_legal)
    assert report.passed
    assert report.record is not None
    assert report.log == b"hello\n"
    names = [name for name in CheckStepName if name not in CONDITIONAL]
    expected = [(name, state) for name in names for state in (StepState.RUNNING, StepState.PASSED)]
    assert [(step.name, step.state) for step in reported] == expected


def test_slow_bot_passes_without_finishing_its_match() -> None:
    report, reported = run_check(slow_turns(15))
    assert report.passed
    assert report.record is None
    assert reported[-1].message.code == "check.slow_thinker"
    assert reported[-1].message.parameters["n"] in (7, 8)
    assert reported[-1].seconds == pytest.approx(
        60, abs=0.01
    )  # the time limit of the match is checked only between moves


def test_slow_first_move_is_reported_immediately_and_uses_the_game_limit() -> None:
    clock = FakeClock()
    at: list[tuple[CheckStepName, StepState, float]] = []
    thinker = ScriptedPlayer(clock, then=slow_turns(15))
    checked = Check(
        lambda folder: thinker if folder == BOT else ScriptedPlayer(clock, then=first_legal),
        GAMES["reversi"],
        MatchLimits(move_seconds=20),
        clock,
        lambda step: at.append((step.name, step.state, clock.now())),
        match_seconds=10,
    )
    report = checked.run(BOT, HOUSE)
    begun = next(now for name, _, now in at if name is CheckStepName.FIRST_MOVE)
    reported = next(now for _, state, now in at if state is StepState.SLOW)
    assert 10 <= reported - begun < 11
    assert report.passed
    assert [(step.name.value, step.state.value) for step in report.steps[3:]] == [
        ("first_move", "slow"),
        ("slow_move", "passed"),
        ("match", "passed"),
    ]
    assert report.steps[3].message.code == "check.first_move.slow"


def test_endless_first_move_fails_at_the_game_limit() -> None:
    report, reported = run_check(slow_turns(1e6))
    assert not report.passed
    assert [step.state.value for step in reported[-4:]] == ["slow", "running", "failed", "skipped"]
    assert reported[-3].message.code == "check.first_move.limit"
    failed = next(step for step in report.steps if step.state is StepState.FAILED)
    assert failed.name is CheckStepName.SLOW_MOVE
    assert failed.diagnosis is not None
    assert failed.diagnosis.turn == 1
    assert failed.diagnosis.moment.spent.charged > 20
    assert "20 s" in failed.message.text


def test_bot_that_hangs_later_fails_with_a_timeout() -> None:
    turns = iter([15.0, 15.0, 15.0, 25.0])
    report, reported = run_check(lambda request: slow_turns(next(turns))(request))
    assert not report.passed
    assert reported[-1].diagnosis is not None
    assert reported[-1].diagnosis.kind is FaultKind.TIMEOUT


def test_steps_after_a_failed_one_are_skipped() -> None:
    start = {"import": ScriptedTurn(ends=PlayerExit(FaultKind.EXIT, verbatim_message("gone")))}
    report, _ = run_check(first_legal, start=start)
    states = [step.state for step in report.steps]
    assert states == [StepState.PASSED, StepState.FAILED, *[StepState.SKIPPED] * 3]
    assert not report.passed


def test_stopped_check_has_no_verdict() -> None:
    with pytest.raises(MatchStopped):
        run_check(slow_turns(15), stop=lambda: True)
