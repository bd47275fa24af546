"""One line for each request that Django refuses as suspicious: what was wrong with it, and no traceback.

Such requests (a wrong Host header, too many form fields) come from scanners all day long, and the traceback is always
the same. What Django quotes from the request can be long, so the line is cut.
"""

from __future__ import annotations

import logging

MAX_CHARACTERS = 400


class OneLine(logging.Formatter):
    """Formats a record as its first line, at most ``MAX_CHARACTERS`` of its message, without traceback and stack."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage().partition("\n")[0]
        if len(message) > MAX_CHARACTERS:
            message = message[:MAX_CHARACTERS] + "…"
        fields = {"msg": message, "args": None, "exc_info": None, "exc_text": None, "stack_info": None}
        return super().format(logging.makeLogRecord({**record.__dict__, **fields}))
