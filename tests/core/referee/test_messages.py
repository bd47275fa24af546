"""Messages from the referee, the check and the rules have codes; filling in their templates gives the English text."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core.messages import Message, translate_message, verbatim_message
from arena.core.referee import messages, protocol, verdict
from arena.core.referee.bot_messages import HARNESS
from arena.core.referee.check import Check
from arena.core.referee.clock import FakeClock
from arena.core.referee.diagnosis import FaultContext, SourceLocation, diagnose
from arena.core.referee.events import NO_TIME, LogSpan
from arena.core.referee.failure_messages import FAILURE_MESSAGES
from arena.core.referee.faults import Fault, FaultKind
from arena.core.referee.jailed_player import fault_of_exit
from arena.core.referee.protocol import BadMessage, CodeFailed, ProtocolEndpoint, RequestKind, UnusableAnswer
from arena.core.referee.spec import MatchLimits
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.messages import SANDBOX_MESSAGES
from arena.core.sandbox.supervision.exits import ExitReason, ProcessExit
from arena.core.sandbox.uploads.messages import UPLOAD_MESSAGES
from arena.games.base import SETTINGS_MESSAGES, IllegalMove, Json, SettingsError
from arena.games.registry import GAMES, message_templates
from tests.core.referee.matches import first_legal

LOCATION = SourceLocation("deep/search.py", 12, "while True:")
BY_ARENA = (ExitReason.OUT_OF_MEMORY, ExitReason.KILLED_FROM_OUTSIDE)


def rejection(game: str, answer: Json, settings: dict[str, Json]) -> Message:
    rules = GAMES[game]
    state = rules.initial(rules.settings(settings), 2, random.Random(1))
    with pytest.raises(IllegalMove) as refused:
        rules.parse(state, 0, answer)
    return refused.value.message


def setting(game: str, **settings: Json) -> Message:
    with pytest.raises(SettingsError) as refused:
        GAMES[game].settings(settings)
    return refused.value.message


def harness_report(payload: bytes, *, requested: bool = True) -> Message:
    line = ProtocolEndpoint(make_nonce=lambda: "n")
    if requested:
        line.open(protocol.Request(0, RequestKind.MOVE, b"}"))
    with pytest.raises(BadMessage) as bad:
        line.accept(payload)
    return bad.value.message


def missing_module(*libraries: str) -> Message:
    return diagnose(
        Fault(FaultKind.START, verbatim_message(""), missing_module="torch.nn"), FaultContext(0), libraries
    ).message


REFUSALS = [
    *(rejection("reversi", answer, {}) for answer in (None, 3, "Z9", "A1")),
    *(rejection("golden_point", answer, {"numbers": 1}) for answer in ([1, 2], None, "5", True, [[]], [{}], 100)),
    rejection("golden_point", 5, {"numbers": 2}),
    messages.NO_ANSWER(),
    messages.UNREADABLE(),
]
DEPARTURES = [
    fault_of_exit(ProcessExit(reason, code=3, signal=11), JailLimits()).message
    for reason in ExitReason
    if reason not in BY_ARENA
]
SAID = [
    *REFUSALS,
    *DEPARTURES,
    setting("reversi", opening="A1"),
    setting("reversi", opening=3),
    setting("reversi", speed=1),
    setting("golden_point", rounds=0),
    harness_report(b'{"t":"answer","nonce":"other","value":1}'),
    harness_report(b'{"t":"done","nonce":"n"}'),
    harness_report(b" " * (protocol.MAX_REPLY_BYTES + 1)),
    harness_report(b'"\\u0000"'),
    harness_report(b"hello"),
    harness_report(b"", requested=False),
    missing_module(),
    missing_module("numpy", "treelib"),
    *(verdict.timeout_fault(kind, 60.0, location).message for kind in RequestKind for location in (None, LOCATION)),
    *(verdict.exit_fault(RequestKind.IMPORT, FaultKind.EXIT, message, LOCATION).message for message in DEPARTURES),
    *(
        verdict.illegal_answer_fault(
            tries, verdict.rejected_answer(protocol.Answer("n", "a: b"), reason, NO_TIME, LogSpan()).message
        ).message
        for reason in REFUSALS
        for tries in (1, 3)
    ),
]


def parts_without_template(message: Message) -> Iterator[str]:
    """Yield the parts of a message that have no template."""
    if message.code not in message_templates():
        yield message.text
    for value in message.parameters.values():
        if isinstance(value, Message):
            yield from parts_without_template(value)


@pytest.mark.parametrize("message", SAID, ids=lambda message: message.text[:60])
def test_messages_have_codes_and_survive_storage(message: Message) -> None:
    assert list(parts_without_template(message)) == []
    stored = Message.from_json(json.loads(json.dumps(message.to_json())))
    assert stored == message
    assert translate_message(stored, message_templates(), str) == message.text
    backwards = translate_message(stored, message_templates(), lambda english: english + "!")
    assert backwards.endswith("!")


@pytest.mark.parametrize("takes", [0.1, 15.0])
def test_every_check_step_has_a_code(takes: float) -> None:
    clock = FakeClock()

    def seat(folder: Path) -> ScriptedPlayer:
        def answer(request: Json) -> ScriptedTurn:
            return ScriptedTurn(first_legal(request).answer, takes=takes if folder.name == "bot" else 0.0)

        return ScriptedPlayer(clock, then=answer)

    report = Check(seat, GAMES["reversi"], MatchLimits(), clock, lambda step: None).run(Path("bot"), Path("house"))
    assert report.passed
    for step in report.steps:
        assert list(parts_without_template(step.message)) == []
        assert step.to_json()["code"] == step.message.code != ""


def test_bot_reported_message_keeps_its_code_and_is_bounded() -> None:
    failed = CodeFailed("n", protocol.Cause.EXCEPTION, "Its own words.", code="bot.x", parameters={"name": "\x1b[31mx"})
    found = diagnose(verdict.code_fault(RequestKind.MOVE, failed), FaultContext(1))
    assert (found.message.code, found.message.text) == ("bot.x", "Its own words.")
    assert "\x1b" not in str(found.message.parameters["name"])
    assert found.to_json()["parameters"] == found.message.parameters
    own = diagnose(
        verdict.code_fault(RequestKind.MOVE, CodeFailed("n", protocol.Cause.EXCEPTION, "KeyError: 3")), FaultContext(1)
    )
    assert (own.to_json()["message"], own.to_json()["code"]) == ("KeyError: 3", "")
    reason = messages.harness_message("bot.y", "y" * 5_000, {"shown": "z" * 1_000})
    refused = verdict.rejected_answer(UnusableAnswer("n", "y"), reason, NO_TIME, LogSpan()).message
    assert len(refused.text) <= 200
    assert len(str(refused.parameters["shown"])) <= 200


def test_codes_of_games_and_core_differ() -> None:
    tables = [
        messages.TEMPLATES,
        HARNESS,
        SETTINGS_MESSAGES,
        UPLOAD_MESSAGES,
        FAILURE_MESSAGES,
        SANDBOX_MESSAGES,
    ]
    for game in GAMES.values():
        tables += [game.messages, game.bot_messages]
    assert len(message_templates()) == sum(map(len, tables))
    assert all(code.startswith("bot.") for game in GAMES.values() for code in (*HARNESS, *game.bot_messages))
