"""Every system call between worker and jail fails in turn, and each failure has exactly one verdict.

The verdict is the bot's fault, an arena failure or none. A bot is at fault if the kernel reports something about the
bot: its end of the channel is closed, or its message is malformed. A call by the arena that the kernel refuses is an
arena failure. The verdict is none if nothing depends on the call, as with the bot's log and calls after the verdict.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena.core.referee.clock import SystemClock
from arena.core.referee.failure_messages import KILLED_FROM_OUTSIDE, SYSTEM_ERROR
from arena.core.referee.faults import FaultKind, RefereeFailure
from arena.core.referee.jailed_player import JailedPlayer
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.spec import MatchSpec
from arena.core.sandbox.config import Mode
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.supervision.process import JailedProcess
from tests.core.referee.broken_kernel import END, SHORT, BrokenKernel, Failure
from tests.core.referee.jailed import MakeBot
from tests.core.referee.matches import golden_spec

pytestmark = pytest.mark.sandbox

BY_ARENA, NONE = "ours", "none"
LOG_BYTES = 20_000
BOTS = {
    "plays": "def get_move(state): return 20, 30",
    "exits": "import os\ndef get_move(state): os._exit(3)",
    "spins": "def get_move(state):\n    while True: pass",
}
USUAL: dict[str, FaultKind | str] = {"plays": NONE, "exits": FaultKind.EXIT, "spins": FaultKind.TIMEOUT}
ERRORS = (errno.EIO, errno.EINVAL, errno.ENOSPC, errno.EPIPE)
# The expected verdict for each call, keyed by how the call fails and, where relevant, by what the bot does. Other
# combinations have the verdict of a match without failures.
VERDICTS: dict[str, dict[Any, FaultKind | str]] = {
    "open": {},
    "send": {
        **dict.fromkeys((errno.EIO, errno.EINVAL, errno.ENOSPC, SHORT), BY_ARENA),
        errno.EPIPE: FaultKind.BAD_MESSAGE,
        errno.EAGAIN: FaultKind.BAD_MESSAGE,  # the bot does not read
    },
    "receive": {
        **dict.fromkeys(ERRORS, BY_ARENA),
        (errno.ECONNRESET, "plays"): FaultKind.BAD_MESSAGE,
        (SHORT, "plays"): FaultKind.BAD_MESSAGE,
        (END, "plays"): FaultKind.BAD_MESSAGE,
        (errno.EIO, "spins"): FaultKind.TIMEOUT,  # nothing to receive
        (errno.EINVAL, "spins"): FaultKind.TIMEOUT,
        (errno.ENOSPC, "spins"): FaultKind.TIMEOUT,
        (errno.EPIPE, "spins"): FaultKind.TIMEOUT,
    },
    "poll": {},  # waits for the report of an exit, if it has not arrived yet
    "read": {(how, "exits"): BY_ARENA for how in (*ERRORS, END)},  # nothing else reports how the process ended
    # The bot's time cannot be measured. For the same calls on its log, see below.
    "read_at": dict.fromkeys((*ERRORS, SHORT), BY_ARENA),
    "status": dict.fromkeys(ERRORS, BY_ARENA),
    "clock": dict.fromkeys(ERRORS, BY_ARENA),
    "close": {},
    "send_signal": dict.fromkeys(ERRORS, BY_ARENA),
}
BYTES = ("send", "receive", "read", "read_at")


def ways_to_fail(call: str) -> list[int | str]:
    """Return the ways in which the call can fail: those in ``ERRORS`` and ``VERDICTS``, and ``SHORT`` for transfers."""
    named = {key[0] if isinstance(key, tuple) else key for key in VERDICTS[call]}
    return sorted({*ERRORS, *named, *([SHORT] if call in BYTES else [])}, key=str)


CASES = [
    (bot, Failure(call, how))
    for call in VERDICTS
    for how in ways_to_fail(call)
    for bot in BOTS
    if bot != "spins" or how in (errno.EIO, SHORT)  # this bot runs until its time limit, which is slow
]


def expected_verdicts(bot: str, failure: Failure) -> set[FaultKind | str]:
    """Return the possible verdicts on this failure: usually one, but two if the verdict depends on microseconds."""
    verdicts = VERDICTS[failure.call]
    usual = verdicts.get((failure.how, bot), verdicts.get(failure.how, USUAL[bot]))
    # If the referee has to wait for the report of the exit, nothing tells it how the process ended.
    return {usual, BY_ARENA} if (failure.call, bot) == ("poll", "exits") else {usual}


@pytest.fixture(scope="module")
def broken_server(server: ForkServer) -> Iterator[tuple[ForkServer, BrokenKernel]]:
    kernel = BrokenKernel()
    with ForkServer(server.config, kernel=kernel.kernel) as started:
        yield started, kernel


class RecordingForkServer:
    """A fork server that records the processes it started."""

    def __init__(self, server: ForkServer) -> None:
        self._server = server
        self.started: list[JailedProcess] = []

    def spawn(self, *arguments: Any, **options: Any) -> JailedProcess:
        self.started.append(self._server.spawn(*arguments, **options))
        return self.started[-1]


def play_with_failure(
    server: ForkServer,
    broken_server: tuple[ForkServer, BrokenKernel],
    failure: Failure,
    folders: tuple[Path, Path],
    spec: MatchSpec,
    *,
    from_start: bool = False,
) -> tuple[MatchResult, JailedProcess | None]:
    """Play a match in which system calls for seat 0 fail, and check that the seat's bot exits.

    The calls fail from the start of the bot (``from_start``) or from its first turn. Return the result and the bot's
    process, or None if the bot was never started.
    """
    faulty, kernel = broken_server
    recorder = RecordingForkServer(faulty)
    limits = JailLimits(log_bytes=LOG_BYTES)
    players = [
        JailedPlayer(recorder, folders[0], limits, kernel=kernel.kernel),
        JailedPlayer(server, folders[1], limits),
    ]
    kernel.failure = failure if from_start else None

    def begin(_: object) -> None:
        kernel.failure = failure

    try:
        result = play_match(spec, players, SystemClock(), begin, lambda: False)
    finally:
        kernel.failure = None
        for process in recorder.started:
            assert_gone(process.process_id)
    return result, recorder.started[0] if recorder.started else None


def assert_gone(process: int) -> None:
    until = time.monotonic() + 60
    while process > 0 and Path(f"/proc/{process}").exists():
        assert time.monotonic() < until, "the bot lives on"
        time.sleep(0.002)


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def verdict_of(*arguments: Any, **options: Any) -> FaultKind | str:
    """Play a match with a failure, and return its only verdict."""
    before = descriptors()
    try:
        result, _ = play_with_failure(*arguments, **options)
    except RefereeFailure:
        verdict: FaultKind | str = BY_ARENA
    else:
        found, other = result.diagnoses
        assert other is None, "a failure of one seat is no fault of the other"
        verdict = NONE if found is None else found.kind
    assert descriptors() == before
    return verdict


@pytest.mark.parametrize(
    ("doing", "failure"), CASES, ids=[f"{one.call}-{errno.errorcode.get(one.how, one.how)}-{bot}" for bot, one in CASES]
)
def test_each_failure_has_one_verdict(
    server: ForkServer, broken_server: tuple[ForkServer, BrokenKernel], bot: MakeBot, doing: str, failure: Failure
) -> None:
    folders = bot(BOTS[doing]), bot(BOTS["plays"])
    spec = golden_spec(2, 3, move_seconds=0.3 if doing == "spins" else 20.0)
    assert verdict_of(server, broken_server, failure, folders, spec) in expected_verdicts(doing, failure)


@pytest.mark.parametrize("how", ERRORS)
@pytest.mark.parametrize("call", ["open", "send", "read_at", "clock", "send_signal"])
def test_failed_start_is_blamed_on_the_arena_or_the_bot(
    server: ForkServer, broken_server: tuple[ForkServer, BrokenKernel], bot: MakeBot, call: str, how: int
) -> None:
    """If a call fails from the start, only a closed channel is the bot's fault."""
    folders = bot(BOTS["plays"]), bot(BOTS["plays"])
    verdict = verdict_of(server, broken_server, Failure(call, how), folders, golden_spec(2, 3), from_start=True)
    assert verdict == (FaultKind.START if (call, how) == ("send", errno.EPIPE) else BY_ARENA)


@pytest.mark.parametrize("how", [*ERRORS, SHORT])
@pytest.mark.parametrize("doing", BOTS)
def test_unreadable_log_does_not_affect_the_verdict(
    server: ForkServer, broken_server: tuple[ForkServer, BrokenKernel], bot: MakeBot, doing: str, how: int | str
) -> None:
    failure = Failure("read_at", how, LOG_BYTES)
    spec = golden_spec(2, 3, move_seconds=0.3 if doing == "spins" else 20.0)
    verdict = verdict_of(server, broken_server, failure, (bot(BOTS[doing]), bot(BOTS["plays"])), spec)
    assert verdict == USUAL[doing]


@pytest.mark.parametrize("number", [signal.SIGCONT, signal.SIGSTOP, signal.SIGKILL])
@pytest.mark.parametrize("doing", BOTS)
def test_bot_that_cannot_be_signalled_keeps_its_verdict_and_dies(
    server: ForkServer, broken_server: tuple[ForkServer, BrokenKernel], bot: MakeBot, doing: str, number: signal.Signals
) -> None:
    """A bot that the worker cannot kill keeps its verdict, and the fork server kills it."""
    failure = Failure("send_signal", errno.EIO, number)
    verdict = BY_ARENA if number is signal.SIGCONT or (doing, number) == ("plays", signal.SIGSTOP) else USUAL[doing]
    spec = golden_spec(2, 3, move_seconds=0.3 if doing == "spins" else 20.0)
    assert verdict_of(server, broken_server, failure, (bot(BOTS[doing]), bot(BOTS["plays"])), spec) == verdict


class BrokenClock(SystemClock):
    """A clock whose poll for answers fails once the match has begun."""

    def __init__(self) -> None:
        self.waits = 0

    def wait(self, for_any: Any, timeout: float) -> Any:
        self.waits += 1
        if self.waits > 5:
            raise OSError(errno.EINVAL, "poll")
        return super().wait(for_any, timeout)


def test_failed_poll_for_answers_is_an_arena_failure(server: ForkServer, bot: MakeBot) -> None:
    players = [JailedPlayer(server, bot(BOTS["plays"]), JailLimits()) for _ in range(2)]
    with pytest.raises(RefereeFailure) as seen:
        play_match(golden_spec(2, 3), players, BrokenClock(), lambda _: None, lambda: False)
    assert seen.value.message == SYSTEM_ERROR(error="EINVAL")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_stopping_all_processes_of_a_worker_costs_no_bot_the_match(
    server: ForkServer, bot: MakeBot, number: signal.Signals
) -> None:
    """No bot loses the match if a service manager signals all processes of the worker.

    In a namespace, process 1 ignores the signal; without one, the bot dies and the match is void.
    """
    recorder = RecordingForkServer(server)
    players = [JailedPlayer(recorder, bot(BOTS["plays"]), JailLimits()) for _ in range(2)]

    def stop_bot(_: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(recorder.started[0].process_id, number)

    try:
        result = play_match(golden_spec(2, 3, move_seconds=20.0), players, SystemClock(), stop_bot, lambda: False)
    except RefereeFailure as failure:
        assert server.mode is Mode.LANDLOCK
        assert failure.message == KILLED_FROM_OUTSIDE()  # noqa: PT017
    else:
        assert result.diagnoses == (None, None)


@pytest.mark.parametrize("doing", ["plays", "spins"])
def test_external_kill_is_not_mistaken_for_a_memory_kill(server: ForkServer, bot: MakeBot, doing: str) -> None:
    """A SIGKILL that no memory counter explains is not a bot's fault; the failure says that it came from outside."""
    recorder = RecordingForkServer(server)
    limits = JailLimits()
    players = [JailedPlayer(recorder, bot(BOTS[doing]), limits), JailedPlayer(recorder, bot(BOTS["plays"]), limits)]

    def kill(_: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(recorder.started[0].process_id, signal.SIGKILL)

    with pytest.raises(RefereeFailure) as seen:
        play_match(golden_spec(2, 3, move_seconds=20.0), players, SystemClock(), kill, lambda: False)
    assert seen.value.message == KILLED_FROM_OUTSIDE()
