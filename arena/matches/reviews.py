"""Registry of games' match reviews: the verdict under the title, the lead after each turn, and a panel.

A game's app registers its review; pages query this registry and are independent of games. Callers must check that the
reader may see the match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.db.models import Q

from arena.accounts.panels import Panel
from arena.games.base import Termination
from arena.games.review import Review, Verdict
from arena.matches.losses import is_recent_loss
from arena.matches.models import Match

# Takes the id of a finished match; returns the current review or None. Must be fast enough for a page.
Reviewer = Callable[[int], "Review | None"]


class VerdictJob(StrEnum):
    """The state of the job that computes the verdict on a match."""

    WAITING = "waiting"
    RUNNING = "running"
    OVER = "over"  # the job has ended, or no job will be created


# Takes the id of a finished match; returns the state of its job, or None if there is no job yet.
JobState = Callable[[int], "VerdictJob | None"]

# Filter for the tournament matches that can get a job without a request: those that were played to the end, are not
# withheld, and still have a record.
REVIEWABLE: Final = Q(termination=Termination.COMPLETED, withheld=False, record__isnull=False)
_EXPECTED_WITHIN: Final = timedelta(minutes=15)
_REVIEWERS: dict[str, Reviewer] = {}
_PANELS: dict[str, str] = {}  # templates by game
_JOBS: dict[str, JobState] = {}  # games whose verdicts come from jobs


def register(game: str, reviewer: Reviewer, *, panel: str = "", job: JobState | None = None) -> None:
    """Register a game's reviewer and the template of its panel; called once, when the game's app is ready.

    ``job``: returns the state of a match's job, for games whose verdicts come from jobs of the game's app. Such an app
    notifies the authors itself.
    """
    if _REVIEWERS.setdefault(game, reviewer) is not reviewer:
        raise RuntimeError(f"reviews for {game} are registered twice")
    if panel:
        _PANELS[game] = panel
    if job:
        _JOBS[game] = job


def reviewers_on_demand() -> dict[str, Reviewer]:
    """Return, by game, the reviewers that compute their verdicts when they are called."""
    return {game: reviewer for game, reviewer in _REVIEWERS.items() if game not in _JOBS}


def review_of(snapshot: Mapping[str, Any]) -> Review | None:
    """Return the review of the match in a snapshot; None before the match ends."""
    reviewer = _REVIEWERS.get(snapshot["match"]["game"]) if snapshot["outcome"] and snapshot["match"]["id"] else None
    return reviewer(snapshot["match"]["id"]) if reviewer else None


def panels_of(snapshot: Mapping[str, Any], review: Review | None) -> list[Panel]:
    """Return the game's panel for the match page, as a list; [] if the review has none."""
    template = _PANELS.get(snapshot["match"]["game"])
    content = review.panel() if template and review and review.panel else None
    return [Panel(template, content)] if template and content else []


def verdict_on_seat(game: str, match_id: int, seat: int) -> Verdict | None:
    """Return the game's verdict on one seat of a finished match; None if the seat has no verdict."""
    reviewer = _REVIEWERS.get(game)
    review = reviewer(match_id) if reviewer else None
    return review.verdict_for([seat]) if review else None


def costliest_verdict(game: str, match_id: int) -> Verdict | None:
    """Return the verdict on the move that lost the most in a finished match; None if the game does not measure it."""
    reviewer = _REVIEWERS.get(game)
    review = reviewer(match_id) if reviewer else None
    return max((one for one in review.verdicts if one.cost), key=lambda one: one.cost, default=None) if review else None


def has_verdict(game: str, match_id: int) -> bool:
    """Return whether there is a verdict on a finished match."""
    reviewer = _REVIEWERS.get(game)
    review = reviewer(match_id) if reviewer else None
    return review is not None and bool(review.verdicts)


def main_verdict(review: Review | None, snapshot: Mapping[str, Any]) -> Verdict | None:
    """Return the most relevant verdict.

    Readers with a seat get the verdict on their own seat. Spectators get the verdict on the whole match or, if there is
    none, the verdict on the losing seat with the best rank.
    """
    if review is None:
        return None
    reader, ranks = snapshot.get("reader"), snapshot["outcome"]["ranks"]
    if reader:
        return review.verdict_for([reader["seat"]])
    return review.overall or review.verdict_for(_losers(ranks))


def expected_verdict(
    match_id: int, game: str, *, now: datetime, is_recent_key_match: bool = False
) -> VerdictJob | None:
    """Return the state of the job that will probably produce a verdict soon; None if no verdict is expected.

    Two kinds of matches get a job within minutes: those that a person's bot has lost through play, and key matches of
    tournaments that have just finished. Other matches get a job only if somebody requests it.
    """
    state_of = _JOBS.get(game)
    if state_of is None:
        return None
    state = state_of(match_id)
    if state is None and is_recent_loss(match_id, since=now - _EXPECTED_WITHIN):
        return VerdictJob.WAITING
    if state is None and is_recent_key_match and Match.objects.filter(REVIEWABLE, pk=match_id).exists():
        return VerdictJob.WAITING
    return None if state is VerdictJob.OVER else state


def needs_job(game: str) -> bool:
    """Return whether a game's verdicts come from jobs, which not every match gets."""
    return game in _JOBS


def _losers(ranks: Sequence[int | None]) -> list[int]:
    """Return the losing seats; all seats if nobody won."""
    if len(ranks) == 1:
        return [0]
    placed = sorted((rank or 0, seat) for seat, rank in enumerate(ranks))
    return [seat for rank, seat in placed if rank != 1] or [seat for _, seat in placed]
