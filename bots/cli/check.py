"""Implement ``python -m bots check``: run the site's upload check locally."""

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
from bots.cli.explain import fault_location, format_output, missing_library
from bots.cli.libraries import permitted_libraries, unknown_imports
from bots.cli.locate import LocatedBot, locate
from bots.cli.record_files import RecordFiles
from bots.cli.seating import Seating


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The command-line options; ``limit`` is in seconds."""

    game: str
    limit: float
    record: Path | None


def check_bot(bot: LocatedBot, options: CheckOptions, seat: Seating, stack: ExitStack) -> bool:
    """Run all steps of the check and print them. Return whether the bot passed.

    Raises CommandError, RefereeFailure.
    """
    game = options.game
    records = RecordFiles(options.record, 1) if options.record else None
    opponent = locate(f"house:{GAMES[game].trial.opponent}", game, stack)
    libraries = permitted_libraries()
    limits = MatchLimits(move_seconds=options.limit)
    steps = Check(seat, GAMES[game], limits, SystemClock(), _print_step, tuple(libraries))
    report = steps.run(bot.folder, opponent.folder)
    log = format_output(bot.name, report.log)
    if log:
        print(log)
    _print_advice(report, bot, game, libraries)
    if records and report.record:
        print(f"Wrote the record of the test match to {records.write(report.record, 1)}.")
    print(f"{bot.name} {'passed' if report.passed else 'failed'} the check for {game}.")
    return report.passed


def _print_step(step: CheckStep) -> None:
    if step.state in (StepState.RUNNING, StepState.SKIPPED):
        return
    print(f"{step.state.value:7} {step.name.value.replace('_', ' '):10} {step.seconds:7.3f} s  {step.message}")
    if step.diagnosis:
        print("\n".join(fault_location(step.diagnosis)))
    for one in step.rejected:
        print(f"        on turn {one.turn}: {one.message} (asked again)")


def _print_advice(report: CheckReport, bot: LocatedBot, game: str, libraries: list[str]) -> None:
    """Print advice about differences between the site and this machine."""
    for step in report.steps:
        missing = missing_library(step.diagnosis, libraries) if step.diagnosis else None
        if missing:
            print(
                f"The arena provides {missing}, but this machine lacks it. Run: python -m pip install {missing}",
                file=sys.stderr,
            )
    unknown = unknown_imports(bot.folder, game, libraries)
    if unknown and report.passed:
        print(
            f"Note: the bot imports {', '.join(unknown)}, which the arena may not provide. See the arena's bot guide.",
            file=sys.stderr,
        )
