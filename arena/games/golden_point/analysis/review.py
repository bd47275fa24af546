"""The review of a finished match: how it was decided, and where each losing seat lost the most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.core.cache import cache

from arena.core.referee.faults import FaultKind
from arena.core.referee.record import Record
from arena.games.base import Termination
from arena.games.golden_point.analysis.seat_verdict import loss_message
from arena.games.golden_point.analysis.sources import GAME
from arena.games.golden_point.analysis.verdict import verdict
from arena.games.golden_point.evaluation.final_lead import FinalLead, final_lead, standings
from arena.games.golden_point.evaluation.golden_match import match_from_record
from arena.games.golden_point.evaluation.mistakes import CostliestMistakes, costliest_mistakes
from arena.games.golden_point.rules import GAME as RULES
from arena.games.review import Review, Verdict
from arena.matches.models import Match
from arena.matches.queries import seat_rows, unambiguous_names
from arena.matches.records import record_of

_MAX_MOVES: Final = 100_000  # in a match that is reviewed while the page loads
_CACHE_SECONDS: Final = 24 * 3600  # seconds


@dataclass(frozen=True, slots=True)
class Findings:
    """The part of a review that does not depend on the reader's language.

    ``rounds``: number of rounds in the settings. ``mistakes``: the costliest mistakes of each seat that lost through
    play. ``resigned``: the seats of people who resigned.
    """

    lead: FinalLead
    rounds: int
    mistakes: Mapping[int, CostliestMistakes]
    resigned: frozenset[int]


def review(match_id: int) -> Review | None:
    """Return the review; None if the match has no record or no result, or is too long to review while a page loads.

    The findings are cached; the names are read every time, because they are in the reader's language.
    """
    match = Match.objects.filter(pk=match_id, game=GAME).values_list("turns", "seed").first()
    lines = seat_rows(match_id)
    if match is None or match[0] * len(lines) > _MAX_MOVES:
        return None
    key = f"golden-point-findings/{match_id}/{match[1]}"  # the seed, because ids are reused after a database reset
    found: Findings | None = cache.get(key)
    if found is None:
        record = record_of(match_id)
        found = findings_of(record) if record else None
        if found is None:
            return None
        cache.set(key, found, _CACHE_SECONDS)
    return _create_review(found, unambiguous_names(lines))


def findings_of(record: Record) -> Findings | None:
    """Return the findings; None if the match has no turns or reached its time limit."""
    if record.outcome.termination is Termination.TIME_LIMIT or not record.turns:
        return None
    lead = final_lead(standings(record))
    resigned = frozenset(move.seat for turn in record.turns for move in turn.moves if move.fault is FaultKind.RESIGNED)
    return Findings(lead, RULES.settings(record.settings).rounds, _mistakes(record), resigned)


def _mistakes(record: Record) -> dict[int, CostliestMistakes]:
    """Return the costliest mistakes of each seat that lost through play; a fault explains the other losses."""
    faulty = {move.seat for turn in record.turns for move in turn.moves if move.fault is not None}
    lost = [seat for seat, rank in enumerate(record.outcome.ranks) if rank > 1 and seat not in faulty]
    return costliest_mistakes(match_from_record(record), lost)


def _create_review(found: Findings, names: Sequence[str]) -> Review:
    """Create the review: verdicts on seats that lost through mistakes, and on the whole match for all other seats."""
    turn, message = verdict(found.lead, found.rounds, names, found.resigned)
    whole = [Verdict(seat, turn, message, is_round=True) for seat in range(len(names))]
    verdicts = [
        Verdict(one.seat, mistakes.example, loss_message(mistakes, names[one.seat]), is_round=True)
        if (mistakes := found.mistakes.get(one.seat))
        else one
        for one in whole
    ]
    return Review(tuple(sorted(verdicts, key=lambda one: one.turn)), overall=whole[found.lead.leaders[0]])
