"""The row through which a person's answers go from the site to the worker: the worker's side of it.

Invariant: each function is one statement, so that it can be tried again after the database was away.
"""

from __future__ import annotations

from datetime import datetime

from arena.games.reversi.rules import RESIGN
from arena.play.models import Duel


def ask(match_id: int, turn: int, *, now: datetime, again: bool) -> None:
    """The person is asked for a turn; ``again``: its answer was refused and is forgotten."""
    changes: dict[str, object] = {"asked_turn": turn, "asked_at": now}
    if again:
        changes |= {"answer_turn": turn - 1, "answer": ""}
    Duel.objects.filter(pk=match_id).update(**changes)


def answer_to(match_id: int, turn: int) -> str:
    """What the person says in a turn; "" as long as they have said nothing."""
    row = Duel.objects.filter(pk=match_id).values_list("answer_turn", "answer", "resigned").first()
    if row is None:
        return ""
    answered, move, resigned = row
    if answered == turn and move:
        return str(move)
    return RESIGN if resigned else ""
