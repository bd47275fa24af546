"""Key matches of a score attack, a format in which no bot meets another.

Invariant: only the newest matches of the best entries are read, and only a few of those are reviewed, so the cost does
not grow with the tournament.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from django.utils.translation import gettext_lazy as _

from arena.core.ranking.seed_scores import SeedScore, best_score, lowest_scores, most_different_scores
from arena.games.review import Verdict
from arena.games.sites import SITES
from arena.matches.models import MatchStatus
from arena.matches.reviews import costliest_verdict
from arena.tournaments.models import PairingSeat, Tournament
from arena.ui.localized import localized_name

_READ: Final = 200  # scores


class HighlightReason(StrEnum):
    """The reason why a match was chosen as a key match."""

    BEST = "best"  # the champion's highest score
    DIFFERENCE = "difference"  # the largest difference between two scores with one random seed
    MISTAKE = "mistake"  # the costliest mistake


_TEXTS: Final = {
    HighlightReason.BEST: _("The champion's best match"),
    HighlightReason.DIFFERENCE: _(
        "Largest difference: with random seed %(seed)s, %(high)s scored %(most)s and %(low)s %(least)s"
    ),
    HighlightReason.MISTAKE: _("The costliest mistake"),
}


@dataclass(frozen=True, slots=True)
class Highlight:
    """A key match of a score attack.

    ``parameters``: the values of the placeholders in ``text``; ``verdict``: the verdict to show instead of the match's
    main one.
    """

    match_id: int
    reason: HighlightReason
    parameters: Mapping[str, str | int] = field(default_factory=dict)
    verdict: Verdict | None = None

    @property
    def text(self) -> str:
        """Return why the match was chosen, in the reader's language."""
        return str(_TEXTS[self.reason]) % self.parameters


def score_highlights(tournament_id: int, best: Sequence[int]) -> list[Highlight]:
    """Return the matches with the champion's best score, the largest difference on one seed, and the costliest mistake.

    ``best``: the entries to consider, the champion first. A match appears only once.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    scores, names = _scores(tournament_id, best)
    found = [
        _best_match(scores, best),
        _largest_difference(tournament, scores, names),
        _costliest_mistake(tournament, scores),
    ]
    chosen = {one.match_id: one for one in reversed(found) if one is not None}
    return list(reversed(chosen.values()))


def _scores(tournament_id: int, best: Sequence[int]) -> tuple[list[SeedScore], dict[int, str]]:
    """Return the best entries' newest scores from matches without a fault, and the entries' names."""
    rows = PairingSeat.objects.filter(
        pairing__tournament=tournament_id,
        pairing__match__status=MatchStatus.FINISHED,
        entry__in=list(best),
        points__isnull=False,
        forfeit=False,
    ).select_related("pairing__round", "entry__bot")
    seats = list(rows.order_by("-pairing_id")[:_READ])
    scores = [
        SeedScore(seat.pairing.match_id or 0, seat.entry_id, seat.pairing.round.number, seat.points or 0.0)
        for seat in seats
    ]
    return scores, {seat.entry_id: localized_name(seat.entry.bot) for seat in seats}


def _best_match(scores: Sequence[SeedScore], best: Sequence[int]) -> Highlight | None:
    found = best_score(scores, best[0]) if best else None
    return Highlight(found.match, HighlightReason.BEST) if found else None


def _largest_difference(tournament: Tournament, scores: Sequence[SeedScore], names: dict[int, str]) -> Highlight | None:
    found = most_different_scores(scores)
    if found is None:
        return None
    high, low = found
    decimals = SITES[tournament.game].score_decimals
    parameters: dict[str, str | int] = {
        "seed": high.round,
        "high": names[high.entry],
        "low": names[low.entry],
        "most": f"{high.score:z.{decimals}f}".replace("-", "\N{MINUS SIGN}"),
        "least": f"{low.score:z.{decimals}f}".replace("-", "\N{MINUS SIGN}"),
    }
    return Highlight(high.match, HighlightReason.DIFFERENCE, parameters)


def _costliest_mistake(tournament: Tournament, scores: Sequence[SeedScore]) -> Highlight | None:
    """Review each entry's lowest-scoring match, and return the one with the costliest mistake."""
    verdicts = [(one.match, costliest_verdict(tournament.game, one.match)) for one in lowest_scores(scores)]
    found = [(verdict.cost, match_id, verdict) for match_id, verdict in verdicts if verdict and verdict.cost]
    if not found:
        return None
    _cost, match_id, verdict = max(found, key=lambda one: (one[0], -one[1]))
    return Highlight(match_id, HighlightReason.MISTAKE, verdict=verdict)
