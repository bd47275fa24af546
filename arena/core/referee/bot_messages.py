"""The wording of messages that the harness in a bot's process sends as codes and parameters.

A game adds the templates of its own adapters and dialects (``Game.bot_messages``). Every code begins with "bot.", so no
bot can impersonate the referee.
"""

from __future__ import annotations

from typing import Final

from arena.core.messages import Template, Templates, gettext_noop, templates_by_code
from arena.games.base import AnyGame

HARNESS: Final = templates_by_code(
    # After a bot has started.
    Template("bot.player.class", gettext_noop("Your bot's player class is %(name)s.")),
    Template("bot.player.function", gettext_noop("Your bot's player function is %(name)s.")),
    Template("bot.script.anew", gettext_noop("The bot is a script that is restarted for every move.")),
    Template(
        "bot.script.begun", gettext_noop("The bot is a script. It has started and is waiting for its first request.")
    ),
    # Why the module has no usable player.
    Template("bot.no_get_move", gettext_noop("The class AIPlayer has no method get_move. Add one.")),
    Template(
        "bot.many_players",
        gettext_noop(
            "Several classes could be the player class: %(classes)s. Add a line that selects one, such as "
            "AIPlayer = %(name)s."
        ),
        lists=("classes",),
    ),
    Template(
        "bot.no_player",
        gettext_noop(
            "The bot's main file has no classes or functions. Define a class AIPlayer or a function get_move."
        ),
    ),
    Template(
        "bot.no_player.classes",
        gettext_noop(
            "The bot's main file has only the classes %(classes)s. Define a class AIPlayer or a function get_move."
        ),
        lists=("classes",),
    ),
    Template(
        "bot.no_player.functions",
        gettext_noop(
            "The bot's main file has only the functions %(functions)s. Define a class AIPlayer or a function get_move."
        ),
        lists=("functions",),
    ),
    Template(
        "bot.no_player.both",
        gettext_noop(
            "The bot's main file has only the classes %(classes)s and the functions %(functions)s. "
            "Define a class AIPlayer or a function get_move."
        ),
        lists=("classes", "functions"),
    ),
    Template(
        "bot.no_player.beside",
        gettext_noop(
            "main.py has neither a class AIPlayer nor a function get_move, but %(file)s does. "
            'Add the line "%(line)s" to main.py.'
        ),
    ),
    Template(
        "bot.constructor",
        gettext_noop(
            "The arena calls %(call)s, but %(name)s takes %(arguments)s. Give every additional "
            "parameter a default value."
        ),
    ),
    Template("bot.no_function", gettext_noop("main.py has no function %(name)s. Add one.")),
    Template(
        "bot.unclear_dialect",
        gettext_noop(
            "main.py reads standard input, but the arena cannot tell which site's protocol it uses. "
            "Add the comment # arena: NAME as its first line, where NAME is one of: %(names)s."
        ),
        lists=("names",),
    ),
    Template(
        "bot.unknown_dialect",
        gettext_noop("main.py contains # arena: %(name)s, which this game does not support. Choose one of: %(names)s."),
        lists=("names",),
    ),
    # Why the bot exited.
    Template(
        "bot.memory",
        gettext_noop("The machine has no more memory for the bot. Load less data, or free what you no longer need."),
    ),
    Template(
        "bot.memory.limit",
        gettext_noop(
            "The bot exceeded its memory limit of %(n)s MiB. Load less data, or free what you no longer need."
        ),
    ),
    Template("bot.exit", gettext_noop("The bot exited by calling sys.exit() or exit(). Remove the call.")),
    Template(
        "bot.input_ended",
        gettext_noop(
            "The bot tried to read more input than was available; there is no keyboard in the arena. Read each request "
            "only once."
        ),
    ),
    Template("bot.file_full", gettext_noop("The bot exceeded the file size limit. Write less data to each file.")),
    Template(
        "bot.file_full.limit",
        gettext_noop("The bot exceeded the file size limit of %(n)s MiB. Write less data to each file."),
    ),
    Template(
        "bot.folder_full", gettext_noop("The bot exceeded its folder size limit. Write less data or fewer files.")
    ),
    Template(
        "bot.script.ended",
        gettext_noop("The script ended instead of waiting for its next request. It must read and answer in a loop."),
    ),
    Template(
        "bot.script.read_nothing",
        gettext_noop("The script ended before it read anything. Does it call its main function?"),
    ),
    # Why an answer is not a move.
    Template("bot.answer.array", gettext_noop("get_move returned a NumPy array of %(n)s items")),
    Template("bot.answer.items", gettext_noop("get_move returned %(n)s items")),
    Template("bot.answer.value", gettext_noop("get_move returned %(value)s (%(type)s)")),
    Template(
        "bot.script.nothing_printed",
        gettext_noop("the script printed nothing; for every move it must print one line, such as %(example)s"),
    ),
    Template(
        "bot.script.no_answer",
        gettext_noop("the script printed %(shown)s; for every move it must print one line, such as %(example)s"),
    ),
)


def bot_messages(game: AnyGame) -> Templates:
    """Return the templates of all messages that the bot harness may report in this game, keyed by code."""
    return {**HARNESS, **game.bot_messages}
