"""Plays 2 in every round: golden numbers of players that follow each other settle about there. With two numbers it
adds 1.3."""

from typing import Any


def get_move(state: Any) -> list[float]:
    return [2, 1.3][: state.numbers]
