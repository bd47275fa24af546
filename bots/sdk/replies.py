"""Successful protocol replies, as JSON without the closing brace, so that the nonce can be appended."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bots.sdk import answers

# Bound here, before any line of a bot runs.
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode

DONE = '{"t":"done"'
_ANSWER = '{"t":"answer","value":'


def open_reply(fields: dict[str, Any]) -> str:
    """Return a reply with these fields as JSON, without the closing brace."""
    return _encode(fields)[:-1]


def done_reply(code: str, **parameters: answers.Parameter) -> str:
    """Return the reply to a completed startup request; the message with this ``code`` appears in the check's report."""
    return open_reply({"t": "done", "code": code, "parameters": answers.truncate_parameters(parameters)})


def answer_reply(ask: Callable[[], Any]) -> str:
    """Return the reply with the result of ``ask``, which returns JSON values or raises ``answers.Unusable``."""
    try:
        return _ANSWER + answers.encode_answer(ask(), _encode)
    except answers.Unusable as unusable:
        parameters = answers.truncate_parameters(unusable.parameters)
        return open_reply({"t": "unusable", "code": unusable.code, "parameters": parameters})
