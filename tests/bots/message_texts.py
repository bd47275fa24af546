"""The English messages for the codes that the harness reports."""

from __future__ import annotations

from arena.core.messages import Message
from arena.core.referee.bot_messages import bot_messages
from arena.games.registry import GAMES
from bots.sdk.answers import Unusable, truncate_parameters
from bots.sdk.failures import BotDefect

TEMPLATES = {code: template for game in GAMES.values() for code, template in bot_messages(game).items()}


def codes(message: Message) -> str:
    """Return the codes of a message and of the messages nested in it."""
    inner = [codes(value) for value in message.parameters.values() if isinstance(value, Message)]
    return " ".join([message.code, *inner])


def english_text(found: Unusable | BotDefect) -> str:
    return TEMPLATES[found.code](**truncate_parameters(found.parameters)).text
