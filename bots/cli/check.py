"""``python -m bots check``: the upload check of the site, on this machine."""

from __future__ import annotations

import sys
from contextlib import ExitStack

from arena.referee.check import Check, CheckStep, StepState
from arena.referee.clock import SystemClock
from arena.referee.diagnosis import clean
from arena.referee.spec import MatchLimits
from arena.referee.subprocess_player import SubprocessPlayer
from bots.cli.locate import HARNESS, LocatedBot, locate
from bots.cli.play import explain

# Quick and never wrong: what is checked is the bot, not its strength.
OPPONENTS = {"reversi": "house:random_move", "golden_point": "house:last_golden"}
_LOG_CHARS = 2_000


def check(bot: LocatedBot, game: str, limit: float, stack: ExitStack) -> bool:
    """Run all steps and print them; whether the bot passed."""
    opponent = locate(OPPONENTS[game], game, stack)
    report = Check(
        lambda folder: SubprocessPlayer([sys.executable, str(HARNESS)], folder),
        game,
        MatchLimits(move_seconds=limit),
        SystemClock(),
        _show,
    ).run(bot.folder, opponent.folder)
    log = clean(report.log.decode("utf-8", "replace")).rstrip()
    if log:
        print(f"--- {bot.name} printed ---\n{log[-_LOG_CHARS:]}")
    print(f"{bot.name} {'passed' if report.passed else 'failed'} the check for {game}.")
    return report.passed


def _show(step: CheckStep) -> None:
    if step.state in (StepState.RUNNING, StepState.SKIPPED):
        return
    print(f"{step.state.value:7} {step.name.value:7} {step.seconds:7.3f} s  {step.message}")
    if step.diagnosis:
        print(explain("  why", step.diagnosis))
