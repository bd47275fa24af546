"""Observe the trial match of a check: report the first move, and end the match when it has lasted long enough.

The referee decides the result.
"""

from __future__ import annotations

from collections.abc import Callable

from arena.core.referee import diagnosis, messages
from arena.core.referee.check_report import CheckStep, CheckStepName, StepState
from arena.core.referee.clock import Clock
from arena.core.referee.events import MatchEvent, TimeSpent, TurnPlayed
from arena.core.referee.players import Player
from arena.games.base import AnyGame


class TrialTimeout:
    """A timeout after the first turn that finishes later than ``seconds``, unless the checked bot is at fault.

    It never interrupts a turn: a bot that hangs reaches its own time limit, which distinguishes it from a slow bot.
    """

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock, self._end = clock, clock.now() + seconds
        self._at_fault = False
        self.over = False
        self.turns = 0

    def on_event(self, event: MatchEvent) -> None:
        if isinstance(event, TurnPlayed):
            self.turns = event.number
            self._at_fault |= any(move.seat == 0 and move.fault for move in event.moves)
            self.over = not self._at_fault and self._clock.now() >= self._end


class FirstMoveMonitor:
    """A monitor that reports the steps of a check up to the first move, and whether that move is slow.

    The move is reported as slow after ``seconds`` and fails at ``limit``, the time limit for every move. Thus, the
    author of a looping bot soon sees which line is running, and a slow bot still gets its full time.
    ``step``: the step in progress.
    """

    def __init__(
        self, bot: Player, game: AnyGame, seconds: float, limit: float, report: Callable[[CheckStep], None]
    ) -> None:
        self._bot, self._game, self._report = bot, game, report
        self._seconds, self._limit = min(seconds, limit), limit
        self.step = CheckStepName.FIRST_MOVE
        report(CheckStep(self.step, StepState.RUNNING))

    def on_thinking(self, seat: int, spent: TimeSpent) -> None:
        if seat == 0 and self.step is CheckStepName.FIRST_MOVE and spent.charged > self._seconds:
            self._report_slow_move(spent.charged)

    def on_event(self, event: MatchEvent) -> None:
        if not isinstance(event, TurnPlayed) or event.number != 1:
            return
        move = next((one for one in event.moves if one.seat == 0), None)
        if move is None or move.fault:
            return
        if self.step is CheckStepName.FIRST_MOVE and move.seconds > self._seconds:
            self._report_slow_move(self._seconds)
        self._report(CheckStep(self.step, StepState.PASSED, messages.FIRST_MOVE(), seconds=move.seconds))
        self.step = CheckStepName.MATCH
        self._report(CheckStep(self.step, StepState.RUNNING))

    def _report_slow_move(self, charged: float) -> None:
        message = messages.FIRST_MOVE_SLOW(seconds=f"{self._seconds:g}")
        location = diagnosis.find_running_line(self._bot, course_files=self._game.course_files)
        if location:
            message = messages.AT_LINE(sentence=message, line=location.line, file=location.file)
        self._report(CheckStep(self.step, StepState.SLOW, message, seconds=charged))
        self.step = CheckStepName.SLOW_MOVE
        allowed = messages.FIRST_MOVE_LIMIT(seconds=f"{self._limit:g}")
        self._report(CheckStep(self.step, StepState.RUNNING, allowed))
