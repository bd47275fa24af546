"""Messages keep their code and parameters in stored JSON, and are translated into the reader's language."""

from __future__ import annotations

import json

import pytest

from arena.core.messages import Message, Template, templates_by_code, translate_message, verbatim_message

WHERE = Template("where", "%(sentence)s It had reached line %(line)s.")
SLOW = Template("slow", "It took longer than %(seconds)s s.")
TEMPLATES = templates_by_code(WHERE, SLOW)
GERMAN = {WHERE.english: "%(sentence)s In Zeile %(line)s.", SLOW.english: "Es dauerte länger als %(seconds)s s."}
MESSAGE = WHERE(sentence=SLOW(seconds=1.5), line=3)


def german(english: str) -> str:
    """Translate a template into German."""
    return GERMAN[english]


def test_nested_message_is_translated() -> None:
    assert str(MESSAGE) == "It took longer than 1.5 s. It had reached line 3."
    assert translate_message(MESSAGE, TEMPLATES, german) == "Es dauerte länger als 1.5 s. In Zeile 3."


def test_message_survives_a_round_trip_through_json() -> None:
    stored = json.loads(json.dumps(MESSAGE.to_json("message")))
    assert stored["message"] == MESSAGE.text
    assert Message.from_json(stored, "message") == MESSAGE


def test_stored_text_without_a_code_is_shown_unchanged() -> None:
    assert Message.from_json({"text": "Old words."}) == verbatim_message("Old words.")
    assert translate_message(verbatim_message("50 % of 3"), TEMPLATES, german) == "50 % of 3"


@pytest.mark.parametrize("parameters", [{}, {"second": 1}, {"seconds": "%s", "more": 1}])
def test_mismatched_parameters_never_break_a_page(parameters: dict[str, int]) -> None:
    assert translate_message(Message("slow", "As it was.", parameters), TEMPLATES, german)


def test_each_code_has_one_template() -> None:
    with pytest.raises(ValueError, match="same code"):
        templates_by_code(SLOW, Template("slow", "Another."))


def test_lists_are_separated_as_in_the_readers_language() -> None:
    legal = Template("legal", "%(move)s is illegal. Legal: %(moves)s", lists=("moves",))
    message = legal(move="A, B", moves=("C", "D"))
    assert message.parameters == {"move": "A, B", "moves": "C, D"}
    nested = WHERE(sentence=Message.from_json(json.loads(json.dumps(message.to_json()))), line=3)
    shown = translate_message(nested, templates_by_code(WHERE, legal), str, separator="、")
    assert shown == "A, B is illegal. Legal: C、D It had reached line 3."
