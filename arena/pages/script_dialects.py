"""What the guide says of scripts that were written for other sites; a test holds it against ``bots.sdk.scripts``."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.submissions.starters import script_example


@dataclass(frozen=True, slots=True)
class ScriptDialect:
    """A line of the table of dialects; ``name`` is what ``# arena: NAME`` says, ``runs`` how often it is started."""

    name: str
    site: str | Promise
    game: str
    reads: str | Promise
    prints: str | Promise
    runs: str | Promise


_EACH_ROUND = _("for every round")
_EACH_TURN = _("for every turn, or once")
_ONCE = _("once")

SCRIPT_DIALECTS = (
    ScriptDialect(
        "golden-lines",
        _("The golden point's own course"),
        "golden_point",
        _(
            "T and S, then T lines of S numbers, all separated by tabs: the golden number of a round, then everybody's "
            "numbers, 0 for who was silent"
        ),
        _("two numbers with a tab between"),
        _EACH_ROUND,
    ),
    ScriptDialect(
        "botzone",
        "Botzone",
        "reversi",
        _(
            'one line {"requests": […], "responses": […]}, each move {"x": row, "y": column} from 0; x is -1 for a '
            "pass, and in black's first request"
        ),
        '{"response": {"x": …, "y": …}}',
        _EACH_TURN,
    ),
    ScriptDialect(
        "botzone-simple",
        _("Botzone, simple interaction"),
        "reversi",
        _("the number of turns, then requests and responses in turn, x y in a line"),
        "x y",
        _EACH_TURN,
    ),
    ScriptDialect(
        "codingame",
        "CodinGame",
        "reversi",
        _(
            "its id (0 is black) and 8; in each turn 8 rows of . 0 1, how many moves are legal, and these from a1 to "
            "h8, row by row"
        ),
        _("d3, or d3 MSG text"),
        _ONCE,
    ),
    ScriptDialect(
        "othello-gui",
        _("The Othello GUI of several universities"),
        "reversi",
        _("its colour (1 is black, 2 white); in each turn SCORE black white, and rows of 0, 1 and 2"),
        _("first its name, then in each turn column and row from 0"),
        _ONCE,
    ),
    ScriptDialect(
        "reversi-ai",
        "Saiblo",
        "reversi",
        _("nothing; a function reversi_ai(player, board, allow): 0 is black, 64 numbers (2 is empty), 64 booleans"),
        _("nothing; it returns (row, column) or a number from 0 to 63"),
        _("once, as a module"),
    ),
    ScriptDialect(
        "saiblo",
        "Saiblo",
        "reversi",
        _("# player board # as above, without blanks; where a player may move on a board, whenever it asks like this"),
        _("row and column as two digits, behind their length in four bytes"),
        _ONCE,
    ),
)


def script_examples() -> dict[str, str]:
    """The source of the examples that the guide shows, by their names."""
    games = {"golden_lines": "golden_point", "codingame": "reversi", "botzone": "reversi"}
    return {name: script_example(game, name) for name, game in games.items()}
