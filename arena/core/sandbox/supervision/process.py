"""The referee's handle to one jailed process.

Invariants:
- No method waits for the bot. `kill` waits for the kernel, at most `_KILL_TIMEOUT`.
- Faults of the bot are raised as ChannelError, failures of the arena as SandboxFailure. No other exceptions are raised.
- `close` never raises, and releases everything; if the kernel refuses to kill the bot, the fork server kills it.
- The exit of a process is determined once: afterwards `kill` and `wait_for_exit` return the same result.
- Not thread-safe: one thread at a time owns a process.
"""

from __future__ import annotations

import contextlib
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Self

from arena.core.sandbox import messages
from arena.core.sandbox.errors import ChannelClosed, MessageTooLarge, SandboxFailure
from arena.core.sandbox.jail.process_status import StatusReader
from arena.core.sandbox.supervision.bot_groups import BotGroup
from arena.core.sandbox.supervision.core_wait import CoreWait
from arena.core.sandbox.supervision.exits import ProcessExit, classify_exit
from arena.core.sandbox.supervision.kernel import KERNEL, Kernel
from arena.core.sandbox.supervision.memory import MemoryWatch
from arena.core.sandbox.supervision.threads import Threads

MAX_REQUEST = 262_144  # bytes of one message to a bot
MAX_ANSWER = 65_536  # bytes of one message from a bot
_KILL_TIMEOUT = 10.0
_QUICK = 4_000_000  # nanoseconds after which a request is examined closely
_CPU_CLOCK_OF_PROCESS = 2  # CPUCLOCK_SCHED of a whole thread group


@dataclass(frozen=True, slots=True)
class Usage:
    """The measured times in seconds; ``cpu`` and ``runnable_wait`` are totals since the process started.

    cpu: CPU time of all of its threads.
    runnable_wait: time in which it was runnable but not running, because the machine was busy; see `core_wait`.
    late: time that the measuring process itself waited for a core since its last measurement.
    """

    cpu: float = 0.0
    runnable_wait: float = 0.0
    late: float = 0.0


def _host_process_id(pidfd: int) -> int:
    """Return the PID, as this process sees it, of the process that a pidfd refers to; -1 once that has been reaped."""
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as file:
        for line in file:
            if line.startswith("Pid:"):
                return int(line.split()[1])
    raise SandboxFailure(messages.UNIDENTIFIED())


class JailedProcess:
    """One isolated bot, from its start to its end. Created by ForkServer.spawn."""

    def __init__(
        self,
        channel: socket.socket,
        pidfd: int,
        status_fd: int,
        cpu_limit: int,
        memory: MemoryWatch,
        kernel: Kernel = KERNEL,
        group: BotGroup | None = None,
    ) -> None:
        self._channel = channel
        self._pidfd = pidfd
        self._status = StatusReader(status_fd, kernel.read)
        self._cpu_limit = cpu_limit
        self._memory = memory
        self._group = group
        self._kernel = kernel
        self._process_id = _host_process_id(pidfd)
        self._threads = Threads(self._process_id, kernel)
        self._core_wait = CoreWait()
        self._rests = True  # time before the next measurement does not count
        self._thinks_since = 0
        self._usage = Usage()
        self._end_poll = kernel.poll()
        self._end_poll.register(pidfd, select.POLLIN)
        self._exit: ProcessExit | None = None
        self._killed = False
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def fileno(self) -> int:
        """Return the channel's descriptor, to be polled for reading."""
        return self._channel.fileno()

    @property
    def process_id(self) -> int:
        """Return the bot's process id as this process sees it, for inspection; control uses the pidfd."""
        return self._process_id

    def send(self, payload: bytes) -> None:
        """Send the bot one message. Raises ChannelClosed if the bot has exited or does not read its messages."""
        if len(payload) > MAX_REQUEST:
            raise SandboxFailure(messages.REQUEST_TOO_LARGE(size=len(payload), limit=MAX_REQUEST))
        try:
            sent = self._kernel.send(self._channel, payload, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
        except BlockingIOError as error:
            raise ChannelClosed("the bot does not read its messages") from error
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ChannelClosed("the bot's end of the channel is closed") from error
        except OSError as error:
            raise SandboxFailure(messages.NOT_SENT(error=messages.error_name(error))) from error
        if sent != len(payload):
            raise SandboxFailure(messages.PARTLY_SENT(sent=sent, size=len(payload)))

    def receive(self) -> bytes | None:
        """Return the bot's next message, or None if there is none yet. Raises ChannelClosed or MessageTooLarge."""
        try:
            data = self._kernel.receive(self._channel, MAX_ANSWER + 1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except ConnectionResetError as error:
            raise ChannelClosed("the bot's end of the channel is closed") from error
        except OSError as error:
            raise SandboxFailure(messages.NOT_RECEIVED(error=messages.error_name(error))) from error
        if not data:  # an empty message cannot be distinguished from a closed channel
            raise ChannelClosed("the bot's end of the channel is closed")
        if len(data) > MAX_ANSWER:
            raise MessageTooLarge(f"the message exceeds the limit of {MAX_ANSWER} bytes")
        return data

    def usage(self) -> Usage:
        """Measure the usage from outside. Once the process has exited, return the last measurement.

        A thread's waiting time is lost when the thread exits, so frequent calls while the bot runs miss less of it.
        """
        if self._exit is not None or self._closed:
            return self._usage
        try:
            cpu = self._kernel.clock(~self._process_id << 3 | _CPU_CLOCK_OF_PROCESS)
            wait = self._wait_for_core(cpu, time.monotonic_ns())
        except (OSError, ValueError) as error:
            if self._has_ended():
                return self._usage
            raise SandboxFailure(messages.NOT_MEASURED(error=messages.error_name(error))) from error
        if wait is not None:
            self._usage = Usage(cpu / 1e9, wait / 1e9)
        return self._usage

    def _wait_for_core(self, cpu: int, now: int) -> int | None:
        """Return how long the process has waited for a core, in nanoseconds.

        Returns None if the process has ended, because its process id may be reused.
        """
        closely = not self._rests and now > self._thinks_since + _QUICK
        if not (closely or self._rests):  # most requests are answered before examining all threads would pay off
            main = self._threads.read_main_thread()
            if main is not None:
                return self._core_wait.estimate_from_thread(cpu, self._process_id, main)
        threads = self._threads.read(states=closely)
        if threads is None or (not self._threads.is_visible and self._has_ended()):
            return None
        if self._rests:
            self._rests, self._thinks_since = False, now
            return self._core_wait.restart(cpu, threads)
        waited = self._group.read_wait_nanoseconds() if closely and self._group is not None else None
        return self._core_wait.sample(now, cpu, threads, waited)

    def suspend(self) -> None:
        """Stop all threads of the bot until `resume`.

        The first measurement afterwards restarts the measurement of waiting time.
        """
        self._rests = True
        self._send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._send_signal(signal.SIGCONT)

    def wait_for_exit(self, timeout: float = 0.0) -> ProcessExit | None:
        """Return how the process ended, or None while it is alive.

        A process closes its channel shortly before its exit is reported.

        timeout: seconds to wait for the exit. Raises SandboxFailure if the bot never ran, or if its exit is
        unknown.
        """
        try:
            return self._wait_for_exit(timeout)
        except (OSError, ValueError) as error:
            raise SandboxFailure(messages.STATE_UNKNOWN(error=messages.error_name(error))) from error

    def _wait_for_exit(self, timeout: float) -> ProcessExit | None:
        poller = self._kernel.poll()
        if not self._closed:
            poller.register(self._status.fd, select.POLLIN)
        deadline = time.monotonic() + timeout
        while self._exit is None and not self._closed:
            self._status.read()
            self._read_end()
            left = deadline - time.monotonic()
            if self._exit is not None or left <= 0:
                break
            poller.poll(left * 1000)
        return self._exit

    def kill(self) -> ProcessExit:
        """Kill the process, wait until it has ended, and release everything.

        If it has already exited, return how it exited.

        Raises SandboxFailure if the exit is unknown; even then the process is dead, unless the message says otherwise.
        """
        if self._exit is not None or self._closed:
            self._close_descriptors()
            if self._exit is None:
                raise SandboxFailure(messages.ABANDONED())
            return self._exit
        try:
            ended = self.wait_for_exit()
            if ended is None:
                self._killed = not self._has_ended()
                self._send_signal(signal.SIGKILL)
                ended = self.wait_for_exit(_KILL_TIMEOUT)
        except SandboxFailure:
            with contextlib.suppress(SandboxFailure):
                self._send_signal(signal.SIGKILL)
            raise
        finally:
            self._close_descriptors()
        if ended is None:
            raise SandboxFailure(messages.NOT_REMOVED())
        return ended

    def close(self) -> None:
        """Kill the process if it is alive. Raises nothing; meant for `finally`."""
        with contextlib.suppress(SandboxFailure):
            self.kill()

    def _has_ended(self) -> bool:
        try:
            return bool(self._end_poll.poll(0))
        except OSError as error:
            raise SandboxFailure(messages.STATE_UNKNOWN(error=messages.error_name(error))) from error

    def _send_signal(self, number: signal.Signals) -> None:
        if self._closed:
            return
        try:
            self._kernel.send_signal(self._pidfd, number)
        except ProcessLookupError:
            return
        except OSError as error:
            failure = messages.SIGNAL_NOT_SENT(signal=number.name, error=messages.error_name(error))
            raise SandboxFailure(failure) from error

    def _read_end(self) -> None:
        seen = self._status
        if seen.failure is not None:
            raise SandboxFailure(messages.NOT_ISOLATED(), seen.failure)
        if seen.lost:
            raise SandboxFailure(messages.SERVER_EXITED())
        if seen.ended is None:
            return
        status, cpu = seen.ended
        if not seen.jailed:
            raise SandboxFailure(messages.ENDED_EARLY(status=f"{status:#x}"))
        self._usage = Usage(max(cpu, self._usage.cpu), self._usage.runnable_wait)
        self._exit = classify_exit(status, cpu, self._cpu_limit, self._killed, self._memory)

    def _close_descriptors(self) -> None:
        if self._closed:
            return
        self._closed = True
        closing: list[Callable[[], object]] = [self._channel.close, self._threads.close]
        closing += [partial(self._kernel.close, fd) for fd in (self._pidfd, self._status.fd)]
        for close in closing:
            with contextlib.suppress(OSError):  # Linux has released the descriptor, whatever close returns
                close()
        if self._group is not None:
            self._group.remove()
