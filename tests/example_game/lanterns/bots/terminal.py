"""Lanterns in the terminal: a line for each candle and for each finished night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games.base import Json
from bots.cli.terminal import Terminal


def draw(turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """Show who lays which candle and, at the end of a night, who takes the lantern."""
    view = turn["view"]
    if not turn["moves"]:
        return f"{view['nights']} nights; the first lantern gives {view['lantern']} light"
    lines = [f"{turn['number']:3}.  {names[move['seat']]}  {_action_text(move)}" for move in turn["moves"]]
    night = view["previous"]
    if night and all(candle is None for candle in view["laid"]):
        taker = "nobody" if night["taker"] is None else names[night["taker"]]
        lines.append(f"      lantern {night['lantern']}, wind {night['wind']}: {taker}")
    return "\n".join(lines)


def _action_text(move: Mapping[str, Json]) -> str:
    return f"faults: {move['fault']}" if move["fault"] else f"lays {move['move']}"


TERMINAL = Terminal(draw=draw, aliases={"random": "random_candle"}, needs_history=False)
