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


def opened(fields: dict[str, Any]) -> str:
    """Return a reply with these fields, still without the closing brace."""
    return _encode(fields)[:-1]


def done(code: str, **parameters: answers.Parameter) -> str:
    """Return the reply that a stage is done; the message with this ``code`` appears in the check's report."""
    return opened({"t": "done", "code": code, "parameters": answers.bounded(parameters)})


def answer(ask: Callable[[], Any]) -> str:
    """Return the reply with what ``ask`` answers; it returns JSON values or raises ``answers.Unusable``."""
    try:
        return _ANSWER + answers.encoded(ask(), _encode)
    except answers.Unusable as unusable:
        parameters = answers.bounded(unusable.parameters)
        return opened({"t": "unusable", "code": unusable.code, "parameters": parameters})
