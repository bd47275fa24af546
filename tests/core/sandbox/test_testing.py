"""The fake sandbox behaves like the real one in everything that a referee can observe."""

from __future__ import annotations

import select
from contextlib import closing
from pathlib import Path

import pytest

from arena.core.sandbox.errors import ChannelClosed, MessageTooLarge, SandboxFailure
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.bot_log import BotLog
from arena.core.sandbox.supervision.exits import ExitReason, ProcessExit
from arena.core.sandbox.supervision.process import MAX_ANSWER, Usage
from arena.core.sandbox.testing import BotReaction, FakeForkServer, ScriptedBot, ScriptedProcess, bot_with_answers


def spawn(bot: ScriptedBot) -> ScriptedProcess:
    server = FakeForkServer({"bot": lambda: bot})
    with closing(BotLog(10_000)) as log:
        return server.spawn(Path("/somewhere/bot"), log=log, limits=JailLimits())


def test_scripted_bot_answers_from_a_list_and_can_be_polled() -> None:
    with spawn(bot_with_answers([b"one"], greeting=b"hello")) as process:
        assert select.select([process], [], [], 0)[0]
        assert process.receive() == b"hello"
        process.send(b"first")
        assert process.receive() == b"one"
        process.send(b"second")
        assert process.receive() is None
        assert process.received == [b"first", b"second"]
        assert process.kill() == ProcessExit(ExitReason.KILLED, signal=9)


def test_scripted_bot_thinks_only_while_resumed() -> None:
    with spawn(ScriptedBot(lambda _: BotReaction((b"x",), cpu=1.5, waited=0.5))) as process:
        process.suspend()
        process.send(b"go")
        assert process.receive() is None
        process.resume()
        assert process.receive() == b"x"
        assert process.usage() == Usage(1.5, 0.5)


def test_scripted_bot_exits_by_itself() -> None:
    ended = ProcessExit(ExitReason.EXITED, code=3)
    with spawn(ScriptedBot(lambda _: BotReaction(ends=ended))) as process:
        assert process.wait_for_exit() is None
        process.send(b"go")
        with pytest.raises(ChannelClosed):
            process.receive()
        with pytest.raises(ChannelClosed):
            process.send(b"more")
        assert process.wait_for_exit() == process.kill() == ended


def test_scripted_bot_sends_too_much() -> None:
    with spawn(bot_with_answers([bytes(MAX_ANSWER + 1)])) as process:
        process.send(b"go")
        with pytest.raises(MessageTooLarge):
            process.receive()


def test_scripted_jail_failure_is_a_sandbox_failure() -> None:
    with spawn(ScriptedBot(lambda _: BotReaction(), fails_to_start="no mount")) as process:
        with pytest.raises(ChannelClosed):
            process.receive()
        with pytest.raises(SandboxFailure, match="no mount"):
            process.wait_for_exit()


def test_unknown_bot_is_an_arena_failure() -> None:
    with pytest.raises(SandboxFailure), closing(BotLog(1)) as log:
        FakeForkServer({}).spawn(Path("bot"), log=log, limits=JailLimits())


def test_scripted_log_is_written() -> None:
    server = FakeForkServer({"bot": lambda: ScriptedBot(lambda _: BotReaction(), log=b"printed too much")})
    with closing(BotLog(10_000)) as log:
        server.spawn(Path("bot"), log=log, limits=JailLimits(log_bytes=7)).close()
        assert log.read() == b"printed"
