"""The policy's panel on a match page: the expected lead as a curve, the turning point, and bars for each decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from arena.core.messages import Message, Template
from arena.core.number_format import format_shortest
from arena.games.base import Json
from arena.games.suit_pairs.policy.judgement import JudgedDecision, Judgement, TurningPoint
from arena.games.suit_pairs.site import SITE
from arena.games.suit_pairs.verdict_messages import TURNED

WIDTH: Final = 600
HEIGHT: Final = 160
_MIN_RANGE: Final = 10.0  # points from the middle to the edge


@dataclass(frozen=True, slots=True)
class LeadCurve:
    """The expected lead from the first decision to the end, in a picture of ``WIDTH`` by ``HEIGHT``."""

    points: str
    most: int  # lead at the upper edge, in points
    turning_x: float | None
    width: int = WIDTH
    height: int = HEIGHT
    middle: int = HEIGHT // 2


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """One decision.

    ``lead``: expected lead of the seat to move. ``rows``: each legal action, its percentage, and whether it was played.
    """

    turn: int
    name: str
    lead: float
    rows: list[tuple[str, float, bool]]


@dataclass(frozen=True, slots=True)
class UnfinishedPanel:
    """The panel shown while a worker is judging the match, and after the arena has failed to judge it."""

    has_failed: bool
    is_unfinished: ClassVar[bool] = True
    turning: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class PolicyPanel:
    """The content of the panel.

    ``decisions``: data for the script that shows the current decision; see ``policy.js``. If there is no ``turning``
    point, ``ended`` says why: "early", "draw" or "" (one seat always led).
    """

    has_failed: ClassVar[bool] = False
    is_unfinished: ClassVar[bool] = False
    names: tuple[str, ...]
    curve: LeadCurve
    turning: TurningPoint | None
    sentence: Message | None  # about the turning point
    decisions: list[Json]
    judged: tuple[JudgedDecision, ...]
    ended: str

    def decision_at(self, at: str | None) -> ShownDecision:
        """Return the decision to show if JavaScript is disabled.

        This is the decision after decision ``at``. If there is no such decision, it is the turning point; without a
        turning point, it is the first decision.
        """
        requested = int(at) + 1 if at and at.isdecimal() and len(at) < 6 else None
        usual = self.turning.judged if self.turning else self.judged[0]
        found = next((one for one in self.judged if one.turn == requested), usual)
        rows = [(action_label(name), 100 * share, name == found.played) for name, share in found.chances]
        return ShownDecision(found.turn, self.names[found.seat], -found.lead if found.seat else found.lead, rows)

    @property
    def turn_before_turning_point(self) -> int:
        """Return the number of the decision before the turning point."""
        return self.turning.judged.turn - 1 if self.turning else 0


def create_panel(found: Judgement, names: tuple[str, ...]) -> PolicyPanel:
    """Return the panel of a judged match. ``names``: names of the seats."""
    turning = turning_point_text(found.turning, names) if found.turning else None
    ended = "early" if not found.completed else "" if found.final else "draw"
    return PolicyPanel(names, _curve(found), found.turning, turning, _decisions(found), found.decisions, ended)


def turning_point_text(turning: TurningPoint, names: Sequence[str], template: Template = TURNED) -> Message:
    """Return a sentence about the turning point that names the move in the language of the page."""
    judged = turning.judged
    return template(
        turn=judged.turn,
        player=names[judged.seat],
        move=action_label(judged.played),
        winner=names[turning.winner],
        before=_lead_text(turning.before),
        after=_lead_text(turning.after),
    )


def _lead_text(points: float) -> str:
    """Format a lead without a plus sign, with as many decimals as the panel shows: "6.8", "−2" or "0"."""
    return format_shortest(points, 1)


def action_label(action: str) -> str:
    """Return an action's display label."""
    return str(SITE.move_label(action)) if SITE.move_label else action


def _curve(found: Judgement) -> LeadCurve:
    leads = [*(one.lead for one in found.decisions), found.final]
    most = max(_MIN_RANGE, *map(abs, leads)) * 1.1
    places = [(WIDTH * number / (len(leads) - 1), HEIGHT / 2 * (1 - lead / most)) for number, lead in enumerate(leads)]
    turning = None
    if found.turning:
        turning = round(places[found.decisions.index(found.turning.judged)][0], 1)
    return LeadCurve(" ".join(f"{x:.1f},{y:.1f}" for x, y in places), int(most), turning)


def _decisions(found: Judgement) -> list[Json]:
    """Return ``turn``, ``seat``, ``played``, ``lead`` and ``chances`` of each decision, with rounded numbers."""
    return [
        {
            "turn": one.turn,
            "seat": one.seat,
            "played": one.played,
            "lead": round(one.lead, 1),
            "chances": [[name, round(share, 3)] for name, share in one.chances],
        }
        for one in found.decisions
    ]
