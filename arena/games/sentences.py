"""What the referee and the check tell a bot's author, in the reader's language.

The pure packages write English sentences, and records and reports keep them as they are. A page recognizes them by
their wording: each template below is one sentence, its ``%(name)s`` stand for what varies, and those of ``NESTED``
are sentences again. Templates are tried in their order.

Invariant: what is not recognized, such as the text of an exception, is shown as it was written.
"""

from __future__ import annotations

import re
from functools import cache

from django.utils.translation import gettext, gettext_noop

from arena.core.referee.bot_messages import bot_messages
from arena.games.registry import GAMES

NESTED = ("sentence", "reason", "kind")
# A colon alone does not make an illegal answer: what follows has to be one of the reasons.
MUST_BE_KNOWN = ("reason",)

CHECK = (
    gettext_noop("main.py compiles."),
    gettext_noop("main.py can be imported."),
    gettext_noop("A player was found."),
    gettext_noop("The player is the class %(name)s."),
    gettext_noop("The player is the function get_move."),
    gettext_noop("The player is the function %(name)s."),
    gettext_noop("It is a script, started anew for every turn."),
    gettext_noop("It is a script, it has begun and waits for its first turn."),
    gettext_noop("It plays as a script for %(kind)s."),
    gettext_noop("the golden point's own course"),
    gettext_noop("Botzone's simple interaction"),
    gettext_noop("the Othello GUI"),
    gettext_noop("It played a match of %(n)s turns to its end."),
    gettext_noop("It is a slow thinker: %(n)s turns were played without a fault, that is enough."),
    gettext_noop("It is a slow thinker: 1 turn was played without a fault, that is enough."),
    gettext_noop("It answered its first move."),
    gettext_noop("Its first move takes longer than %(seconds)s s."),
    gettext_noop("It may think for %(seconds)s s, as in a tournament. If it loops, upload a corrected version."),
)
START = (
    gettext_noop('%(sentence)s A player is in %(file)s: add the line "%(line)s" to main.py.'),
    gettext_noop(
        "The arena calls %(call)s, but %(name)s takes %(arguments)s. Give every further argument a default value."
    ),
    gettext_noop("%(module)s is not installed in the arena and not among the bot's files."),
    gettext_noop(
        "%(module)s is not installed in the arena and not among the bot's files. "
        "A bot can import the standard library and %(libraries)s."
    ),
    gettext_noop(  # in older reports
        "%(module)s is not installed in the arena and not among the bot's files. "
        "Permitted are the standard library and %(libraries)s."
    ),
    gettext_noop("The class AIPlayer has no method get_move."),
    gettext_noop(
        "Several classes could be the player: %(classes)s. "
        "Add a line that names the one that plays, such as AIPlayer = %(name)s."
    ),
    gettext_noop("main.py has neither a class AIPlayer nor a function get_move. It defines no class and no function."),
    gettext_noop(
        "main.py has neither a class AIPlayer nor a function get_move. "
        "It has the classes %(classes)s and the functions %(functions)s."
    ),
    gettext_noop("main.py has neither a class AIPlayer nor a function get_move. It has the classes %(classes)s."),
    gettext_noop("main.py has neither a class AIPlayer nor a function get_move. It has the functions %(functions)s."),
    gettext_noop("main.py has no function %(name)s."),
    gettext_noop(
        "main.py reads its standard input, but not in a way that tells for which site it was written. "
        "Write one of these names into its first line, as # arena: NAME: %(names)s."
    ),
    gettext_noop("main.py says # arena: %(name)s, which is unknown in this game. Known are: %(names)s."),
    gettext_noop("While compiling main.py: %(sentence)s"),
    gettext_noop("While importing main.py: %(sentence)s"),
    gettext_noop("While constructing the player: %(sentence)s"),
)
TIME = (
    gettext_noop('%(sentence)s If it plays a game, remove this line or put it under if __name__ == "__main__".'),
    gettext_noop("%(sentence)s It was at line %(line)s of %(file)s."),
    gettext_noop("Starting took longer than %(seconds)s s; it was still compiling main.py."),
    gettext_noop("Starting took longer than %(seconds)s s; it was still importing main.py."),
    gettext_noop("Starting took longer than %(seconds)s s; it was still constructing the player."),
    gettext_noop("Its answer took longer than %(seconds)s s in one turn."),
    gettext_noop("get_move took longer than %(seconds)s s in one turn."),  # in older reports
    gettext_noop("It used up all the CPU time that one process may have."),
)
END = (
    gettext_noop("It ended its own process with exit code %(code)s."),
    gettext_noop("It ended its own process with sys.exit() or exit()."),
    gettext_noop("It asked for more input than there is; nobody types here."),
    gettext_noop("The script ended before it had read anything: is what plays called at its end?"),
    gettext_noop("The script ended instead of waiting for its next turn: it has to read and answer in a loop."),
    gettext_noop("A script that is told the moves cannot play a match that began from a set up position."),
    gettext_noop("Its process crashed with %(signal)s."),
    gettext_noop("It made a system call of a foreign architecture."),
    gettext_noop("It asked for more memory than it may have."),
    gettext_noop("It printed more than its log may hold."),
    gettext_noop("It wrote more than a file of it may hold."),
    gettext_noop("It wrote more than its folder can hold."),
)
CHANNEL = (
    gettext_noop("It closed or stopped reading the referee's channel."),
    gettext_noop("It wrote to the referee's channel without being asked."),
    gettext_noop("It answered something that it was not asked."),
    gettext_noop("It gave the answer to another kind of request."),
    gettext_noop("a message may hold %(n)s bytes"),  # in older reports, as the next
    gettext_noop("A message of %(n)s bytes is too long."),
    gettext_noop("A message is longer than %(n)s bytes."),
    gettext_noop("A message holds the character NUL."),
    gettext_noop("A message that is not the protocol's: %(error)s"),
)
ANSWER = (
    gettext_noop("It gave an illegal answer %(n)s times in a row, at last: %(sentence)s"),
    gettext_noop("It gave an illegal answer: %(sentence)s"),
    gettext_noop("%(answer)s: %(reason)s"),
    gettext_noop("it gave no answer"),
    gettext_noop("it cannot be read as a move"),
    gettext_noop("get_move returned a numpy array of %(n)s items"),
    gettext_noop("get_move returned %(n)s items"),
    gettext_noop("get_move returned %(value)s (%(type)s)"),
    gettext_noop("the script printed nothing; in every turn it has to print one line such as %(example)s"),
    gettext_noop("the script printed %(shown)s; in every turn it has to print one line such as %(example)s"),
    gettext_noop("its response is %(shown)s, not an object with x and y"),
    gettext_noop("x and y must be whole numbers from 0 to 7, not %(shown)s"),
    gettext_noop("the script passed with -1, but it can move: legal are %(squares)s"),
    gettext_noop("x = %(x)s, y = %(y)s is outside of the board: both go from 0 to 7"),
    gettext_noop("column %(column)s, row %(row)s is outside of the board: both go from 0 to 7"),
    gettext_noop("reversi_ai returned %(value)s, not a pair (row, column)"),
    gettext_noop("reversi_ai returned %(value)s, which is outside of the board"),
    gettext_noop('there is no move in it; a move is a text such as "D3"'),
    gettext_noop('a move is a text such as "D3"'),
    gettext_noop('a move is a column from A to H and a row from 1 to 8, such as "D3"'),
    gettext_noop("%(move)s is not legal here; legal are %(squares)s"),
    gettext_noop("this match asks for one number"),
    gettext_noop("this match asks for a pair of numbers"),
    gettext_noop("a number must be greater than 0 and less than 100"),
    gettext_noop("a number is expected, not %(kind)s"),
    gettext_noop("a text"),
    gettext_noop("True or False"),
    gettext_noop("a list"),
    gettext_noop("a dictionary"),
)


def translated(sentence: str) -> str:
    """The sentence in the reader's language; itself where no template fits."""
    found = recognized(sentence)
    if found is None:
        return sentence
    template, values = found
    return gettext(template) % {name: translated(text) if name in NESTED else text for name, text in values.items()}


def recognized(sentence: str) -> tuple[str, dict[str, str]] | None:
    """The template of a sentence and what stands for its placeholders; None where none fits."""
    for template, pattern in _patterns():
        match = pattern.fullmatch(sentence)
        if match and all(recognized(match[name]) for name in MUST_BE_KNOWN if name in pattern.groupindex):
            return template, match.groupdict()
    return None


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    bots = [template.english for game in GAMES.values() for template in bot_messages(game).values()]
    return tuple((template, _pattern(template)) for template in (*bots, *CHECK, *START, *TIME, *END, *CHANNEL, *ANSWER))


def _pattern(template: str) -> re.Pattern[str]:
    """What the template matches: any text for each of its placeholders."""
    parts = re.split(r"%\((\w+)\)s", template)  # text, name, text, name, ..., text
    pattern = "".join(f"(?P<{part}>.+)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
    return re.compile(pattern, re.DOTALL)
