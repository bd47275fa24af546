"""Messages are identified by their codes, never by their wording."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template
from django.utils import translation

import arena
from arena.core.messages import Message, verbatim_message
from arena.core.referee import messages
from arena.core.referee.bot_messages import HARNESS
from arena.core.referee.check import Check
from arena.core.referee.clock import FakeClock
from arena.core.referee.spec import MatchLimits
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.localized_messages import translate_message, translate_stored_message
from arena.games.registry import GAMES, message_templates
from arena.submissions.templatetags.checks import all_steps
from tests.chinese import has_chinese
from tests.core.referee.matches import first_legal

# Modules whose messages appear only in terminals and logs.
TERMINAL_ONLY = ("record_messages.py", "verification.py")
ARENA = Path(arena.__file__).parent


@pytest.mark.parametrize(
    "code", [code for code, one in message_templates().items() if one.english != "%(answer)s: %(reason)s"]
)
def test_every_message_has_a_chinese_translation(code: str) -> None:
    with translation.override("zh-hans"):
        assert has_chinese(translation.gettext(message_templates()[code].english))


def test_pages_know_every_message_code() -> None:
    """Pages know every message code in the arena's sources; a message with an unknown code would appear in English."""
    files = [path for path in ARENA.rglob("*.py") if path.name not in TERMINAL_ONLY]
    sources = "".join(path.read_text(encoding="utf-8") for path in files)
    codes = set(re.findall(r'\bTemplate\(\s*"([^"]+)"', sources))
    assert len(codes) > 100
    assert codes - message_templates().keys() == set()


def test_nested_messages_are_translated() -> None:
    ended = messages.WHILE_IMPORTING(sentence=messages.EXITED(code=3))
    message = messages.AT_LINE(sentence=ended, line=12, file="main.py")
    assert translate_message(message) == message.text
    with translation.override("zh-hans"):
        inner = translation.gettext(messages.EXITED.english) % {"code": 3}
        middle = translation.gettext(messages.WHILE_IMPORTING.english) % {"sentence": inner}
        outer = translation.gettext(messages.AT_LINE.english) % {"sentence": middle, "line": 12, "file": "main.py"}
        assert translate_message(message) == outer
        assert all(map(has_chinese, (inner, middle.replace(inner, ""), outer.replace(middle, ""))))
        stored = {"kind": "exit", **message.to_json("message")}
        assert translate_stored_message(stored) == translate_message(message)
        source = "{% load referee %}{{ diagnosis|translated }}"
        assert Template(source).render(Context({"diagnosis": stored})) == translate_message(message)


@pytest.mark.parametrize("text", ["KeyError: 'x'", "main.py compiles.", messages.EXITED(code=3).text, "%(code)s", ""])
def test_text_from_bots_is_not_translated(text: str) -> None:
    """Even text that looks like one of the arena's messages is shown as the bot wrote it."""
    with translation.override("zh-hans"):
        assert translate_message(verbatim_message(text)) == text
        assert translate_stored_message({"message": text}) == text  # a report from before messages had codes


@pytest.mark.parametrize(
    "message",
    [
        Message("bot.of_tomorrow", "It did something new.", {"n": 1}),
        Message("end.exited", messages.EXITED(code=3).text, {}),
        Message("bot.player.class", "x", {"other": "B"}),
        Message("illegal.refused", "x", {"answer": "%(reason)s"}),
    ],
    ids=["unknown", "without parameters", "with others", "with a trap"],
)
def test_messages_without_a_template_are_shown_in_english(message: Message) -> None:
    with translation.override("zh-hans"):
        assert translate_message(message) == message.text


def test_parameters_from_bots_are_not_templates() -> None:
    message = HARNESS["bot.no_function"](name="%(name)s<script>")
    with translation.override("zh-hans"):
        assert "%(name)s<script>" in translate_message(message)
    shown = Template("{% load referee %}{{ diagnosis|translated }}").render(
        Context({"diagnosis": message.to_json("message")})
    )
    assert "<script>" not in shown


def slow_bot(seconds: float) -> Callable[[Json], ScriptedTurn]:
    def answer(request: Json) -> ScriptedTurn:
        return ScriptedTurn(first_legal(request).answer, takes=seconds)

    return answer


@pytest.mark.parametrize(("seconds", "length"), [(0.1, " 手的对局"), (15.0, " 手没有违规")])
def test_check_steps_are_shown_in_the_readers_language(seconds: float, length: str) -> None:
    clock = FakeClock()

    def seat(folder: Path) -> ScriptedPlayer:
        return ScriptedPlayer(clock, then=slow_bot(seconds) if folder.name == "bot" else first_legal)

    report = Check(seat, GAMES["reversi"], MatchLimits(), clock, lambda step: None).run(Path("bot"), Path("house"))
    stored: list[dict[str, Any]] = [step.to_json() for step in report.steps]
    with translation.override("zh-hans"):
        shown = [step["message"] for step in all_steps(stored, "reversi") if step["message"]]
    assert len(shown) >= 4
    assert all(map(has_chinese, shown))
    assert length in shown[-1]  # Reversi's own word for a turn
