"""The golden point on the command line: one line per round, and a program that ranks the house bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games.base import Json
from bots.cli.terminal import Program, Terminal

_MAX_SEATS_LISTED = 12


def draw(turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """Format a round on one line: the golden number, then every seat's numbers, gain and score.

    * marks the nearest seat, ! the farthest.
    """
    view = turn["view"]
    if not turn["moves"]:
        return f"{len(names)} seats, {view['rounds']} rounds; * is nearest, ! farthest"
    faults = [f"{names[move['seat']]} faults: {move['fault']}" for move in turn["moves"] if move["fault"]]
    golden = "no golden number" if view["golden"] is None else f"golden {view['golden']:8.4f}"
    seats = list(range(len(names)))
    if len(seats) > _MAX_SEATS_LISTED:
        seats = sorted({*view["nearest"][:4], *view["farthest"][:4], max(seats, key=lambda seat: view["scores"][seat])})
    shown = [_format_seat(view, seat, names[seat]) for seat in seats if seat not in view["out"]]
    return f"{view['round']:4}  {golden}  " + " | ".join([*shown, *faults])


def _format_seat(view: Mapping[str, Json], seat: int, name: str) -> str:
    mark = "*" * (seat in view["nearest"]) + "!" * (seat in view["farthest"])
    numbers = " ".join(f"{number:.2f}" for number in view["numbers"][seat] or ())
    return f"{name}{mark} {numbers} {view['gains'][seat]:+} ({view['scores'][seat]})"


TERMINAL = Terminal(draw=draw, programs=(Program("evaluate", "tables", "bots.golden_point.training.tables"),))
