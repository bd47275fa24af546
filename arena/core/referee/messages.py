"""Messages about a bot from the referee and the check, keyed by code; pages translate them, terminals show English.

A parameter can itself be a message: a harness report, or the reason why the rules reject an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena.core.messages import Message, Template, gettext_noop, templates_by_code, verbatim_message

COMPILES: Final = Template("check.compiles", gettext_noop("main.py compiles."))
IMPORTS: Final = Template("check.imports", gettext_noop("main.py imports without errors."))
HAS_PLAYER: Final = Template("check.player", gettext_noop("Player class or function found."))
PLAYED: Final = Template("check.played", gettext_noop("The bot completed a match of %(n)s turns."))
SLOW_THINKER: Final = Template(
    "check.slow_thinker",
    gettext_noop("The bot is slow, so the check ended early, after %(n)s turns. It found no faults."),
)
SLOW_THINKER_ONE: Final = Template(
    "check.slow_thinker.one",
    gettext_noop("The bot is slow, so the check ended early, after 1 turn. It found no faults."),
)
FIRST_MOVE: Final = Template("check.first_move", gettext_noop("The bot made its first move."))
FIRST_MOVE_SLOW: Final = Template(
    "check.first_move.slow", gettext_noop("The bot's first move is taking longer than %(seconds)s s.")
)
FIRST_MOVE_LIMIT: Final = Template(
    "check.first_move.limit",
    gettext_noop(
        "A move can take up to %(seconds)s s, as in a tournament. If the bot is stuck in a loop, upload a "
        "corrected version."
    ),
)

NOT_INSTALLED: Final = Template(
    "start.not_installed",
    gettext_noop(
        "%(module)s is neither installed in the arena nor included in the bot's files. Add it to the files, or remove "
        "the import."
    ),
)
NOT_INSTALLED_LIBRARIES: Final = Template(
    "start.not_installed.libraries",
    gettext_noop(
        "%(module)s is neither installed in the arena nor included in the bot's files. Add it to the "
        "files, or use only the standard library and %(libraries)s."
    ),
    lists=("libraries",),
)
WHILE_COMPILING: Final = Template("start.compiling", gettext_noop("While compiling main.py: %(sentence)s"))
WHILE_IMPORTING: Final = Template("start.importing", gettext_noop("While importing main.py: %(sentence)s"))
WHILE_CONSTRUCTING: Final = Template(
    "start.constructing", gettext_noop("While creating the player object: %(sentence)s")
)
SLOW_COMPILING: Final = Template(
    "timeout.compiling",
    gettext_noop(
        "Startup took longer than %(seconds)s s; the bot was still compiling main.py. Move large tables from main.py "
        "to data files."
    ),
)
SLOW_IMPORTING: Final = Template(
    "timeout.importing",
    gettext_noop(
        "Startup took longer than %(seconds)s s; the bot was still importing main.py. Do less work at import."
    ),
)
SLOW_CONSTRUCTING: Final = Template(
    "timeout.constructing",
    gettext_noop(
        "Startup took longer than %(seconds)s s; the bot was still creating the player object. Do less work in the "
        "constructor."
    ),
)
SLOW_ANSWER: Final = Template(
    "timeout.answer",
    gettext_noop(
        "The bot took longer than %(seconds)s s for one move. Compute less for each move, or stop searching before the "
        "limit."
    ),
)
AT_LINE: Final = Template("at_line", gettext_noop("%(sentence)s The bot had reached line %(line)s of %(file)s."))
GUARD: Final = Template(
    "guard",
    gettext_noop('%(sentence)s If this line plays a match, remove it or put it under if __name__ == "__main__".'),
)

EXITED: Final = Template(
    "end.exited",
    gettext_noop("The bot exited with code %(code)s. Remove the code that ends its process, such as os._exit()."),
)
CRASHED: Final = Template(
    "end.crashed",
    gettext_noop(
        "The bot's process crashed with %(signal)s. Check for very deep recursion and for calls to native code."
    ),
)
CRASHED_ON_WINDOWS: Final = Template(
    "end.crashed.windows",
    gettext_noop(
        "The bot's process crashed with Windows exit status %(status)s. Check for very deep recursion and for calls to "
        "native code."
    ),
)
NOT_RUNNING: Final = Template("end.not_running", gettext_noop("The bot's process is not running."))
CPU_TIME: Final = Template(
    "end.cpu_time",
    gettext_noop("The bot used all the CPU time allowed for one process. Compute less for each move."),
)
FILE_FULL: Final = Template(
    "end.file_full", gettext_noop("The bot exceeded the file size limit of %(n)s MiB. Write less data to each file.")
)
FOREIGN_CALL: Final = Template(
    "end.foreign_call",
    gettext_noop(
        "The bot made a system call for a different CPU architecture. Use only code built for the arena's architecture."
    ),
)
LEFT_BEFORE: Final = Template(
    "end.before", gettext_noop("The bot had already been removed from the match when another worker took over.")
)
RESIGNED: Final = Template("end.resigned", gettext_noop("The player resigned."))
MEMORY: Final = Template(
    "end.memory",
    gettext_noop("The bot exceeded its memory limit of %(n)s MiB. Load less data, or free what you no longer need."),
)

CHANNEL_CLOSED: Final = Template(
    "channel.closed",
    gettext_noop(
        "The bot closed the referee's channel or stopped reading from it. Close only files that the bot has opened."
    ),
)
UNASKED: Final = Template(
    "channel.unasked",
    gettext_noop("The bot wrote to the referee's channel without being asked. Leave this channel to the arena's code."),
)
WRONG_NONCE: Final = Template(
    "channel.wrong_nonce",
    gettext_noop(
        "The bot answered a request that it had not received. Leave the referee's channel to the arena's code."
    ),
)
WRONG_KIND: Final = Template(
    "channel.wrong_kind",
    gettext_noop("The bot sent the wrong type of reply to a request. Leave the referee's channel to the arena's code."),
)
TOO_LONG: Final = Template("channel.too_long", gettext_noop("A message is longer than %(n)s bytes."))
HAS_NUL: Final = Template("channel.nul", gettext_noop("A message contains a NUL character."))
MALFORMED: Final = Template("channel.malformed", gettext_noop("A message does not follow the protocol: %(error)s"))

NO_ANSWER: Final = Template("illegal.no_answer", gettext_noop("it gave no answer"))
UNREADABLE: Final = Template("illegal.unreadable", gettext_noop("it cannot be parsed as a move"))
REJECTED: Final = Template("illegal.refused", gettext_noop("%(answer)s: %(reason)s"))
ILLEGAL: Final = Template("illegal", gettext_noop("The bot gave an illegal answer: %(sentence)s"))
ILLEGAL_IN_A_ROW: Final = Template(
    "illegal.in_a_row", gettext_noop("The bot gave %(n)s illegal answers in a row. The last one: %(sentence)s")
)

TEMPLATES: Final = templates_by_code(*(value for value in list(vars().values()) if isinstance(value, Template)))


def map_texts(message: Message, change: Callable[[str], str]) -> Message:
    """Apply ``change`` to the text and the string parameters of the message and of nested messages."""
    parameters = {
        name: map_texts(value, change)
        if isinstance(value, Message)
        else change(value)
        if isinstance(value, str)
        else value
        for name, value in message.parameters.items()
    }
    return Message(message.code, change(message.text), parameters)


def harness_message(code: str, text: str, parameters: dict[str, int | float | str]) -> Message:
    """Create the message for a harness report; a report without a code contains the bot's own text."""
    return Message(code, text, parameters) if code else verbatim_message(text)
