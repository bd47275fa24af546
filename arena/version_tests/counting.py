"""Count the pairs' results, in the order in which the pairs were planned.

Invariant: a pair is counted once, after all pairs before it, so that a test is not decided by quick matches before slow
ones have been counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.core.ranking.version_test import GainVerdict
from arena.matches.models import MatchStatus, Seat
from arena.version_tests.evidence import is_ranked, plan_of_test, test_from_json, test_to_json
from arena.version_tests.models import MatchPair, PairMatch, PairStatus, VersionTest

MAX_PAIRS_SKIPPED: Final = 10


def count_finished_pairs(test: VersionTest) -> bool:
    """Count the finished pairs; return whether there were any.

    Must be called in a transaction that locks the test's row.
    """
    before = test.folded
    state = test_from_json(test.evidence, plan_of_test(test), test.most_pairs)
    for pair in test.pairs.filter(number__gt=test.folded).order_by("number"):
        if pair.number != test.folded + 1 or state.verdict is not GainVerdict.RUNNING:
            break
        status = _status(pair)
        if status is PairStatus.OPEN:
            break
        if status is PairStatus.COUNTED:
            pair.result = result_of(test, pair)
            state = state.add(pair.result)
            pair.better, pair.worse = state.better.ratio, state.worse.ratio
        else:
            test.skipped += 1
        pair.status = status
        pair.save(update_fields=["status", "result", "better", "worse"])
        test.folded = pair.number
    if test.folded == before:
        return False
    test.evidence, test.verdict = test_to_json(state), state.verdict.value
    test.save(update_fields=["folded", "skipped", "evidence", "verdict"])
    return True


def recompute(test: VersionTest) -> tuple[dict[str, object], str]:
    """Recompute the evidence and the result from the matches alone, to verify ``count_finished_pairs``."""
    state = test_from_json({}, plan_of_test(test), test.most_pairs)
    for pair in test.pairs.filter(number__lte=test.folded).order_by("number"):
        if _status(pair) is PairStatus.COUNTED:
            state = state.add(result_of(test, pair))
    return test_to_json(state), state.verdict.value


def result_of(test: VersionTest, pair: MatchPair) -> float:
    """Return the result of a pair of finished matches: 0 to 2 points, or the mean difference in points per match."""
    rows = Seat.objects.filter(match__version_test_match__pair=pair).values_list("match_id", "submission_id", "points")
    seats = list(rows)
    new, old = (_points(seats, one) for one in (test.new_id, test.old_id))
    if is_ranked(test.bot.game):
        return new
    both = sum(submission == test.new_id for _, submission, _ in seats)  # number of matches in which it played
    return (new - old) / max(1, both)


def _points(seats: Sequence[tuple[int, int | None, float | None]], submission: int) -> float:
    return sum(points or 0.0 for _, seated, points in seats if seated == submission)


def _status(pair: MatchPair) -> PairStatus:
    """Return the pair's status; void matches are not rerun automatically, so their pair is skipped."""
    found = set(PairMatch.objects.filter(pair=pair).values_list("match__status", flat=True))
    if MatchStatus.VOID in found:
        return PairStatus.SKIPPED
    return PairStatus.COUNTED if found == {MatchStatus.FINISHED} else PairStatus.OPEN
