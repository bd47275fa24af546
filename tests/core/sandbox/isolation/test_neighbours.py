"""A bot cannot affect another bot or the referee."""

from __future__ import annotations

import errno
import os
from contextlib import nullcontext

import pytest

from arena.core.sandbox.config import Mode
from arena.core.sandbox.supervision.exits import ExitReason
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import jailed_bot

pytestmark = pytest.mark.sandbox

# name: (number on x86_64, on aarch64, arguments; None stands for the victim's process id)
ATTACKS: dict[str, tuple[int, int, tuple[int | None, ...]]] = {
    "asks whether it is there": (62, 129, (None, 0)),
    "kills": (62, 129, (None, 9)),
    "stops": (62, 129, (None, 19)),
    "kills its group": (62, 129, (-1, 9)),
    "kills a thread": (234, 131, (None, None, 9)),
    "kills a task": (200, 130, (None, 9)),
    "queues a signal": (129, 138, (None, 9, 0)),
    "attaches as a debugger": (101, 117, (16, None, 0, 0)),
    "seizes as a debugger": (101, 117, (0x4206, None, 0, 0)),
    "reads memory": (310, 270, (None, 0, 0, 0, 0, 0)),
    "writes memory": (311, 271, (None, 0, 0, 0, 0, 0)),
    "gives advice on memory": (440, 440, (None, 0, 0, 0, 0)),
    "moves pages": (279, 239, (None, 0, 0, 0, 0, 0)),
    "opens a pidfd": (434, 434, (None, 0)),
    "sends by pidfd": (424, 424, (3, 9, 0, 0)),
    "takes a descriptor": (438, 438, (3, 0, 0)),
    "compares": (312, 272, (None, None, 0, 0, 0)),
    "reads limits": (302, 261, (None, 0, 0, 0)),
    "sets limits": (302, 261, (None, 0, 1, 0)),
    "reads its list of locks": (274, 100, (None, 0, 0)),
    "makes nice": (141, 140, (0, None, 19)),
    "moves to a core": (203, 122, (None, 8, 0)),
    "schedules": (144, 119, (None, 0, 0)),
    "slows its disk": (251, 30, (1, None, 0)),
    "profiles": (298, 241, (0, None, -1, -1, 0)),
}


@pytest.mark.parametrize("victim", ["referee", "sibling"])
def test_other_processes_are_out_of_reach(fork_server: ForkServer, victim: str, machine: str) -> None:
    body = """
        unharmed = {}
        for name, number, arguments in receive():
            try: unharmed[name] = call(number, *arguments)
            except OSError as error: unharmed[name] = error.errno
        send(unharmed)
    """
    sibling = jailed_bot(fork_server, "send(os.getpid())\nsignal.pause()") if victim == "sibling" else nullcontext()
    with sibling as other, jailed_bot(fork_server, body) as bot:
        process = os.getpid()
        if other is not None:
            process = other.process.process_id
            # Without namespaces, the bots know each other's process ids, but cannot use them.
            assert other.receive() == (1 if fork_server.mode is Mode.NAMESPACES else process)
        bot.send(
            [
                (name, x86_64 if machine == "x86_64" else aarch64, [process if one is None else one for one in rest])
                for name, (x86_64, aarch64, rest) in ATTACKS.items()
            ]
        )
        assert bot.receive() == dict.fromkeys(ATTACKS, errno.EPERM)
        if other is not None:
            assert other.process.wait_for_exit() is None
            assert other.process.kill().reason is ExitReason.KILLED


def test_two_bots_see_neither_locks_nor_changes_of_each_other(fork_server: ForkServer) -> None:
    """Two bots can open the same library files, but neither sees the other's locks, leases or watches."""
    body = """
        import fcntl
        f = open(os.__file__, 'rb')
        def refusal(action):
            try: action()
            except OSError as error: return error.errno
        send([
            refusal(lambda: fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)),
            refusal(lambda: fcntl.lockf(f, fcntl.LOCK_SH | fcntl.LOCK_NB)),
            refusal(lambda: fcntl.fcntl(f, 37, bytes(32))),
            refusal(lambda: fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_RDLCK)),
            refusal(lambda: fcntl.fcntl(f, fcntl.F_NOTIFY, fcntl.DN_ACCESS)),
            refusal(lambda: call({'x86_64': 294, 'aarch64': 26}[platform.machine()], 0)),
            refusal(lambda: call({'x86_64': 300, 'aarch64': 262}[platform.machine()], 0, 0)),
        ])
        receive()
    """
    with jailed_bot(fork_server, body) as first, jailed_bot(fork_server, body) as second:
        # Both get a record lock: the call succeeds without being executed.
        assert first.receive() == second.receive() == [errno.EPERM, None, *[errno.EPERM] * 5]


def test_bots_do_not_share_randomness(fork_server: ForkServer) -> None:
    body = """
        import random
        drawn = [random.random()]
        if 'numpy' in sys.modules:
            drawn.append(sys.modules['numpy'].random.random())
        send(drawn)
    """
    with jailed_bot(fork_server, body) as first, jailed_bot(fork_server, body) as second:
        assert not set(first.receive()) & set(second.receive())


def test_memory_poisoned_by_one_bot_is_intact_for_the_next(fork_server: ForkServer) -> None:
    body = """
        import json, random
        send([json.dumps({}), hasattr(random, 'planted'), 'planted' in sys.modules])
        json.dumps = None
        random.planted = True
        sys.modules['planted'] = json
        os.environ['PLANTED'] = 'x'
    """
    for _ in range(2):
        with jailed_bot(fork_server, body) as bot:
            assert bot.receive() == ["{}", False, False]
