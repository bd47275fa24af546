"""Parse and write Reversi matches: lists of moves, boards of 64 squares, and GGF.

GGF is the Generic Game Format of the server GGS (https://skatgame.net/mburo/ggsa/ggf). Othello programs write
``(;GM[Othello]PB[one]PW[other]RE[+4]TY[8]BO[8 … *]B[f5//1.2]W[d6];)`` with ``*`` for black, ``O`` for white and ``-``
for empty squares, with the side to move after the board, and with ``PA`` for a pass. Only the properties BO, B and W
are used; evaluations and times after a move are ignored.

Invariant: a line that is written and parsed again is unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from arena.games.reversi.lines import EMPTY, Line, LineError, LineProblem, board_text, play_move, start_position
from arena.games.reversi.rules import COLORS, SQUARES

MAX_CHARACTERS: Final = 20_000  # a full GGF game has about 3000

_CELLS: Final = {
    **dict.fromkeys("Xx*Bb@#●⚫", COLORS[0]),
    **dict.fromkeys("OoWw0○⚪", COLORS[1]),
    **dict.fromkeys(".-_", EMPTY),
}
_PASSES: Final = frozenset({"pa", "pass", "ps", "--"})
# Separators between moves, and move numbers such as "1." or "12)".
_BETWEEN: Final = re.compile(r"(?:[\s,;:/|.]|\d+\s*[.)])*")
_TOKEN: Final = re.compile(r"[a-h][1-8]|pass|pa|ps|--", re.IGNORECASE)
_PROPERTY: Final = re.compile(r"([A-Za-z]+)\s*\[([^\]]*)\]")
_SIDES: Final = {"B": COLORS[0], "W": COLORS[1]}


def read(text: str, side: str = "") -> Line:
    """Parse a line in any of the three notations; raises LineError.

    ``side``: the side to move on a board that does not specify it.
    """
    text = text.strip()
    if not text:
        raise LineError(LineProblem.NOTHING)
    if len(text) > MAX_CHARACTERS:
        raise LineError(LineProblem.TOO_LONG)
    if text.startswith("(") or "BO[" in text:
        return read_ggf(text)
    cells = "".join(text.split())
    if all(cell in _CELLS for cell in cells):
        return read_board(cells, side)
    return read_moves(text)


def read_moves(text: str, start: Line | None = None) -> Line:
    """Parse a list of moves in either case, with or without spaces, numbers and passes; raises LineError.

    ``start``: the position before the moves, by default the standard starting position.
    """
    return _check_moves(start or Line(), ((move, "") for move in _tokens(text)))


def read_board(text: str, side: str = "") -> Line:
    """Parse a board of 64 squares, optionally followed by the side to move (default: ``side``); raises LineError."""
    cells = [_CELLS.get(cell, cell) for cell in "".join(text.split())]
    if len(cells) == len(SQUARES) + 1:
        side = cells.pop()
    return _check_moves(Line("".join(cells), side), ())


def read_ggf(text: str) -> Line:
    """Parse one GGF game; raises LineError."""
    properties = [(name.upper(), value.strip()) for name, value in _PROPERTY.findall(text)]
    boards = [value for name, value in properties if name == "BO"]
    games = [value for name, value in properties if name == "GM"]
    if len(boards) > 1:
        raise LineError(LineProblem.SEVERAL)
    if any(game.lower() not in ("othello", "reversi") for game in games):
        raise LineError(LineProblem.OTHER_GAME, {"game": games[0][:40]})
    if not boards:
        raise LineError(LineProblem.NO_GGF)
    size, _, board = boards[0].partition(" ")
    if size != "8":
        raise LineError(LineProblem.OTHER_BOARD, {"size": size[:10]})
    moves = ((value.partition("/")[0].strip(), _SIDES[name]) for name, value in properties if name in _SIDES)
    return _check_moves(_ggf_board(board), moves)


def _ggf_board(text: str) -> Line:
    """Parse a GGF board; the side to move must follow it, so that a missing square is detected."""
    *rows, side = text.split() or [""]
    if not rows or len(side) != 1:
        return read_board(text)
    cells = "".join(_CELLS.get(cell, cell) for cell in "".join(rows))
    return _check_moves(Line(cells, _CELLS.get(side, side)), ())


def write_moves(line: Line) -> str:
    """Format the moves of a line, such as "F5D6C3"."""
    return "".join(line.moves)


def write_board(board: str, side: str) -> str:
    """Format a board and the side to move as one line of text."""
    return f"{board} {side}"


def write_ggf(line: Line, black: str = "", white: str = "", result: int | None = None) -> str:
    """Format the line as GGF. ``result``: black's lead in discs, None if unfinished; ``black``, ``white``: names."""
    states = line.states()
    cells = line.board.replace(COLORS[0], "*").replace(EMPTY, "-")
    turn = "*" if states[0].to_move == 0 else "O"
    shown = "?" if result is None else f"{result:+d}"
    players = f"PB[{_without_ggf_syntax(black)}]PW[{_without_ggf_syntax(white)}]"
    head = f"(;GM[Othello]PC[]{players}RE[{shown}]TY[8]BO[8 {cells} {turn}]"
    return head + "".join(_ggf_moves(line, [state.to_move for state in states])) + ";)"


def _ggf_moves(line: Line, to_move: Sequence[int | None]) -> Iterator[str]:
    before: int | None = None
    for move, seat in zip(line.moves, to_move, strict=False):
        if before is not None and seat == before:
            yield f"{'WB'[seat]}[PA]"
        yield f"{'BW'[seat or 0]}[{move}]"
        before = seat


def _without_ggf_syntax(name: str) -> str:
    """Remove characters with a special meaning in GGF from a name."""
    return re.sub(r"[\[\]();\\\s]+", " ", name).strip()


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if at >= len(text):
            return
        token = _TOKEN.match(text, at)
        if token is None:
            raise LineError(LineProblem.UNREADABLE, {"found": text[at : at + 12].split()[0]})
        yield token.group()
        at = token.end()


def _check_moves(start: Line, moves: Sequence[tuple[str, str]] | Iterator[tuple[str, str]]) -> Line:
    """Return the line ``start`` extended by these moves; raises LineError if one of them is illegal.

    ``moves``: pairs of a move and the side that the text gives for it ("" if none).
    """
    states = start.states()
    state, found = states[-1], list(start.moves)
    for move, stated in moves:
        number, side = len(found) + 1, "" if state.to_move is None else COLORS[state.to_move]
        if move.lower() in _PASSES:
            if (stated and stated == side) or state.passed is None:
                raise LineError(LineProblem.NO_PASS, {"number": number, "side": side or COLORS[0]})
            continue
        if stated and side and stated != side:
            raise LineError(
                LineProblem.WRONG_SIDE, {"number": number, "move": move.upper(), "stated": stated, "side": side}
            )
        state = play_move(state, move.upper(), number)
        found.append(move.upper())
    # If a side has to pass at the start, the other one is to move.
    opened = start_position(start.board, start.side)
    side = start.side if opened.to_move is None else COLORS[opened.to_move]
    return Line(board_text(opened), side, tuple(found))
