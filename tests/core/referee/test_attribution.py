"""Any failure during a request is either a bot's fault or an arena failure; either way, every player is closed."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from arena.core.messages import verbatim_message
from arena.core.referee import conversation, protocol
from arena.core.referee.clock import FakeClock
from arena.core.referee.conversation import read_move
from arena.core.referee.failure_messages import DEFECT
from arena.core.referee.faults import ARENA_FAILURES, FaultKind, MatchStopped, RefereeFailure, reason_of
from arena.core.referee.players import PlayerExit, PlayerGone
from arena.core.referee.protocol import BadMessage
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.core.sandbox.errors import SandboxFailure
from arena.games.base import IllegalMove
from arena.games.registry import GAMES
from tests.core.message_codes import codes_of
from tests.core.referee.matches import first_legal, golden_spec, play_to_end, reversi_spec

ATTRIBUTED = [
    RefereeFailure("x"),
    MatchStopped(),
    PlayerGone(PlayerExit(FaultKind.EXIT, verbatim_message("x"))),
    BadMessage(verbatim_message("x")),
]
UNEXPECTED = [OSError(errno.EINVAL, "x"), ValueError("x"), KeyError("x"), MemoryError(), SandboxFailure("x")]


@pytest.mark.parametrize("error", ATTRIBUTED, ids=repr)
def test_known_errors_pass_unchanged(error: Exception) -> None:
    with pytest.raises(type(error)) as seen, ARENA_FAILURES:
        raise error
    assert seen.value is error


@pytest.mark.parametrize("error", UNEXPECTED, ids=repr)
def test_other_errors_are_arena_failures(error: Exception) -> None:
    with pytest.raises(RefereeFailure) as seen, ARENA_FAILURES:
        raise error
    assert seen.value.__cause__ is error
    assert seen.value.message == reason_of(error)


def test_keyboard_interrupt_passes_unchanged() -> None:
    with pytest.raises(KeyboardInterrupt), ARENA_FAILURES:
        raise KeyboardInterrupt


class BrokenPlayer(ScriptedPlayer):
    """A player with one method that fails from the second move on."""

    broken = ""
    error: Exception = ValueError("x")

    def _fail(self, method: str) -> None:
        if method == self.broken and len(self.requests) > 4:
            raise self.error

    def ask(self, payload: bytes) -> None:
        self._fail("ask")
        super().ask(payload)

    def receive(self) -> bytes | None:
        self._fail("receive")
        return super().receive()

    def suspend(self) -> None:
        self._fail("suspend")
        super().suspend()

    def usage(self) -> Any:
        self._fail("usage")
        return super().usage()

    def printed_bytes(self) -> int:
        self._fail("printed_bytes")
        return super().printed_bytes()


@pytest.mark.parametrize("error", UNEXPECTED, ids=repr)
@pytest.mark.parametrize("method", ["ask", "receive", "suspend", "usage", "printed_bytes"])
def test_exception_in_a_player_is_an_arena_failure(method: str, error: Exception) -> None:
    clock = FakeClock()
    player = BrokenPlayer(clock, then=first_legal)
    player.broken, player.error = method, error
    other = ScriptedPlayer(clock, then=first_legal)
    with pytest.raises(RefereeFailure):
        play_to_end(reversi_spec(), [player, other], clock)
    assert player.closed
    assert other.closed


class BrokenRules:
    """Game rules in which one method fails on a bot's answer."""

    def __init__(self, game: Any, method: str) -> None:
        self._game, self._method = game, method

    def __getattr__(self, name: str) -> Any:
        if name == self._method:
            return self._break
        return getattr(self._game, name)

    def _break(self, *_: object) -> Any:
        raise OverflowError("too much")


@pytest.mark.parametrize("method", ["parse", "encode"])
def test_answer_that_crashes_the_rules_is_illegal_and_reported(
    method: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(conversation, "_reported", set())
    game = GAMES["golden_point"]
    broken = BrokenRules(game, method)
    state = game.initial(game.settings({"numbers": 2, "rounds": 3}), 2, None)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove) as refused:
        read_move(broken, state, 0, protocol.Answer("n", [1.0, 2.0]))  # type: ignore[arg-type]
    assert "illegal.unreadable" in codes_of(refused.value.message)
    spec = replace(golden_spec(2, 3), game=broken)  # type: ignore[arg-type]
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=lambda _: ScriptedTurn([1, 2])) for _ in range(2)]
    result, _ = play_to_end(spec, players, clock)
    assert [found.kind for found in result.diagnoses if found] == [FaultKind.ILLEGAL_MOVE] * 2
    (reported,) = caplog.records  # logged once, although both bots repeated the answer
    assert reported.levelname == "ERROR"
    assert reported.exc_info is not None
    assert reported.exc_info[0] is OverflowError


def test_rules_that_crash_on_legal_moves_are_an_arena_failure() -> None:
    spec = replace(golden_spec(2, 3), game=BrokenRules(GAMES["golden_point"], "apply"))  # type: ignore[arg-type]
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=lambda _: ScriptedTurn([1, 2])) for _ in range(2)]
    with pytest.raises(RefereeFailure) as seen:
        play_to_end(spec, players, clock)
    assert seen.value.message == DEFECT(exception="OverflowError")
    assert all(player.closed for player in players)


def break_decoder(error: Exception) -> Callable[[bytes], Any]:
    def decode(_: bytes) -> Any:
        raise error

    return decode


@pytest.mark.parametrize("error", [OverflowError("x"), TypeError("x"), RecursionError("x")], ids=repr)
def test_bytes_that_crash_the_decoder_are_the_bots_fault(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    class Decoder:
        decode = staticmethod(break_decoder(error))

    monkeypatch.setattr(protocol, "_decoder", Decoder)
    with pytest.raises(BadMessage):
        protocol.decode(b"{}")


def test_observer_exception_is_propagated() -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=first_legal) for _ in range(2)]

    def observe(_: object) -> None:
        raise LookupError("the site's own")

    from arena.core.referee.play import play_match

    with pytest.raises(LookupError):
        play_match(reversi_spec(), players, clock, observe, lambda: False)
    assert all(player.closed for player in players)
