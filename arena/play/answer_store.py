"""The worker's side of the row that carries a person's answers from the site to the worker."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from arena.games.base import Json
from arena.play.models import Duel


@dataclass(frozen=True, slots=True)
class PersonInput:
    """A person's input for a turn; ``answer``: None if there is no move yet."""

    answer: Json = None
    resigned: bool = False


NOTHING: Final = PersonInput()


def open_request(match_id: int, turn: int, *, now: datetime, again: bool) -> None:
    """Request the person's answer for a turn. ``again``: whether to replace a rejected answer, which is deleted."""
    changes: dict[str, object] = {"asked_turn": turn, "asked_at": now}
    if again:
        changes |= {"answer_turn": turn - 1, "answer": None}
    Duel.objects.filter(pk=match_id).update(**changes)


def person_input(match_id: int, turn: int) -> PersonInput:
    """Return the person's input for a turn; a move made before a resignation takes precedence."""
    row = Duel.objects.filter(pk=match_id).values_list("answer_turn", "answer", "resigned").first()
    if row is None:
        return NOTHING
    answered, answer, resigned = row
    if answered == turn and answer is not None:
        return PersonInput(answer)
    return PersonInput(resigned=True) if resigned else NOTHING
