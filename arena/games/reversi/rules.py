"""Reversi on an 8×8 board. Black is X, has seat 0 and moves first.

Invariants: the rules pass for a side that cannot move, without asking it; ``to_move`` is None if and only if the match
is over. A set of squares is an int in which the bits of its squares are 1; the bit of a square is
``8 * row + column``, so A1 is bit 0.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from arena.core.messages import Template, gettext_noop, templates_by_code
from arena.games.base import (
    Game,
    IllegalMove,
    Json,
    Outcome,
    SettingsError,
    Termination,
    TextSetting,
    Trial,
    Viewer,
    read_settings,
)
from arena.games.reversi.bot_messages import BOT_MESSAGES
from arena.games.reversi.openings import BALANCED
from arena.games.reversi.verdict_messages import VERDICTS

COLORS: Final = ("X", "O")
SQUARES: Final = tuple(f"{column}{row}" for row in "12345678" for column in "ABCDEFGH")
RESIGN: Final = "Q"

_INDEX: Final = {name: index for index, name in enumerate(SQUARES)}
_FULL: Final = (1 << 64) - 1
_INNER: Final = 0x7E7E7E7E7E7E7E7E  # all squares except columns A and H, where a line would wrap around
_LINES: Final = ((1, _INNER), (7, _INNER), (9, _INNER), (8, _FULL))  # each shift, and the squares it may cross
_START_X: Final = 1 << _INDEX["E4"] | 1 << _INDEX["D5"]
_START_O: Final = 1 << _INDEX["D4"] | 1 << _INDEX["E5"]
_EMPTY_AT_START: Final = 60
_WON_OUTRIGHT: Final = 64  # the margin of a win by forfeit or resignation: resigning never saves discs

NO_MOVE: Final = Template("reversi.no_move", gettext_noop('it contains no move; a move is text such as "D3"'))
NO_TEXT: Final = Template("reversi.no_text", gettext_noop('a move is text such as "D3"'))
NO_SQUARE: Final = Template(
    "reversi.no_square", gettext_noop('a move is a column from A to H and a row from 1 to 8, such as "D3"')
)
NOT_LEGAL: Final = Template(
    "reversi.not_legal", gettext_noop("%(move)s is not legal here; legal moves: %(squares)s"), lists=("squares",)
)
NOTHING_TO_PLAY: Final = Template(
    "reversi.opening.over", gettext_noop("The match is already over at the end of this opening. Shorten the opening.")
)
NOT_LEGAL_OPENING: Final = Template(
    "reversi.opening.not_legal",
    gettext_noop("Move %(n)s of the opening, %(move)s, is not legal. Correct it, or end the opening before it."),
)


def legal_squares(own: int, other: int) -> int:
    """Return the legal moves of the side with the discs ``own``, as a set of squares."""
    found = 0
    for shift, passable in _LINES:
        bridge = other & passable
        up = bridge & (own << shift)
        down = bridge & (own >> shift)
        for _ in range(5):
            up |= bridge & (up << shift)
            down |= bridge & (down >> shift)
        found |= up << shift | down >> shift
    return found & ~(own | other) & _FULL


def flipped_discs(own: int, other: int, square: int) -> int:
    """Return the discs flipped if ``own`` plays the empty square with this index; 0 if that is illegal."""
    placed = 1 << square
    turned = 0
    for shift, passable in _LINES:
        bridge = other & passable
        line, probe = 0, placed << shift
        while probe & bridge:
            line |= probe
            probe <<= shift
        if probe & own:
            turned |= line
        line, probe = 0, placed >> shift
        while probe & bridge:
            line |= probe
            probe >>= shift
        if probe & own:
            turned |= line
    return turned


def square_names(squares: int) -> list[str]:
    """Return the names of a set of squares in the order A1, B1, ... H8."""
    return [SQUARES[index] for index in _square_indices(squares)]


@dataclass(frozen=True, slots=True)
class ReversiSettings:
    """The match settings. ``opening``: moves played before the first turn, such as "F5D6C3"; passes are omitted."""

    opening: str = ""


@dataclass(frozen=True, slots=True)
class ReversiState:
    """A position and the move that led to it. Seats are 0 for X and 1 for O; sets of squares are ints."""

    discs: tuple[int, int] = (_START_X, _START_O)
    to_move: int | None = 0
    legal: int = legal_squares(_START_X, _START_O)  # the legal squares of ``to_move``
    last: str | None = None
    flipped: int = 0
    passed: int | None = None  # the seat that was passed over after ``last``
    resigned: int | None = None
    out: frozenset[int] = frozenset()  # seats that left because of a fault
    moves: str = ""  # all moves since the standard start, such as "F5D6C3"; passes are omitted


class ReversiGame(Game[ReversiState, str, ReversiSettings]):
    """The rules of play. A move is the name of a square, or ``RESIGN``."""

    name = "reversi"
    min_seats = 2
    max_seats = 2
    colors = COLORS
    bot_messages = BOT_MESSAGES
    course_files = frozenset({"game.py", "board.py"})
    messages = templates_by_code(NO_MOVE, NO_TEXT, NO_SQUARE, NOT_LEGAL, NOTHING_TO_PLAY, NOT_LEGAL_OPENING, *VERDICTS)
    openings = BALANCED
    opening_moves = len(BALANCED[0]) // 2
    trial = Trial({}, 2, "random_move")
    schema = (TextSetting("opening", max_length=2 * _EMPTY_AT_START, offered=False),)

    def settings(self, raw: Mapping[str, Json]) -> ReversiSettings:
        settings = ReversiSettings(read_settings("Reversi", self.schema, raw)["opening"].upper())
        if _play_opening(settings.opening).to_move is None:
            raise SettingsError("opening", NOTHING_TO_PLAY())
        return settings

    def settings_json(self, settings: ReversiSettings) -> dict[str, Json]:
        return {"opening": settings.opening}

    def random_opening(self, moves: int, rng: random.Random) -> str:
        """Draw an opening of ``moves`` random legal moves; an opening that ends the match is redrawn."""
        while True:
            state = _play_opening("")
            for _ in range(moves):
                if state.to_move is None:
                    break
                state = self.apply(state, {state.to_move: rng.choice(square_names(state.legal))})
            if state.to_move is not None:
                return state.moves

    def initial(self, settings: ReversiSettings, seats: int, rng: random.Random) -> ReversiState:
        if seats != len(COLORS):
            raise ValueError(f"Reversi has 2 seats, not {seats}.")
        return _play_opening(settings.opening)

    def max_turns(self, settings: ReversiSettings) -> int:
        return _EMPTY_AT_START - len(settings.opening) // 2

    def to_move(self, state: ReversiState) -> tuple[int, ...]:
        return () if state.to_move is None else (state.to_move,)

    def shared(self, state: ReversiState) -> Json:
        return {"board": _board_text(state), "last": state.last, "moves": state.moves}

    def own(self, state: ReversiState, seat: int) -> Json:
        return {"color": COLORS[seat]}

    def parse(self, state: ReversiState, seat: int, answer: Json) -> str:
        if answer is None:
            raise IllegalMove(NO_MOVE())
        if not isinstance(answer, str):
            raise IllegalMove(NO_TEXT())
        move = answer.upper()
        if move == RESIGN:
            return move
        index = _INDEX.get(move)
        if index is None:
            raise IllegalMove(NO_SQUARE())
        if seat != state.to_move or not state.legal >> index & 1:
            raise IllegalMove(NOT_LEGAL(move=move, squares=tuple(square_names(state.legal))))
        return move

    def apply(self, state: ReversiState, moves: Mapping[int, str], out: frozenset[int] = frozenset()) -> ReversiState:
        if out:
            return replace(_end_match(state), out=state.out | out)
        (seat, move), *others = moves.items()
        if others or seat != state.to_move:
            raise ValueError(f"Seat {state.to_move} is to move, not {sorted(moves)}.")
        if move == RESIGN:
            return replace(_end_match(state), resigned=seat)
        return _apply_move(state, move)

    def outcome(self, state: ReversiState) -> Outcome | None:
        if state.to_move is not None:
            return None
        if len(state.out) == len(COLORS):
            lost = float(-_WON_OUTRIGHT)
            return Outcome((0.0, 0.0), (1, 1), (lost, lost), Termination.FORFEIT)
        for loser in state.out:
            return _win_outcome(1 - loser, _WON_OUTRIGHT, Termination.FORFEIT)
        if state.resigned is not None:
            return _win_outcome(1 - state.resigned, _WON_OUTRIGHT, Termination.RESIGNATION)
        black, white = (discs.bit_count() for discs in state.discs)
        if black == white:
            return Outcome((0.5, 0.5), (1, 1), (0.0, 0.0), Termination.COMPLETED)
        # The empty squares go to the winner (World Othello Federation, tournament rules).
        return _win_outcome(0 if black > white else 1, 64 - 2 * min(black, white), Termination.COMPLETED)

    def view(self, state: ReversiState, viewer: Viewer) -> dict[str, Json]:
        black, white = state.discs
        return {
            "board": _board_text(state),
            "to_move": None if state.to_move is None else COLORS[state.to_move],
            "legal": square_names(state.legal),
            "counts": {"X": black.bit_count(), "O": white.bit_count()},
            "last": state.last,
            "flipped": square_names(state.flipped),
            "passed": None if state.passed is None else COLORS[state.passed],
        }

    def encode(self, move: str) -> Json:
        return move

    def decode(self, raw: Json) -> str:
        if not isinstance(raw, str) or (raw != RESIGN and raw not in _INDEX):
            raise ValueError(f"{raw!r} is not a Reversi move.")
        return raw


def _apply_move(state: ReversiState, move: str) -> ReversiState:
    """Return the position after a move and any forced pass; raises ValueError if the move is illegal."""
    seat, index = state.to_move, _INDEX[move]
    if seat is None or not state.legal >> index & 1:
        raise ValueError(f"{move} is not a legal move.")
    own, other = state.discs[seat], state.discs[1 - seat]
    turned = flipped_discs(own, other, index)
    own, other = own | turned | 1 << index, other ^ turned
    discs = (own, other) if seat == 0 else (other, own)
    next_seat: int | None = 1 - seat
    passed = None
    legal = legal_squares(other, own)
    if not legal:
        legal = legal_squares(own, other)
        next_seat, passed = (seat, 1 - seat) if legal else (None, None)
    return ReversiState(discs, next_seat, legal, move, turned, passed, moves=state.moves + move)


def _play_opening(opening: str) -> ReversiState:
    """Return the position after an opening; raises SettingsError."""
    state = ReversiState()
    for start in range(0, len(opening), 2):
        move = opening[start : start + 2]
        index = _INDEX.get(move)
        if index is None or not state.legal >> index & 1:
            raise SettingsError("opening", NOT_LEGAL_OPENING(n=start // 2 + 1, move=move))
        state = _apply_move(state, move)
    return state


def _end_match(state: ReversiState) -> ReversiState:
    """Return the final position: no side to move and no last move."""
    return replace(state, to_move=None, legal=0, last=None, flipped=0, passed=None)


def _win_outcome(winner: int, margin: int, termination: Termination) -> Outcome:
    if winner == 0:
        return Outcome((1.0, 0.0), (1, 2), (float(margin), float(-margin)), termination)
    return Outcome((0.0, 1.0), (2, 1), (float(-margin), float(margin)), termination)


def _board_text(state: ReversiState) -> str:
    black, white = state.discs
    return "".join("X" if black >> i & 1 else "O" if white >> i & 1 else "." for i in range(64))


def _square_indices(squares: int) -> Iterator[int]:
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


GAME: Final = ReversiGame()
