"""Messages about bots, keyed by the codes that ``bots/reversi/sdk`` reports."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Template, gettext_noop, templates_by_code

BOT_MESSAGES: Final = templates_by_code(
    Template("bot.reversi.botzone", gettext_noop("The bot is a Botzone script.")),
    Template(
        "bot.reversi.botzone_simple",
        gettext_noop("The bot is a Botzone script that uses the simplified interaction protocol."),
    ),
    Template("bot.reversi.codingame", gettext_noop("The bot is a CodinGame script.")),
    Template("bot.reversi.othello_gui", gettext_noop("The bot is a script written for the Othello GUI.")),
    Template("bot.reversi.saiblo", gettext_noop("The bot is a Saiblo script.")),
    Template(
        "bot.reversi.set_up",
        gettext_noop(
            "A script that receives only moves cannot play a match from a custom position. Start from the standard "
            "position, or upload a module that defines get_move."
        ),
    ),
    Template(
        "bot.reversi.botzone.response",
        gettext_noop("its response is %(shown)s, not an object with x and y"),
    ),
    Template(
        "bot.reversi.botzone.numbers",
        gettext_noop("x and y must be whole numbers from 0 to 7, not %(shown)s"),
    ),
    Template(
        "bot.reversi.botzone.passed",
        gettext_noop("the script passed with -1, but it has legal moves: %(squares)s"),
        lists=("squares",),
    ),
    Template(
        "bot.reversi.botzone.outside",
        gettext_noop("x = %(x)s, y = %(y)s is off the board; both must be from 0 to 7"),
    ),
    Template(
        "bot.reversi.othello_gui.outside",
        gettext_noop("column %(column)s, row %(row)s is off the board; both must be from 0 to 7"),
    ),
    Template(
        "bot.reversi.function.no_pair",
        gettext_noop("reversi_ai returned %(value)s, not a pair (row, column)"),
    ),
    Template(
        "bot.reversi.function.outside",
        gettext_noop("reversi_ai returned %(value)s, which is off the board"),
    ),
)
