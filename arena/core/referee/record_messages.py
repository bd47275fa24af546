"""Messages about invalid records, keyed by code; only in English, because only terminals and logs show them."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Message, Template

DOWNLOAD_AGAIN: Final = "Download the file again from the match page."

NOT_A_RECORD: Final = Template(
    "record.not_a_record", "This is not a match record: %(error)s. Download it again from the match page."
)
UNKNOWN_VERSION: Final = Template(
    "record.unknown_version",
    "This record is version %(version)s; this program reads versions 1 to %(newest)s. Update your copy of the arena.",
)
DAMAGED: Final = Template(
    "record.damaged", "This is not a match record, or it is damaged. Download it again from the match page."
)
TRUNCATED: Final = Template(
    "record.truncated", "The match record is truncated or too long. Download it again from the match page."
)
NO_SECRET: Final = Template(
    "record.no_secret",
    "The record contains no random seeds for its bots: it was written before version 3 or without a "
    "secret. Choose another match.",
)

UNKNOWN_GAME: Final = Template("record.unknown_game", "The arena has no game %(game)s. Update your copy of the arena.")
INVALID_SETTINGS: Final = Template("record.invalid_settings", "The settings are invalid: %(error)s")
WRONG_NUMBER: Final = Template("record.wrong_number", "Expected turn %(turn)s, but the record has turn %(number)s.")
AFTER_END: Final = Template("record.after_end", "Turn %(turn)s comes after the end of the match.")
INVALID_SEATS: Final = Template(
    "record.invalid_seats",
    "On turn %(turn)s, a seat moves twice, moves after its removal from the match, or does not exist.",
)
WRONG_SEATS: Final = Template(
    "record.wrong_seats", "On turn %(turn)s, the seats %(expected)s were to move, not %(recorded)s."
)
ILLEGAL_MOVE: Final = Template("record.illegal_move", "On turn %(turn)s, seat %(seat)s cannot play %(move)s: %(error)s")
UNFINISHED: Final = Template(
    "record.unfinished", "The record ends before the match does. Download it again when the match has ended."
)
WRONG_OUTCOME: Final = Template(
    "record.wrong_outcome", "%(figure)s: %(recorded)s in the record, but %(computed)s according to the rules."
)

# Contradictions between a record and the rules: `manage.py verify` and `bots replay` suggest different next steps.
_CONTRADICTIONS: Final = frozenset(
    template.code
    for template in (
        INVALID_SETTINGS,
        WRONG_NUMBER,
        AFTER_END,
        INVALID_SEATS,
        WRONG_SEATS,
        ILLEGAL_MOVE,
        WRONG_OUTCOME,
    )
)


def with_next_step(message: Message) -> str:
    """Return the text of a message about a downloaded file, with what to do next."""
    if message.code in _CONTRADICTIONS:
        return f"{message.text.rstrip('.')}. {DOWNLOAD_AGAIN}"
    return message.text
