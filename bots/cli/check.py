"""``python -m bots check``: the upload check of the site, on this machine."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from arena.core.referee.check import Check
from arena.core.referee.check_report import CheckReport, CheckStep, StepState
from arena.core.referee.clock import SystemClock
from arena.core.referee.spec import MatchLimits
from arena.games.registry import GAMES
from bots.cli.explain import missing_library, place, printed
from bots.cli.libraries import permitted, unknown_imports
from bots.cli.locate import LocatedBot, locate
from bots.cli.saving import RecordFiles
from bots.cli.seating import Seating


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the command line says; ``limit`` in seconds."""

    game: str
    limit: float
    record: Path | None


def check(bot: LocatedBot, options: CheckOptions, seat: Seating, stack: ExitStack) -> bool:
    """Run all steps and print them; whether the bot passed. Raises CommandError, RefereeFailure."""
    game = options.game
    records = RecordFiles(options.record, 1) if options.record else None
    opponent = locate(f"house:{GAMES[game].trial.opponent}", game, stack)
    libraries = permitted()
    limits = MatchLimits(move_seconds=options.limit)
    steps = Check(seat, GAMES[game], limits, SystemClock(), _show, tuple(libraries))
    report = steps.run(bot.folder, opponent.folder)
    log = printed(bot.name, report.log)
    if log:
        print(log)
    _advise(report, bot, game, libraries)
    if records and report.record:
        print(f"The match is in {records.write(report.record, 1)}.")
    print(f"{bot.name} {'passed' if report.passed else 'failed'} the check for {game}.")
    return report.passed


def _show(step: CheckStep) -> None:
    if step.state in (StepState.RUNNING, StepState.SKIPPED):
        return
    print(f"{step.state.value:7} {step.name.value.replace('_', ' '):10} {step.seconds:7.3f} s  {step.message}")
    if step.diagnosis:
        print("\n".join(place(step.diagnosis)))
    for one in step.refused:
        print(f"        in turn {one.turn}: {one.message} (asked again)")


def _advise(report: CheckReport, bot: LocatedBot, game: str, libraries: list[str]) -> None:
    """What is otherwise on the site than here."""
    for step in report.steps:
        missing = missing_library(step.diagnosis, libraries) if step.diagnosis else None
        if missing:
            print(f"The arena has {missing}, this machine lacks it: python -m pip install {missing}", file=sys.stderr)
    unknown = unknown_imports(bot.folder, game, libraries)
    if unknown and report.passed:
        print(f"Note: the bot imports {', '.join(unknown)}. The arena may lack that, see its guide.", file=sys.stderr)
