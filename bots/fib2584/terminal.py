"""2584 on the command line: how a turn is displayed, the exact solver, and programs for training and evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games.base import Json
from bots.cli.terminal import Program, Terminal

_MAX_BOARDS_SHOWN = 4  # side by side; with more seats, each gets one line
_TILES = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233)


def draw(turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """Format each seat's move with its regret, the scores, and the boards."""
    view = turn["view"]
    moves = {move["seat"]: move for move in turn["moves"]}
    lines = [f"{turn['number']:4}.  game {view['game']} of {view['games']}"]
    for seat, name in enumerate(names):
        scores = f"score {view['scores'][seat]}, luck-adjusted {view['adjusted'][seat]:.1f}"
        small = "" if len(names) <= _MAX_BOARDS_SHOWN else f"  {' '.join(_format_board(view, seat))}"
        lines.append(f"       {name}  {_format_move(moves.get(seat), view['regrets'][seat])}{scores}{small}")
    if len(names) <= _MAX_BOARDS_SHOWN:
        for row in range(2):
            rows = (_format_board(view, seat)[3 * row : 3 * row + 3] for seat in range(len(names)))
            lines.append("       " + "     ".join(" ".join(f"{tile:>3}" for tile in cells) for cells in rows))
    return "\n".join(lines)


def _format_board(view: Mapping[str, Json], seat: int) -> list[str]:
    return [str(_TILES[int(digit, 16)] or ".") for digit in view["boards"][seat]]


def _format_move(move: Mapping[str, Json] | None, regret: float | None) -> str:
    if move is None:
        return ""
    if move["fault"]:
        return f"faults: {move['fault']}  "
    refused = f" (illegal answers before: {move['refused']})" if move["refused"] else ""
    loss = "" if not regret else f", gives {regret:.2f} away"
    return f"{('up', 'right', 'down', 'left')[move['move']]}{refused}{loss}  "


TERMINAL = Terminal(
    draw=draw,
    aliases={"random": "random_direction", "td": "td_learner"},
    programs=(
        Program("solve", "boards", "bots.fib2584.solve"),
        Program("train", "learn", "bots.fib2584.training.learn"),
        Program("evaluate", "house", "bots.fib2584.training.evaluation"),
    ),
    needs_history=False,
)
