"""The policy's panel of a match page: the expected lead as a curve, where the match turned, and bars by decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.core.cache import cache

from arena.accounts.permissions import Person
from arena.games.base import Json
from arena.games.suit_pairs.policy.judging import Judged, Judgement, Turning, judge
from arena.games.suit_pairs.policy.network import shipped, weights_file
from arena.games.suit_pairs.rules import GAME
from arena.games.suit_pairs.site import SITE
from arena.matches.queries import record_of, seat_lines

WIDTH: Final = 600
HEIGHT: Final = 160
_LEAST_RANGE: Final = 10.0  # points from the middle to the edge
_KEPT: Final = 24 * 3600  # seconds


@dataclass(frozen=True, slots=True)
class Curve:
    """The expected lead from the first decision to the end, in a picture of ``WIDTH`` times ``HEIGHT``."""

    points: str
    most: int  # points of lead at the upper edge
    turning_x: float | None
    width: int = WIDTH
    height: int = HEIGHT
    middle: int = HEIGHT // 2


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """``lead``: expected, of who decides. ``rows``: each legal action, its percentage, and whether it was played."""

    turn: int
    name: str
    lead: float
    rows: list[tuple[str, float, bool]]


@dataclass(frozen=True, slots=True)
class PolicyPanel:
    """``decisions``: for the script that shows the one on the board, see ``policy.js``."""

    match_id: int
    names: tuple[str, ...]
    curve: Curve
    turning: Turning | None
    played: str  # the action of the turning point, as readers know it
    decisions: list[Json]
    judged: tuple[Judged, ...]

    def decision_at(self, at: str | None) -> ShownDecision:
        """Without scripts: the one that follows on turn ``at``, else the turning point or the first."""
        asked = int(at) + 1 if at and at.isdecimal() and len(at) < 6 else None
        usual = self.turning.judged if self.turning else self.judged[0]
        found = next((one for one in self.judged if one.turn == asked), usual)
        rows = [(_label(name), 100 * share, name == found.played) for name, share in found.chances]
        return ShownDecision(found.turn, self.names[found.seat], -found.lead if found.seat else found.lead, rows)

    @property
    def turning_at(self) -> int:
        """The turn that shows the board before the turning point."""
        return self.turning.judged.turn - 1 if self.turning else 0

    @property
    def player(self) -> str:
        return self.names[self.turning.judged.seat] if self.turning else ""

    @property
    def winner(self) -> str:
        return self.names[self.turning.winner] if self.turning else ""


def policy_of_match(match_id: int, reader: Person) -> PolicyPanel | None:
    """None for other games, while the match runs, and on a site without weights; two queries."""
    record = record_of(match_id, game=GAME.name)
    if record is None:
        return None
    network = shipped()
    if network is None:
        return None
    key = f"suit-pairs-policy/{match_id}/{weights_file().stat().st_mtime_ns}"
    found: Judgement | None = cache.get(key)
    if found is None:
        found = judge(record, network)
        cache.set(key, found, _KEPT)
    if not found.decisions:
        return None
    names = tuple(line.name for line in seat_lines(match_id))
    played = _label(found.turning.judged.played) if found.turning else ""
    return PolicyPanel(match_id, names, _curve(found), found.turning, played, _decisions(found), found.decisions)


def _label(action: str) -> str:
    return str(SITE.move_label(action)) if SITE.move_label else action


def _curve(found: Judgement) -> Curve:
    leads = [*(one.lead for one in found.decisions), found.final]
    most = max(_LEAST_RANGE, *map(abs, leads)) * 1.1
    places = [(WIDTH * number / (len(leads) - 1), HEIGHT / 2 * (1 - lead / most)) for number, lead in enumerate(leads)]
    turning = None
    if found.turning:
        turning = round(places[found.decisions.index(found.turning.judged)][0], 1)
    return Curve(" ".join(f"{x:.1f},{y:.1f}" for x, y in places), int(most), turning)


def _decisions(found: Judgement) -> list[Json]:
    """``turn``, ``seat``, ``played``, ``lead`` and ``chances`` of each decision, short."""
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
