"""A sandbox without processes, for tests of code that plays matches.

Invariants: nothing waits or sleeps; scripts declare how much time they take. A script runs inside `send`, or inside
`resume` if the process was suspended, so its answer is available when the call returns.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from arena.core.sandbox.errors import ChannelClosed, MessageTooLarge, SandboxFailure
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.bot_log import BotLog
from arena.core.sandbox.supervision.exits import ExitReason, ProcessExit
from arena.core.sandbox.supervision.process import MAX_ANSWER, JailedProcess, Usage


@dataclass(frozen=True, slots=True)
class BotReaction:
    """A scripted bot's reaction to one message: answer, cost, and whether the process exits.

    cpu: seconds of CPU time. waited: seconds during which the bot was runnable but not running.
    """

    answers: tuple[bytes, ...] = ()
    cpu: float = 0.0
    waited: float = 0.0
    ends: ProcessExit | None = None


Script = Callable[[bytes], BotReaction]


@dataclass(slots=True)
class ScriptedBot:
    """A scripted bot: its start, and its reaction to each message."""

    script: Script
    greeting: BotReaction = field(default_factory=BotReaction)
    log: bytes = b""
    fails_to_start: str | None = None  # the arena's own failure, raised by `wait_for_exit` as in a real jail


def bot_with_answers(answers: Iterable[bytes], greeting: bytes | None = None) -> ScriptedBot:
    """Create a bot that sends ``greeting`` (if given) first, then the answers in order, and then stays silent."""
    left = iter(answers)

    def script(_: bytes) -> BotReaction:
        answer = next(left, None)
        return BotReaction(() if answer is None else (answer,))

    return ScriptedBot(script, BotReaction(() if greeting is None else (greeting,)))


class ScriptedProcess(JailedProcess):
    """A jailed process whose bot is a function. Its channel is a real socket and can be polled."""

    def __init__(self, bot: ScriptedBot) -> None:
        self.received: list[bytes] = []
        self.suspended = False
        self._bot = bot
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.setblocking(False)
        self._spent = Usage()
        self._ended: ProcessExit | None = None
        self._waiting: deque[bytes] = deque()
        self._open = True
        self._react(bot.greeting)

    def __enter__(self) -> Self:
        return self

    def fileno(self) -> int:
        return self._ours.fileno()

    @property
    def process_id(self) -> int:
        return 0

    def send(self, payload: bytes) -> None:
        if self._ended is not None:
            raise ChannelClosed("the scripted bot has ended")
        self._waiting.append(payload)
        self._run()

    def receive(self) -> bytes | None:
        try:
            data = self._ours.recv(4 * MAX_ANSWER)
        except BlockingIOError:
            return None
        if not data:
            raise ChannelClosed("the scripted bot has ended")
        if len(data) > MAX_ANSWER:
            raise MessageTooLarge(f"the message exceeds the limit of {MAX_ANSWER} bytes")
        return data

    def usage(self) -> Usage:
        return self._spent

    def suspend(self) -> None:
        self.suspended = True

    def resume(self) -> None:
        self.suspended = False
        self._run()

    def wait_for_exit(self, timeout: float = 0.0) -> ProcessExit | None:
        if self._bot.fails_to_start is not None:
            raise SandboxFailure(self._bot.fails_to_start)
        return self._ended

    def kill(self) -> ProcessExit:
        if self._open:
            self._open = False
            self._theirs.close()
            self._ours.close()
        if self._ended is None:
            self._ended = ProcessExit(ExitReason.KILLED, signal=9)
        return self._ended

    def _run(self) -> None:
        while self._waiting and not self.suspended and self._ended is None:
            payload = self._waiting.popleft()
            self.received.append(payload)
            self._react(self._bot.script(payload))

    def _react(self, turn: BotReaction) -> None:
        self._spent = Usage(self._spent.cpu + turn.cpu, self._spent.runnable_wait + turn.waited)
        for answer in turn.answers:
            self._theirs.send(answer)
        if turn.ends is not None or self._bot.fails_to_start is not None:
            self._ended = turn.ends
            self._theirs.close()


class FakeForkServer:
    """A fork server that starts scripted bots, selected by the name of the bot's folder."""

    def __init__(self, bots: Mapping[str, Callable[[], ScriptedBot]]) -> None:
        self.alive = True
        self.started: list[ScriptedProcess] = []
        self._bots = bots

    def spawn(
        self, bot_dir: Path, *, log: BotLog, limits: JailLimits, core: int | None = None, entry: str | None = None
    ) -> ScriptedProcess:
        """Start a scripted bot. Raises SandboxFailure for a folder without a script."""
        make = self._bots.get(bot_dir.name)
        if make is None:
            raise SandboxFailure(f"no scripted bot for {bot_dir}")
        bot = make()
        with open(log.open_for_bot(), "wb", buffering=0) as printed:
            printed.write(bot.log[: limits.log_bytes])
        process = ScriptedProcess(bot)
        self.started.append(process)
        return process
