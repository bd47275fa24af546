"""Display strings: openings, moves, and problems with a position.

The rules are pure and produce English; their strings are repeated here for translation.
"""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from arena.games.reversi.lines import LineError, LineProblem
from arena.games.reversi.move_grades import Grade
from arena.games.reversi.rules import COLORS

EMPTY_SQUARES_COUNT: Final = _("Empty squares count for the winner.")
WON_WITH_EMPTY_SQUARES: Final = _("%(side)s has won by %(n)s. Empty squares count for the winner.")
SIDES: Mapping[str, Promise] = {COLORS[0]: _("Black"), COLORS[1]: _("White")}

GRADES: Mapping[Grade, Promise | str] = {
    Grade.BEST: "",
    Grade.GOOD: "",
    Grade.DOUBTFUL: _("inaccuracy"),
    Grade.MISTAKE: _("mistake"),
    Grade.BLUNDER: _("blunder"),
}

PROBLEMS: Mapping[LineProblem, Promise] = {
    LineProblem.NOTHING: _("Nothing to analyse. Enter moves such as F5D6C3, a board of 64 squares, or GGF."),
    LineProblem.TOO_LONG: _("The text is too long for one match. Paste a single match."),
    LineProblem.UNREADABLE: _(
        "“%(found)s” is neither a move (like F5) nor any other part of a match record. Remove it."
    ),
    LineProblem.NOT_A_BOARD: _(
        "A board has 64 squares, not %(squares)s. Write X for black, O for white and - for empty."
    ),
    LineProblem.STRANGE_CELL: _(
        "“%(found)s” cannot appear on a board. Write X for black, O for white and - for empty."
    ),
    LineProblem.NO_SIDE: _("Choose below whose move it is, or add X or O after the board."),
    LineProblem.NOBODY_MOVES: _(
        "Neither side has a legal move in this position, so there is nothing to analyse. Enter another position."
    ),
    LineProblem.ILLEGAL: _("Move %(number)s, %(move)s, is not legal. Choose a legal move for %(side)s: %(legal)s."),
    LineProblem.MATCH_IS_OVER: _("Move %(number)s, %(move)s, comes after the end of the match. Remove it."),
    LineProblem.WRONG_SIDE: _(
        "Move %(number)s, %(move)s, is attributed to %(stated)s, but %(side)s is to move. Correct it."
    ),
    LineProblem.NO_PASS: _("There is a pass before move %(number)s, but %(side)s has a move. Remove the pass."),
    LineProblem.NO_GGF: _("The GGF text contains no position: BO[8 …] is missing. Paste the whole text."),
    LineProblem.OTHER_BOARD: _(
        "Only matches on 8 × 8 boards can be read, but this board's size is %(size)s. Paste another match."
    ),
    LineProblem.OTHER_GAME: _("This GGF text is a record of %(game)s, not Othello. Paste an Othello match."),
    LineProblem.SEVERAL: _("The text contains several matches. Keep only one of them."),
}

OPENINGS: Mapping[str, Promise] = {
    "Diagonal": pgettext_lazy("opening", "Diagonal"),
    "X-square": pgettext_lazy("opening", "X-square"),
    "Snake": pgettext_lazy("opening", "Snake"),
    "Pyramid": pgettext_lazy("opening", "Pyramid"),
    "Heath": pgettext_lazy("opening", "Heath"),
    "Heath-Bat": pgettext_lazy("opening", "Heath-Bat"),
    "Iwasaki": pgettext_lazy("opening", "Iwasaki"),
    "Heath-Chimney": pgettext_lazy("opening", "Heath-Chimney"),
    "Raccoon Dog": pgettext_lazy("opening", "Raccoon Dog"),
    "Rocket": pgettext_lazy("opening", "Rocket"),
    "Hamilton": pgettext_lazy("opening", "Hamilton"),
    "Lollipop": pgettext_lazy("opening", "Lollipop"),
    "Cow": pgettext_lazy("opening", "Cow"),
    "Chimney": pgettext_lazy("opening", "Chimney"),
    "Bat": pgettext_lazy("opening", "Bat"),
    "Rose versus Toth": pgettext_lazy("opening", "Rose versus Toth"),
    "Tanida": pgettext_lazy("opening", "Tanida"),
    "Aircraft": pgettext_lazy("opening", "Aircraft"),
    "Sailboat": pgettext_lazy("opening", "Sailboat"),
    "Maruoka": pgettext_lazy("opening", "Maruoka"),
    "Landau": pgettext_lazy("opening", "Landau"),
    "Buffalo": pgettext_lazy("opening", "Buffalo"),
    "Maruoka Buffalo": pgettext_lazy("opening", "Maruoka Buffalo"),
    "Tanida Buffalo": pgettext_lazy("opening", "Tanida Buffalo"),
    "Hokuriku Buffalo": pgettext_lazy("opening", "Hokuriku Buffalo"),
    "Wing": pgettext_lazy("opening", "Wing"),
    "Semi-Wing": pgettext_lazy("opening", "Semi-Wing"),
    "Parallel": pgettext_lazy("opening", "Parallel"),
    "Perpendicular": pgettext_lazy("opening", "Perpendicular"),
    "Mimura": pgettext_lazy("opening", "Mimura"),
    "Shaman": pgettext_lazy("opening", "Shaman"),
    "Inoue": pgettext_lazy("opening", "Inoue"),
    "Iago": pgettext_lazy("opening", "Iago"),
    "Bhagat": pgettext_lazy("opening", "Bhagat"),
    "Rose": pgettext_lazy("opening", "Rose"),
    "Flat": pgettext_lazy("opening", "Flat"),
    "Rotating Flat": pgettext_lazy("opening", "Rotating Flat"),
    "Rose-Birth": pgettext_lazy("opening", "Rose-Birth"),
    "Rose-Birdie": pgettext_lazy("opening", "Rose-Birdie"),
    "Greenberg": pgettext_lazy("opening", "Greenberg"),
    "Ralle": pgettext_lazy("opening", "Ralle"),
    "Horse": pgettext_lazy("opening", "Horse"),
    "Ganglion": pgettext_lazy("opening", "Ganglion"),
    "Swallow": pgettext_lazy("opening", "Swallow"),
    "Italian": pgettext_lazy("opening", "Italian"),
    "Cat": pgettext_lazy("opening", "Cat"),
    "Sakaguchi": pgettext_lazy("opening", "Sakaguchi"),
    "Bent Ganglion": pgettext_lazy("opening", "Bent Ganglion"),
    "Tiger": pgettext_lazy("opening", "Tiger"),
    "Stephenson": pgettext_lazy("opening", "Stephenson"),
    "No-Kung": pgettext_lazy("opening", "No-Kung"),
    "Comp'Oth": pgettext_lazy("opening", "Comp'Oth"),
    "Kung": pgettext_lazy("opening", "Kung"),
    "Leader's Tiger": pgettext_lazy("opening", "Leader's Tiger"),
    "Brightwell": pgettext_lazy("opening", "Brightwell"),
    "Ishii": pgettext_lazy("opening", "Ishii"),
    "Main Line Tiger": pgettext_lazy("opening", "Main Line Tiger"),
    "Rose-Bill": pgettext_lazy("opening", "Rose-Bill"),
    "Tamenori": pgettext_lazy("opening", "Tamenori"),
    "Central Rose-Bill": pgettext_lazy("opening", "Central Rose-Bill"),
    "Aubrey": pgettext_lazy("opening", "Aubrey"),
}


def problem_text(error: LineError) -> str:
    """Return why a line is invalid, in the reader's language."""
    sides = {
        name: str(SIDES.get(str(value), value)) for name, value in error.details.items() if name in ("side", "stated")
    }
    return str(PROBLEMS[error.problem]) % {**error.details, **sides}
