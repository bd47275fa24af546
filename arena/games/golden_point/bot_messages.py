"""Messages about bots by the codes that ``bots/golden_point/sdk`` reports."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Template, gettext_noop, table

BOT_MESSAGES: Final = table(
    Template("bot.golden_point.golden_lines", gettext_noop("It plays as a script for the golden point's own course.")),
)
