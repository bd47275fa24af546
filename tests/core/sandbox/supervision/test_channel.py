"""The channel between worker and bot transfers messages reliably, and withstands a hostile bot."""

from __future__ import annotations

import pytest

from arena.core.sandbox.errors import ChannelClosed, MessageTooLarge, SandboxFailure
from arena.core.sandbox.supervision.exits import ExitReason
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.supervision.process import MAX_ANSWER, MAX_REQUEST
from tests.core.sandbox.jailed_bots import jailed_bot

pytestmark = pytest.mark.sandbox


def test_messages_keep_their_boundaries(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "for _ in range(2): os.write(3, os.read(3, 262144))") as bot:
        bot.process.send(b"one")
        bot.process.send(b"two")
        assert [bot.receive_bytes(), bot.receive_bytes()] == [b"one", b"two"]


def test_receive_returns_none_without_a_message(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "receive()") as bot:
        assert bot.process.receive() is None


@pytest.mark.parametrize("size", [MAX_REQUEST, 100_000])
def test_long_requests_arrive_whole(fork_server: ForkServer, size: int) -> None:
    with jailed_bot(fork_server, f"send(len(os.read(3, {MAX_REQUEST})))") as bot:
        bot.process.send(bytes(size))
        assert bot.receive() == size


def test_oversized_request_is_an_arena_failure(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "receive()") as bot, pytest.raises(SandboxFailure):
        bot.process.send(bytes(MAX_REQUEST + 1))


def test_longest_answer_is_received(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, f"os.write(3, bytes({MAX_ANSWER}))") as bot:
        assert bot.receive_bytes() == bytes(MAX_ANSWER)


def test_oversized_answer_is_rejected(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, f"os.write(3, bytes({MAX_ANSWER} + 1))") as bot, pytest.raises(MessageTooLarge):
        bot.receive_bytes()


GOODBYES = {
    "closes it": "os.close(3)\nsignal.pause()",
    "replaces it": "os.dup2(1, 3)\nsignal.pause()",
    "sends nothing as a message": "os.write(3, b'')\nsignal.pause()",
}


@pytest.mark.parametrize("name", GOODBYES)
def test_closing_the_channel_does_not_end_the_process(fork_server: ForkServer, name: str) -> None:
    with jailed_bot(fork_server, GOODBYES[name]) as bot:
        with pytest.raises(ChannelClosed):
            bot.receive_bytes()
        assert bot.process.wait_for_exit() is None
        assert bot.process.kill().reason is ExitReason.KILLED


def test_duplicated_channel_descriptor_works(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "copy = os.dup(3)\nos.close(3)\nos.write(copy, b'hello')") as bot:
        assert bot.receive_bytes() == b"hello"


def test_flood_is_bounded_and_ends_with_the_bot(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "while True: os.write(3, bytes(1000))") as bot:
        bot.receive_bytes()
        bot.process.suspend()
        received = 0
        while bot.process.receive() is not None:
            received += 1
        assert received < 1000, "the kernel holds no more for one channel"
        assert bot.process.kill().reason is ExitReason.KILLED


def test_bot_that_never_reads_does_not_block_the_worker(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "signal.pause()") as bot:
        sent = 0
        with pytest.raises(ChannelClosed, match="read"):  # noqa: PT012
            for sent in range(100):  # noqa: B007
                bot.process.send(bytes(100_000))
        assert 0 < sent < 99
