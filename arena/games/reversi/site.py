"""Reversi on the site: names, downloads, script dialects, demonstration, and its own app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from arena.core.duration_estimate import PlayedMatch
from arena.games.base import Json
from arena.games.closeness import closeness
from arena.games.reversi.picture import picture
from arena.games.reversi.recorded_line import ggf_text, moves_text
from arena.games.reversi.rules import COLORS
from arena.games.site import (
    AnswerExample,
    Demonstration,
    Export,
    GameSite,
    HumanPlay,
    LearningEnvironment,
    MenuEntry,
    PeriodicTask,
    PersonMove,
    ScriptDialect,
    TurnWords,
)

_EACH_MOVE = _("for every move, or once")
_ONCE = _("once")
_DECISIVE: Final = 24.0  # a lead in discs that is hardly ever lost
_DIALECTS: Final = (
    ScriptDialect(
        name="botzone",
        site="Botzone",
        reads=_(
            'one line {"requests": […], "responses": […]}; each move is {"x": row, "y": '
            "column}, counting from 0; x is -1 for a pass and in black's first request"
        ),
        prints='{"response": {"x": …, "y": …}}',
        runs=_EACH_MOVE,
        example="botzone",
        example_title=_("A Botzone script"),
    ),
    ScriptDialect(
        name="botzone-simple",
        site=_("Botzone, simplified interaction"),
        reads=_("the number of turns, then alternating requests and responses, one per line as x y"),
        prints="x y",
        runs=_EACH_MOVE,
    ),
    ScriptDialect(
        name="codingame",
        site="CodinGame",
        reads=_(
            "its ID (0 is black) and the board size, 8; then, each turn, 8 rows of the characters . 0 "
            "1, the number of legal moves, and the moves themselves, row by row, from a1 to h8"
        ),
        prints=_("d3, or d3 MSG text"),
        runs=_ONCE,
        example="codingame",
        example_title=_("A CodinGame script"),
    ),
    ScriptDialect(
        name="othello-gui",
        site=_("An Othello GUI used at several universities"),
        reads=_(
            "its colour (1 is black, 2 is white); then, each turn, a line “SCORE black white” and rows of 0, 1 and 2"
        ),
        prints=_("first its name; then, each turn, column and row, numbered from 0"),
        runs=_ONCE,
    ),
    ScriptDialect(
        name="reversi-ai",
        site="Saiblo",
        reads=_(
            "none; the arena calls reversi_ai(player, board, allow): player is 0 for black, board is "
            "64 numbers (2 is an empty square), allow is 64 booleans"
        ),
        prints=_("none; the function returns (row, column) or a number from 0 to 63"),
        runs=_("once, as a module"),
    ),
    ScriptDialect(
        name="saiblo",
        site="Saiblo",
        reads=_(
            "# player board #, encoded as above but without spaces; at any time, the bot can query a "
            "player's legal moves in the same form"
        ),
        prints=_("the length in four bytes, then row and column as two digits"),
        runs=_ONCE,
    ),
)


def _legal_moves(view: Mapping[str, Json], seat: int) -> Sequence[PersonMove]:
    """Return a seat's legal moves: the squares on which it may place a disc."""
    return [PersonMove(square, square) for square in view["legal"]] if view["to_move"] == COLORS[seat] else ()


def _disc_counts(view: Mapping[str, Json]) -> Sequence[int]:
    """Return the number of discs of each seat."""
    return [view["counts"][color] for color in COLORS]


def _closeness(view: Mapping[str, Json]) -> float:
    discs = _disc_counts(view)
    return closeness(discs, decisive=_DECISIVE, progress=(sum(discs) - 4) / 60)


SITE: Final = GameSite(
    name=_("Reversi"),
    seats=(_("Black"), _("White")),
    turns=TurnWords(  # a turn is a move, because passes are automatic
        name=pgettext_lazy("number of a move", "No."),
        position=_("Move %(turn)s of %(turns)s"),
        count=ngettext_lazy("%(n)s move", "%(n)s moves", "n"),
        at=ngettext_lazy("at move %(turns)s", "at moves %(turns)s", "n"),
        start=_("before the first move"),
        move=pgettext_lazy("board game", "Move"),
        moves=pgettext_lazy("board game", "Moves"),
    ),
    counts=_disc_counts,
    margin_text=_(
        "The sum of the margins in discs (not a FIDE tiebreak): losing margins are subtracted, empty squares count "
        "for the winner, and a win by forfeit or resignation counts as 64 discs."
    ),
    closeness=_closeness,
    picture=picture,
    # the mean of 16 pairs of house bots, of which the slowest think for seconds a move
    typical_match=PlayedMatch(turns=56, max_turns=60, seats=2, seconds=30.0),
    people=HumanPlay(
        seats=(_("Black (you move first)"), _("White")),
        moves=_legal_moves,
        adviser="alpha_beta",
        takes_back=True,
        links=(MenuEntry("reversi-board", _("Analysis board")),),
    ),
    learning=LearningEnvironment(
        observation=_("192 numbers: your discs, the opponent's discs and your legal squares, 64 squares each"),
        actions=_("64 actions: the squares A1, B1, …, H8"),
        reward=_("at the end of the match, 1 for a win, 0 for a draw and -1 for a loss"),
        opponent="random_move",
    ),
    bosses=("random_move", "beginner", "casual", "corners", "club", "strong", "master"),
    exports=(Export("moves.txt", _("As a list"), moves_text), Export("game.ggf", "GGF", ggf_text)),
    dialects=_DIALECTS,
    answers=(
        AnswerExample('"C4"', _("a legal square: its column, then its row")),
        AnswerExample('"c4"', _("the same square in lower case")),
        AnswerExample('"Q"', _("resignation: the match ends at once")),
        AnswerExample('"A1"', _("a square on which a disc would flip nothing"), accepted=False),
        AnswerExample("(3, 2)", _("the row and column as numbers; convert them with board.num_board"), accepted=False),
        AnswerExample("None", _("no answer; usually a missing return"), accepted=False),
    ),
    demonstrations=(
        Demonstration(
            name=_("House Reversi"),
            description=_(
                "A round robin of the house bots. Each pair plays ten matches; each bot plays five with each colour."
            ),
            format="double_round_robin",
            repeats=5,
            pace_seconds=0.7,
            players=("Corners", "Least mobility", "Most discs", "Random move"),
        ),
    ),
    apps=("arena.games.reversi.analysis",),
    urls=("arena.games.reversi.analysis.urls",),
    transcribe="arena.games.reversi.analysis.transcript.transcribe",
    periodic={
        "analyses": PeriodicTask("arena.games.reversi.analysis.tasks.sweep"),
        "automatic_analyses": PeriodicTask("arena.games.reversi.analysis.tasks.request_automatic", 5.0),
    },
)
