"""The English of what the harness reports by a code."""

from __future__ import annotations

from arena.core.messages import Message
from arena.core.referee.bot_messages import bot_messages
from arena.games.registry import GAMES
from bots.sdk.answers import Unusable, bounded
from bots.sdk.failures import Finding

TEMPLATES = {code: template for game in GAMES.values() for code, template in bot_messages(game).items()}


def codes(message: Message) -> str:
    """Return the codes of a message and of those within it."""
    inner = [codes(value) for value in message.parameters.values() if isinstance(value, Message)]
    return " ".join([message.code, *inner])


def said(found: Unusable | Finding) -> str:
    return TEMPLATES[found.code](**bounded(found.parameters)).text
