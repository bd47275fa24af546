"""Reversi in the terminal: how a turn is displayed, GTP engines, the analysis command, and training programs."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from arena.games.base import Json
from bots.cli.arguments import parse_seconds
from bots.cli.engines import Engines
from bots.cli.terminal import Command, Program, Terminal


def draw(turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """Format the move, the discs and the board; the disc just played is in brackets, flipped discs in lower case."""
    view, lines = turn["view"], []
    for move in turn["moves"]:
        done = f"faults: {move['fault']}" if move["fault"] else move["move"]
        done += f" (illegal answers before: {move['refused']})" if move["refused"] else ""
        who = f"{'XO'[move['seat']]} {names[move['seat']]}"
        lines.append(f"{turn['number']:3}.  {who}  {done}  {move['seconds']:.3f} s")
    counts = view["counts"]
    state = "the end" if view["to_move"] is None else f"{view['to_move']} to move"
    passed = f"{view['passed']} passes, " if view["passed"] else ""
    lines.append(f"      X {counts['X']}  O {counts['O']}  {passed}{state}")
    lines.append("    A  B  C  D  E  F  G  H")
    for row in range(8):
        lines.append(f"{row + 1:2} " + "".join(_square(view, row, column) for column in range(8)).rstrip())
    return "\n".join(lines)


def _square(view: Mapping[str, Json], row: int, column: int) -> str:
    name, cell = f"{'ABCDEFGH'[column]}{row + 1}", view["board"][8 * row + column]
    if name == view["last"]:
        return f"[{cell}]"
    return f" {cell.lower() if name in view['flipped'] else cell} "


def _add_analyse(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "match",
        metavar="MATCH",
        help="a match record, or a file or text with moves (F5D6C3…), a board of 64 squares, or GGF",
    )
    one.add_argument("--side", type=str.upper, choices=("X", "O"), default="", help="side to move, for a board")
    one.add_argument(
        "--seconds", type=parse_seconds, default=1.0, metavar="S", help="CPU seconds per position (default: 1)"
    )
    one.add_argument(
        "--solving",
        type=parse_seconds,
        default=20.0,
        metavar="S",
        help="CPU seconds per exact result; positions are solved from the end backwards until one takes longer "
        "(default: 20)",
    )
    one.add_argument("--json", action="store_true", help="print one line of JSON per position, last position first")


def _analyse(options: argparse.Namespace, stack: ExitStack) -> bool:
    # Imported here because the engine loads slowly and no other command needs it.
    from bots.reversi.analyse import AnalyseOptions, analyse
    from bots.reversi.analysis.analyst import SearchBudget

    analyse(AnalyseOptions(options.match, options.side, SearchBudget(options.seconds, options.solving), options.json))
    return True


TERMINAL = Terminal(
    draw=draw,
    aliases={"greedy": "most_discs", "random": "random_move"},
    engines=Engines("gtp", Path(__file__).resolve().parent / "gtp.py"),
    commands=(Command("analyse", "see where a Reversi match was won and lost", _add_analyse, _analyse),),
    programs=(
        Program("train", "evolve", "bots.reversi.training.evolve.__main__"),
        Program("train", "patterns", "bots.reversi.training.patterns.__main__"),
        Program("train", "openings", "bots.reversi.training.openings"),
        Program("train", "selfplay", "bots.reversi.training.network.selfplay"),
        Program("train", "network", "bots.reversi.training.network.__main__"),
        Program("evaluate", "matches", "bots.reversi.training.evaluation"),
    ),
    needs_history=False,
)
