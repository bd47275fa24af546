"""The worker reads a bot's log up to its limit, and no bot can shorten or disturb it."""

from __future__ import annotations

import dataclasses
import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import closing

import pytest

from arena.core.sandbox.supervision.bot_log import BotLog
from arena.core.sandbox.supervision.kernel import KERNEL


@pytest.fixture
def log() -> Iterator[BotLog]:
    with closing(BotLog(100)) as found:
        yield found


@pytest.fixture
def bots_end(log: BotLog) -> Iterator[int]:
    fd = log.open_for_bot()
    yield fd
    os.close(fd)


def test_output_is_read_up_to_the_limit(log: BotLog, bots_end: int) -> None:
    os.write(bots_end, b"x" * 60)
    assert (log.size(), log.read()) == (60, b"x" * 60)
    os.write(bots_end, b"y" * 60)
    assert (log.size(), log.read()) == (100, b"x" * 60 + b"y" * 40)


def test_each_side_has_its_own_descriptor_flags(log: BotLog, bots_end: int) -> None:
    """Whatever flags a bot sets on its descriptor, the worker's flags are unchanged."""
    os.write(bots_end, b"before")
    fcntl.fcntl(bots_end, fcntl.F_SETFL, os.O_NONBLOCK)
    assert not fcntl.fcntl(log.open_for_bot(), fcntl.F_GETFL) & os.O_NONBLOCK
    os.lseek(bots_end, 0, os.SEEK_END)
    os.write(bots_end, b" and after")
    assert log.read() == b"before and after"


def test_bot_cannot_truncate_or_seal_the_log(log: BotLog, bots_end: int) -> None:
    os.write(bots_end, b"kept")
    for attack in (
        lambda: os.ftruncate(bots_end, 0),
        lambda: fcntl.fcntl(bots_end, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE),
        lambda: os.pread(bots_end, 1, 0),
    ):
        with pytest.raises(OSError, match="Errno"):
            attack()
    assert log.read() == b"kept"


def test_log_stays_readable_after_closing(log: BotLog, bots_end: int) -> None:
    os.write(bots_end, b"last words")
    log.close()
    log.close()
    assert (log.size(), log.read()) == (10, b"last words")


@pytest.mark.parametrize("number", [errno.EIO, errno.EINVAL, errno.EBADF])
def test_failed_read_returns_the_last_content(number: int) -> None:
    broken = False

    def failing_call(call: str) -> dict[str, object]:
        real = getattr(KERNEL, call)

        def call_or_fail(*arguments: int) -> object:
            if broken:
                raise OSError(number, os.strerror(number))
            return real(*arguments)

        return {call: call_or_fail}

    kernel = dataclasses.replace(KERNEL, **failing_call("read_at"), **failing_call("status"))
    with closing(BotLog(100, kernel)) as log:
        end = log.open_for_bot()
        os.write(end, b"seen")
        assert (log.size(), log.read()) == (4, b"seen")
        broken = True
        os.write(end, b" unseen")
        os.close(end)
        assert (log.size(), log.read()) == (4, b"seen")
        log.close()
        assert (log.size(), log.read()) == (4, b"seen")
