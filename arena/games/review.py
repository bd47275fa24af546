"""A game's review of a finished match: the lead after each turn, and each seat's costliest move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from arena.core.messages import Message
from arena.games.base import Json


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one seat.

    ``turn``: turn of the move that it refers to, 0 for the whole match. ``is_round``: whether it refers to the result
    of a turn in which all seats moved, not to one seat's move. ``cost``: how many of the game's points the move lost;
    0 if unknown.
    """

    seat: int
    turn: int
    message: Message
    is_round: bool = False
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class LeadNote:
    """A note about the leads from turn ``since`` on. ``text``: a sentence in the reader's language."""

    since: int
    text: str | Promise


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a match, turn by turn.

    ``leads``: the first seat's lead after each turn, including the start; None if it is unknown. ``units``: the name
    of the unit in the reader's language, for a lead of 1 and for any other lead; ``full``: a decisive lead.
    """

    leads: Sequence[float | None]
    units: tuple[str | Promise, str | Promise]
    full: float
    note: LeadNote | None = None

    def to_json(self) -> dict[str, Json]:
        leads = [None if lead is None else round(lead, 2) for lead in self.leads]
        note: Json = {"since": self.note.since, "text": str(self.note.text)} if self.note else None
        return {"leads": leads, "units": [str(unit) for unit in self.units], "full": self.full, "note": note}


@dataclass(frozen=True, slots=True)
class Review:
    """The review. ``verdicts``: in the order of their turns, at most one per seat.

    ``panel``: computes the content of the game's panel on the match page from what the review has read; a falsy result
    means no panel. ``overall``: the verdict for spectators; if None, they see the verdict on a losing seat.
    """

    verdicts: tuple[Verdict, ...] = ()
    evaluation: Evaluation | None = None
    panel: Callable[[], object] | None = None
    overall: Verdict | None = None

    def verdict_for(self, seats: Sequence[int]) -> Verdict | None:
        """Return the verdict on the first of these seats that has one; None if none of them has."""
        found = {one.seat: one for one in self.verdicts}
        return next((found[seat] for seat in seats if seat in found), None)
