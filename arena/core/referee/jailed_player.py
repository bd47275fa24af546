"""Run a bot in its own jailed process, started by the worker's fork server.

Invariants: the bot runs only between ``ask`` and ``suspend``; it is not charged for time in which the referee itself
waits for a core. Failures of the sandbox raise ``RefereeFailure``; anything that the bot does to its process or channel
raises ``PlayerGone``. No other exceptions are raised; ``close``, ``log`` and ``printed_bytes`` never raise.
"""

from __future__ import annotations

import math
import select
from pathlib import Path
from typing import Protocol

from arena.core.referee import messages
from arena.core.referee.failure_messages import KILLED_FROM_OUTSIDE, OUT_OF_MEMORY
from arena.core.referee.fair_time import Usage
from arena.core.referee.faults import ARENA_FAILURES, FaultKind, RefereeFailure
from arena.core.referee.players import PlayerExit, PlayerGone, restart_line, signal_name
from arena.core.referee.protocol import MAX_REPLY_BYTES, BadMessage
from arena.core.referee.spec import MAX_TURNS, MatchLimits
from arena.core.sandbox.errors import ChannelClosed, MessageTooLarge
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.bot_log import BotLog
from arena.core.sandbox.supervision.exits import ExitReason, ProcessExit
from arena.core.sandbox.supervision.kernel import KERNEL, Kernel
from arena.core.sandbox.supervision.process import JailedProcess
from arena.core.sandbox.supervision.process import Usage as ProcessUsage
from arena.core.sandbox.supervision.run_delay import RunDelay

# Seconds to wait for the exit status: a dying process closes its channel shortly before it is reaped.
_EXIT_GRACE = 0.5


class Spawner(Protocol):
    """The part of ``arena.core.sandbox.supervision.forkserver.ForkServer`` that a player needs."""

    def spawn(self, bot_dir: Path, *, log: BotLog, limits: JailLimits, core: int | None = None) -> JailedProcess: ...


def jail_limits(limits: MatchLimits) -> JailLimits:
    """Return the jail's limits for one match.

    The limit on CPU time is a backstop that a bot within its time limits never reaches.
    """
    seconds = limits.start_seconds + MAX_TURNS * limits.move_seconds
    return JailLimits(memory_mb=limits.memory_mb, cpu_seconds=math.ceil(seconds))


class JailedPlayer:
    """A player in a jail.

    ``folder``: the bot's files; ``core``: the core that the bot is pinned to; ``kernel``: for tests.
    """

    def __init__(
        self, server: Spawner, folder: Path, limits: JailLimits, core: int | None = None, kernel: Kernel = KERNEL
    ) -> None:
        self.folder: Path | None = folder
        self._server = server
        self._bot_dir = folder
        self._limits = limits
        self._core = core
        self._kernel = kernel
        self._process: JailedProcess | None = None
        self._referee: RunDelay | None = None
        self._log: BotLog | None = None
        self._earlier = b""  # the log of earlier processes, and the separator
        self._starts = 0
        self._referee_waited = 0.0

    def start(self) -> None:
        with ARENA_FAILURES:
            self._starts += 1
            # A separate file: a bot can measure its log, whose length would reveal how much an earlier process printed.
            self._log = BotLog(max(0, self._limits.log_bytes - len(self._earlier)), self._kernel)
            self._process = self._server.spawn(self._bot_dir, log=self._log, limits=self._limits, core=self._core)
            self._referee = RunDelay()

    def restart(self) -> None:
        self.close()
        log = self.log()
        self._earlier = (log + restart_line(log, self._starts + 1))[: self._limits.log_bytes]
        self.start()

    def fileno(self) -> int | None:
        with ARENA_FAILURES:
            return self._running_process().fileno()

    @property
    def process_id(self) -> int:
        """Return the process id while the process is running, for inspection."""
        return self._running_process().process_id

    def ask(self, payload: bytes) -> None:
        """Queue the request while the bot is stopped, then resume the bot."""
        with ARENA_FAILURES:
            process = self._running_process()
            try:
                process.send(payload)
            except ChannelClosed:
                raise PlayerGone(self._player_exit(process)) from None
            process.resume()

    def receive(self) -> bytes | None:
        with ARENA_FAILURES:
            process = self._running_process()
            try:
                return process.receive()
            except MessageTooLarge:
                raise BadMessage(messages.TOO_LONG(n=MAX_REPLY_BYTES)) from None
            except ChannelClosed:
                raise PlayerGone(self._player_exit(process)) from None

    def suspend(self) -> None:
        with ARENA_FAILURES:
            self._running_process().suspend()

    def usage(self) -> Usage | None:
        """Measure the bot's CPU time and waiting time.

        If an answer had to wait until the referee got a core, that time counts as waiting for a core.
        """
        with ARENA_FAILURES:
            used = self._running_process().usage()
            before, self._referee_waited = self._referee_waited, self._referee.seconds() if self._referee else 0.0
        return ProcessUsage(used.cpu, used.runnable_wait, self._referee_waited - before)

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None
        if self._referee is not None:
            self._referee.close()
            self._referee = None
        if self._log is not None:
            self._log.close()

    def log(self) -> bytes:
        return self._earlier + (b"" if self._log is None else self._log.read())

    def printed_bytes(self) -> int:
        return len(self._earlier) + (0 if self._log is None else self._log.size())

    def _running_process(self) -> JailedProcess:
        if self._process is None:
            raise RuntimeError("the player is not running")
        return self._process

    def _player_exit(self, process: JailedProcess) -> PlayerExit:
        """Return how the process ended; a process that closes its channel but keeps running commits a fault."""
        poller = select.poll()
        waited = 0.0
        while (ended := process.wait_for_exit()) is None and waited < _EXIT_GRACE:
            poller.poll(5)
            waited += 0.005
        return fault_of_exit(ended or process.kill(), self._limits)


def fault_of_exit(ended: ProcessExit, limits: JailLimits) -> PlayerExit:
    """Map the exit of a process with these limits to the bot's fault.

    Raises RefereeFailure if the bot is not to blame.
    """
    match ended.reason:
        case ExitReason.EXITED:
            return PlayerExit(FaultKind.EXIT, messages.EXITED(code=ended.code or 0))
        case ExitReason.CRASHED:
            return PlayerExit(FaultKind.CRASH, messages.CRASHED(signal=signal_name(ended.signal)))
        case ExitReason.KILLED:  # killed by the arena, after closing its channel without exiting
            return PlayerExit(FaultKind.BAD_MESSAGE, messages.CHANNEL_CLOSED())
        case ExitReason.CPU_LIMIT:
            return PlayerExit(FaultKind.TIMEOUT, messages.CPU_TIME())
        case ExitReason.LOG_LIMIT:
            return PlayerExit(FaultKind.OUTPUT, messages.FILE_FULL(n=limits.max_file_bytes // 2**20))
        case ExitReason.FORBIDDEN_CALL:
            return PlayerExit(FaultKind.CRASH, messages.FOREIGN_CALL())
        case ExitReason.MEMORY_LIMIT:
            return PlayerExit(FaultKind.MEMORY, messages.MEMORY(n=limits.memory_mb))
        case ExitReason.OUT_OF_MEMORY:
            raise RefereeFailure(OUT_OF_MEMORY())
        case ExitReason.KILLED_FROM_OUTSIDE:
            raise RefereeFailure(KILLED_FROM_OUTSIDE())
