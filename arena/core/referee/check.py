"""The check of an uploaded bot: whether it works and, if not, why.

Invariants: a step runs only if all previous steps passed; every step is reported when it starts and when it ends, and
unreached steps are reported as skipped. The last step is a match under the same rules and limits as every other match.
The arena's own failures are raised and never become a result of the check.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from arena.core.messages import Message
from arena.core.plain_text import one_line
from arena.core.referee import messages
from arena.core.referee.bot_seeds import public_secret, seat_key, start_seed
from arena.core.referee.check_report import CONDITIONAL, CheckReport, CheckStep, CheckStepName, StepState
from arena.core.referee.clock import Clock
from arena.core.referee.conversation import Conversation, SeatAnswered, SeatFaulted
from arena.core.referee.diagnosis import diagnose
from arena.core.referee.events import MatchEvent
from arena.core.referee.failure_messages import HOUSE_BOT
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.players import Player
from arena.core.referee.position import Position, observation_of, opening_position, position_at
from arena.core.referee.protocol import Reply, Request, RequestKind, StartDone
from arena.core.referee.record import Record
from arena.core.referee.seat import RefereedSeat, ask_alone
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.referee.trial_monitor import FirstMoveMonitor, TrialTimeout
from arena.games.base import AnyGame

if TYPE_CHECKING:  # the local runner checks without a jail
    from arena.core.referee.jailed_player import Spawner


_SEED = 1
_SECRET = public_secret(_SEED)  # so that the local check shows exactly what the site shows
_STEPS = {
    RequestKind.LOAD: CheckStepName.SYNTAX,
    RequestKind.IMPORT: CheckStepName.IMPORT,
    RequestKind.CONSTRUCT: CheckStepName.PLAYER,
}
# Default texts if the harness reports nothing.
_PASSED = {
    CheckStepName.SYNTAX: messages.COMPILES,
    CheckStepName.IMPORT: messages.IMPORTS,
    CheckStepName.PLAYER: messages.HAS_PLAYER,
}
# A bot that uses its whole minute per move would occupy a worker for half an hour.
MATCH_SECONDS = 60.0
# If the first move is slower, a separate step requests it under the rules' own limit.
FIRST_MOVE_SECONDS = 10.0


def check_bot(
    folder: Path,
    game: AnyGame,
    opponent: Path,
    fork_server: Spawner,
    on_step: Callable[[CheckStep], None],
    clock: Clock,
    move_seconds: float,
    *,
    libraries: Iterable[str] = (),
    start_seconds: float = 10.0,
    memory_mb: int = 512,
    first_move_seconds: float = FIRST_MOVE_SECONDS,
    match_seconds: float = MATCH_SECONDS,
    core: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> CheckReport:
    """Check the bot in ``folder``: run it in the jail, against the house bot in the folder ``opponent``.

    ``first_move_seconds``: a first move that takes longer is reported as slow. ``match_seconds``: after this time, the
    match ends with the current turn, and the turns played are enough to pass. ``core``: the core that all bots share.
    ``libraries``: what a bot may import beyond the standard library, listed in the error about other imports. Raises
    RefereeFailure, MatchStopped.
    """
    from arena.core.referee.jailed_player import JailedPlayer, jail_limits

    limits = MatchLimits(move_seconds=move_seconds, start_seconds=start_seconds, memory_mb=memory_mb)
    jail = jail_limits(limits)
    check = Check(
        lambda bot: JailedPlayer(fork_server, bot, jail, core),
        game,
        limits,
        clock,
        on_step,
        tuple(libraries),
        first_move_seconds=first_move_seconds,
        match_seconds=match_seconds,
        stop=stop,
    )
    return check.run(folder, opponent)


def _passed_message(name: CheckStepName, reply: Reply) -> Message:
    """Return the harness's message about a step that passed, or the default text."""
    if not isinstance(reply, StartDone) or not reply.note:
        return _PASSED[name]()
    return messages.map_texts(messages.harness_message(reply.code, reply.note, reply.parameters), one_line)


class Check:
    """A check in progress; ``seat`` creates a player for a bot's folder."""

    def __init__(
        self,
        seat: Callable[[Path], Player],
        game: AnyGame,
        limits: MatchLimits,
        clock: Clock,
        on_step: Callable[[CheckStep], None],
        libraries: tuple[str, ...] = (),
        *,
        first_move_seconds: float = FIRST_MOVE_SECONDS,
        match_seconds: float = MATCH_SECONDS,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._seat = seat
        self._game = game
        self._first_move_seconds = min(first_move_seconds, limits.move_seconds)
        self._limits = replace(limits, trace_seconds=self._first_move_seconds)
        self._clock = clock
        self._on_step = on_step
        self._libraries = libraries
        self._match_seconds = match_seconds
        self._stop = stop
        self._steps: dict[CheckStepName, CheckStep] = {}
        self._position: Position | None = None

    def run(self, folder: Path, opponent: Path) -> CheckReport:
        """Run all steps. Raises RefereeFailure or MatchStopped."""
        started, log = self._start_alone(self._seat(folder))
        record = None
        if started:
            record, log = self._play_match(folder, opponent)
        for name in CheckStepName:
            if name not in self._steps and name not in CONDITIONAL:
                self._report_step(CheckStep(name, StepState.SKIPPED))
        steps = tuple(self._steps[name] for name in CheckStepName if name in self._steps)
        passed = all(step.state in (StepState.PASSED, StepState.SLOW) for step in steps)
        return CheckReport(passed, steps, record, log, self._position)

    # --- the bot alone ------------------------------------------------------------------------

    def _start_alone(self, player: Player) -> tuple[bool, bytes]:
        """Compile, import and instantiate the bot; return whether that succeeded, and the log."""
        passed = False
        try:
            player.start()
            seat = RefereedSeat(player, self._game)
            talk = Conversation(self._game, 0, self._limits.illegal_answers)
            before, request = 0.0, self._first_request(talk)
            while request is not None:
                name = _STEPS[request.kind]
                self._report_step(CheckStep(name, StepState.RUNNING))
                event = ask_alone(seat, request, self._limits, self._clock, self._stop)
                if isinstance(event, SeatFaulted):
                    player.close()  # so that the log is complete
                seconds, before = event.spent.charged - before, event.spent.charged
                if isinstance(event, SeatFaulted) and self._limits.start_seconds < event.spent.charged:
                    seconds = event.spent.charged  # one limit covers all these steps together
                request = talk.handle(event)
                self._report_step(self._judge_start(name, event, talk, seconds))
            passed = talk.fault is None
        finally:
            player.close()
        return passed, player.log()

    def _match_spec(self) -> MatchSpec:
        trial = self._game.trial
        names = ["checked bot", *("house bot" for _ in range(trial.seats - 1))]
        seats = tuple(SeatSpec(name, "") for name in names)
        return MatchSpec(self._game, trial.settings, _SEED, self._limits, seats, _SECRET)

    def _first_request(self, talk: Conversation) -> Request | None:
        game, trial = self._game, self._game.trial
        settings = game.settings(trial.settings)
        state = game.initial(settings, trial.seats, random.Random(_SEED))  # noqa: S311 - not a secret
        seed = start_seed(seat_key(_SECRET, 0), 1)
        return talk.start(trial.seats, game.settings_json(settings), self._limits, game.own(state, 0), seed=seed)

    def _judge_start(
        self, name: CheckStepName, event: SeatAnswered | SeatFaulted, talk: Conversation, seconds: float
    ) -> CheckStep:
        if talk.fault and talk.moment:
            found = diagnose(talk.fault, talk.moment, self._libraries)
            self._position = opening_position(self._match_spec(), 0, observation_of(found))
            return CheckStep(name, StepState.FAILED, found.message, found, seconds)
        message = _passed_message(name, event.reply) if isinstance(event, SeatAnswered) else _PASSED[name]()
        return CheckStep(name, StepState.PASSED, message, seconds=seconds)

    # --- the match ----------------------------------------------------------------------------

    def _play_match(self, folder: Path, opponent: Path) -> tuple[Record | None, bytes]:
        """Play and judge the match; return the record (None if ``TrialTimeout`` ended the match) and the bot's log."""
        spec = self._match_spec()
        players = [self._seat(folder), *(self._seat(opponent) for _ in spec.seats[1:])]
        timeout = TrialTimeout(self._clock, self._match_seconds)
        first = FirstMoveMonitor(
            players[0], self._game, self._first_move_seconds, self._limits.move_seconds, self._report_step
        )

        def on_event(event: MatchEvent) -> None:
            timeout.on_event(event)
            first.on_event(event)

        begun = self._clock.now()
        try:
            result = play_match(
                spec,
                players,
                self._clock,
                on_event,
                lambda: timeout.over or self._stop(),
                on_thinking=first.on_thinking,
            )
        except MatchStopped:
            if not timeout.over:
                raise
            one = timeout.turns == 1
            message = messages.SLOW_THINKER_ONE() if one else messages.SLOW_THINKER(n=timeout.turns)
            seconds = self._clock.now() - begun
            self._report_step(CheckStep(CheckStepName.MATCH, StepState.PASSED, message, seconds=seconds))
            return None, players[0].log()
        self._report_step(self._judge_match(result, first.step))
        return result.record, result.logs[0]

    def _judge_match(self, result: MatchResult, step: CheckStepName) -> CheckStep:
        """Return the check's result for the match. ``step``: the step in progress when the match ended."""
        broken = [found.message for found in result.diagnoses[1:] if found]
        if broken:
            raise RefereeFailure(HOUSE_BOT(sentence=broken[0]))
        seconds = sum(move.seconds for turn in result.record.turns for move in turn.moves if move.seat == 0)
        found, rejected = result.diagnoses[0], result.rejected[0]
        if found:
            earlier = [one for one in rejected if one.turn == found.turn]
            self._position = position_at(result.record, max(1, found.turn), 0, observation_of(found, earlier))
            return CheckStep(step, StepState.FAILED, found.message, found, seconds, rejected)
        message = messages.PLAYED(n=len(result.record.turns))
        return CheckStep(step, StepState.PASSED, message, seconds=seconds, rejected=rejected)

    def _report_step(self, step: CheckStep) -> None:
        self._steps[step.name] = step
        self._on_step(step)
