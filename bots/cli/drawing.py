"""Turns as text for the terminal: a board for Reversi, a line a round for the golden point.

A turn is what ``replay`` and the referee's events give: ``{"number", "moves", "view"}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.games.base import Json

_MOST_LISTED = 12  # seats whose numbers are shown one by one


def draw(game: str, turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """The turn, with the names of the seats; a game without a drawing of its own shows its moves."""
    return DRAWINGS.get(game, _moves)(turn, names)


def _reversi(turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """Move, discs and board; the last disc stands in brackets, those it turned over are small letters."""
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


def _golden_point(turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """One line: the golden number, then every seat's numbers, gain and score; * is nearest, ! farthest."""
    view = turn["view"]
    if not turn["moves"]:
        return f"{len(names)} seats, {view['rounds']} rounds; * is nearest, ! farthest"
    faults = [f"{names[move['seat']]} faults: {move['fault']}" for move in turn["moves"] if move["fault"]]
    golden = "no golden number" if view["golden"] is None else f"golden {view['golden']:8.4f}"
    seats = list(range(len(names)))
    if len(seats) > _MOST_LISTED:
        seats = sorted({*view["nearest"][:4], *view["farthest"][:4], max(seats, key=lambda seat: view["scores"][seat])})
    shown = [_golden_seat(view, seat, names[seat]) for seat in seats if seat not in view["out"]]
    return f"{view['round']:4}  {golden}  " + " | ".join([*shown, *faults])


def _golden_seat(view: Mapping[str, Json], seat: int, name: str) -> str:
    mark = "*" * (seat in view["nearest"]) + "!" * (seat in view["farthest"])
    numbers = " ".join(f"{number:.2f}" for number in view["numbers"][seat] or ())
    return f"{name}{mark} {numbers} {view['gains'][seat]:+} ({view['scores'][seat]})"


def _moves(turn: Mapping[str, Json], names: Sequence[str]) -> str:
    shown = [f"{names[move['seat']]} {move['fault'] or move['move']}" for move in turn["moves"]]
    return f"{turn['number']:4}  " + " | ".join(shown)


DRAWINGS: dict[str, Callable[[Mapping[str, Json], Sequence[str]], str]] = {
    "reversi": _reversi,
    "golden_point": _golden_point,
}
