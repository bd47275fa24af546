"""Run small bots from source text in real jails."""

from __future__ import annotations

import dataclasses
import json
import select
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from arena.core.sandbox.config import Mode
from arena.core.sandbox.errors import ChannelClosed
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.bot_log import BotLog
from arena.core.sandbox.supervision.exits import ProcessExit
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.supervision.process import JailedProcess

TIMEOUT = 120.0  # seconds, generous for busy machines
LIBRARIES = Path(__file__).parents[3] / "build" / "bot-libraries"

_PRELUDE = """\
import ctypes, errno, json, mmap, os, platform, resource, select, signal, socket, sys, threading, time

libc = ctypes.CDLL(None, use_errno=True)

def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(value) for value in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def send(value):
    os.write(3, json.dumps(value).encode())

def receive():
    return json.loads(os.read(3, 262144))

def count(action, most):
    done = []
    for number in range(most):
        try:
            done.append(action(number))
        except (OSError, RuntimeError, MemoryError):
            break
    return len(done)

def main(channel, bot_dir):
"""


Value = TypeVar("Value")


@dataclass(frozen=True)
class ByMode(Generic[Value]):
    """An expected value for each of the two sandbox modes."""

    namespaces: Value
    landlock: Value


def value_for_mode(mode: Mode, expected: Value | ByMode[Value]) -> Value:
    if isinstance(expected, ByMode):
        return expected.namespaces if mode is Mode.NAMESPACES else expected.landlock
    return expected


def main_module(body: str) -> str:
    """Return the main.py of a bot whose entry point runs `body`."""
    return _PRELUDE + textwrap.indent(textwrap.dedent(body).strip() or "pass", "    ") + "\n"


@dataclass
class JailedBot:
    """A jailed bot and its log."""

    process: JailedProcess
    log_file: BotLog
    folder: Path
    start: Callable[[], JailedProcess]

    @contextmanager
    def restart(self) -> Iterator[JailedBot]:
        """Start the bot again from the same folder, with the same log."""
        with self.start() as process:
            yield dataclasses.replace(self, process=process)

    def receive(self, timeout: float = TIMEOUT) -> Any:
        """Return the bot's next message, decoded.

        Raises TimeoutError if none arrives within ``timeout`` seconds, and ChannelClosed if the bot exits.
        """
        return json.loads(self.receive_bytes(timeout))

    def receive_bytes(self, timeout: float = TIMEOUT) -> bytes:
        poller = select.poll()
        poller.register(self.process, select.POLLIN)
        if not poller.poll(timeout * 1000):
            raise TimeoutError("the bot said nothing")
        return self.process.receive() or b""

    def send(self, value: Any) -> None:
        self.process.send(json.dumps(value).encode())

    def wait_for_exit(self) -> ProcessExit:
        """Wait until the bot exits by itself, and return how it exited."""
        ended = self.process.wait_for_exit(TIMEOUT)
        if ended is None:
            raise TimeoutError("the bot lives on")
        return ended

    @property
    def log(self) -> bytes:
        return self.log_file.read()


@contextmanager
def jailed_bot(
    fork_server: ForkServer,
    body: str,
    limits: JailLimits | None = None,
    files: dict[str, str] | None = None,
    core: int | None = None,
) -> Iterator[JailedBot]:
    """Run a bot with `body` in a jail until the block ends."""
    with tempfile.TemporaryDirectory() as folder, closing(BotLog(10**7)) as log:
        # Without namespaces the bot's user must be able to enter this folder.
        Path(folder).chmod(0o755)
        for name, text in {"main.py": main_module(body), **(files or {})}.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_text(text, encoding="utf-8")

        def start() -> JailedProcess:
            return fork_server.spawn(Path(folder), log=log, limits=limits or JailLimits(), core=core, entry="main:main")

        with start() as process:
            yield JailedBot(process, log, Path(folder), start)


def run_in_jail(fork_server: ForkServer, body: str, limits: JailLimits | None = None) -> str:
    """Run `body` in a jail; return "done", the name of the error that it raised, or how the process ended."""
    wrapped = (
        "try:\n"
        + textwrap.indent(textwrap.dedent(body).strip(), "    ")
        + "\nexcept BaseException as error:\n    send(f'{type(error).__name__} {getattr(error, \"errno\", None)}')\n"
        + "else:\n    send('done')\n"
    )
    with jailed_bot(fork_server, wrapped, limits) as bot:
        try:
            return str(bot.receive())
        except ChannelClosed:
            return str(bot.wait_for_exit().reason)
