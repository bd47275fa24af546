"""The game's terminal support: a row of lights, a command and a program."""

from __future__ import annotations

from bots.cli.terminal import Command, Program, Terminal


def _dusk(options: object, stack: object) -> bool:
    print("It is dusk.")
    return True


TERMINAL = Terminal(
    draw=lambda turn, names: " ".join("*" * (move["move"] or 0) or "." for move in turn["moves"]),
    commands=(Command("dusk", "say so", lambda parser: None, _dusk),),
    programs=(Program("solve", "oil", "lanterns.bots.solving"),),
)
