"""A finished match that is worth reviewing, with its turning point or the reason why none is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from arena.games.base import Termination
from arena.games.review import Verdict
from arena.games.sites import SITES
from arena.matches.reviews import VerdictJob, expected_verdict, main_verdict, needs_job, review_of
from arena.matches.snapshots import match_snapshot
from arena.tournaments.queries.score_highlights import Highlight

Json = dict[str, Any]


class VerdictGap(StrEnum):
    """The reason why a key match has no verdict."""

    WAITING = "waiting"  # its analysis will start soon
    RUNNING = "running"
    NOT_PLAYED_OUT = "not_played_out"  # a fault, a resignation or the time limit ended it
    NOT_ANALYSED = "not_analysed"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class KeyMatch:
    """A finished match that is worth reviewing.

    ``turn``: the position after the move to which the verdict refers; without such a move, the last position.
    ``highlight``: in a score attack, why the match was chosen. ``name``: the match's name in its tournament, "" if the
    page does not show it. ``gap``: why there is no verdict; None if there is one.
    """

    snapshot: Json
    turn: Json | None
    verdict: Verdict | None
    shows_board: bool
    highlight: Highlight | None = None
    name: str = ""
    gap: VerdictGap | None = None

    @property
    def shows_turning_point(self) -> bool:
        """Return whether the verdict refers to one turn, not to the whole match."""
        return bool(self.verdict and self.verdict.turn)


def key_match(match_id: int, highlight: Highlight | None = None) -> KeyMatch:
    """Return a finished match with its game's verdict, and the position to which the verdict refers.

    A highlight can have a verdict of its own.
    """
    found = match_snapshot(match_id)
    shown = found.sent
    chosen = highlight.verdict if highlight else None
    verdict = chosen or (main_verdict(review_of(shown), shown) if shown["outcome"] else None)
    last = len(found.turns) - 1
    at = min(verdict.turn, last) if verdict and verdict.turn else last
    turn = found.turns[at] if last >= 0 else None
    is_board = len(shown["seats"]) <= (1 if SITES[shown["match"]["game"]].wide else 2)
    return KeyMatch(shown, turn, verdict, is_board and turn is not None, highlight)


def explained_key_match(match_id: int, *, now: datetime) -> KeyMatch:
    """Return a finished match with its game's verdict or the reason why there is none."""
    return with_gap(key_match(match_id), now=now)


def with_gap(key: KeyMatch, *, now: datetime, is_recent: bool = False) -> KeyMatch:
    """Return the key match with the reason why it has no verdict.

    ``is_recent``: whether the match is part of a tournament that has just finished.
    """
    if key.verdict:
        return key
    match, outcome = key.snapshot["match"], key.snapshot["outcome"]
    job = expected_verdict(match["id"], match["game"], now=now, is_recent_key_match=is_recent)
    if job is not None:
        return replace(key, gap=VerdictGap.RUNNING if job is VerdictJob.RUNNING else VerdictGap.WAITING)
    if outcome and outcome["termination"] != Termination.COMPLETED:
        return replace(key, gap=VerdictGap.NOT_PLAYED_OUT)
    return replace(key, gap=VerdictGap.NOT_ANALYSED if needs_job(match["game"]) else VerdictGap.NOT_FOUND)
