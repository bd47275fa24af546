"""Convert the result of ``get_move`` to plain JSON values.

Invariant: ``to_json_values`` returns None, a string, a finite number or a list of these, never a boolean. For
anything else, it raises ``Unusable``, and the referee rejects the answer as illegal. No value that a bot returns can
break the reply.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

_MAX_TEXT = 1_000
_MAX_PARAMETER = 900  # bytes; the protocol allows 1000 characters
_MAX_TEXTS = 5_000  # for all strings in a list together: a reply has at most 64 KiB
_MAX_ITEMS = 1024  # the protocol's limit: ``arena.core.referee.protocol.MAX_ANSWER_ITEMS``
_MAX_WHOLE = 2**53
_NATIVE = frozenset({float, int, str, list, tuple})  # the types that most bots return


Parameter = str | int | float


class Unusable(Exception):  # noqa: N818 - a rejected answer, not an error
    """Raised if the answer cannot be a move.

    The referee converts the code to a message for the bot's author, as it does for ``failures.BotDefect``.
    """

    def __init__(self, code: str, **parameters: Parameter) -> None:
        super().__init__(code)
        self.code, self.parameters = code, parameters


def truncate_parameters(parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """Truncate a message's parameters to the protocol's limits."""
    return {
        name: value
        if isinstance(value, int | float) and abs(value) < _MAX_WHOLE
        else sanitize_text(str(value), _MAX_PARAMETER)
        for name, value in parameters.items()
    }


def to_json_values(value: Any) -> Any:
    """Return the answer as JSON values; numpy scalars and arrays become numbers and lists."""
    value = _without_numpy(value)
    if isinstance(value, (list, tuple)):
        if len(value) > _MAX_ITEMS:
            raise Unusable("bot.answer.items", n=len(value))
        items = [_to_scalar(_without_numpy(item), value) for item in value]
        if len(items) > _MAX_TEXTS // _MAX_TEXT and sum(len(item) for item in items if type(item) is str) > _MAX_TEXTS:
            raise unusable_answer(value)
        return items
    return _to_scalar(value, value)


def encode_answer(value: Any, encode: Callable[[str], str]) -> str:
    """Return the result of ``to_json_values`` as JSON; ``encode`` encodes its strings.

    A number is encoded as its repr. The standard library would create an encoder for every list, which takes longer
    than the rest of the encoding.
    """
    if isinstance(value, list):
        return f"[{','.join([encode_answer(item, encode) for item in value])}]"
    if isinstance(value, str):
        return encode(value)
    return "null" if value is None else repr(value)


def _to_scalar(value: Any, whole: Any) -> Any:
    if type(value) is float and math.isfinite(value):  # the most common type first
        return value
    if value is None and whole is None:
        return None
    if isinstance(value, bool):
        raise unusable_answer(whole)
    if isinstance(value, str):
        text = str.__str__(value)
        if len(text) > _MAX_TEXT or "\0" in text or not _is_encodable(text):
            raise unusable_answer(whole)
        return text
    if isinstance(value, int):
        if not -_MAX_WHOLE <= value <= _MAX_WHOLE:
            raise unusable_answer(whole)
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise unusable_answer(whole)
        return float(value)
    raise unusable_answer(whole)


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _without_numpy(value: Any) -> Any:
    if type(value) in _NATIVE:
        return value
    if type(value).__module__.partition(".")[0] == "numpy" and hasattr(value, "tolist"):
        if getattr(value, "size", 1) > _MAX_ITEMS:
            raise Unusable("bot.answer.array", n=int(value.size))
        return value.tolist()
    return value


def unusable_answer(value: Any) -> Unusable:
    """Return the error for an answer that is invalid in every game; a failing ``__repr__`` is the bot's fault."""
    try:
        shown = repr(value)
    except Exception as error:  # noqa: BLE001 - the bot's own __repr__ may raise anything
        shown = f"<repr failed: {type(error).__name__}>"
    return Unusable("bot.answer.value", value=sanitize_text(shown, 200), type=sanitize_text(type(value).__name__, 60))


def sanitize_text(text: str, max_bytes: int) -> str:
    """Replace control characters, and limit the text to this many bytes of UTF-8.

    If the text is longer, its middle is removed.
    """
    text = "".join(char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}" for char in text)
    data = text.encode("utf-8", "replace")
    if len(data) <= max_bytes:
        return data.decode("utf-8")
    mark = " […] "
    room = max(0, max_bytes - len(mark.encode()))
    head, tail = data[: room // 3], data[len(data) - (room - room // 3) :]
    return head.decode("utf-8", "ignore") + mark + tail.decode("utf-8", "ignore")
