"""Callbacks for the matches of version tests; see arena.matches.callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.matches.callbacks import MatchCallbacks, MatchContext, StoredResult
from arena.ratings import spare_capacity
from arena.version_tests import services
from arena.version_tests.models import PairMatch


def _record_start(match_id: int) -> None:
    services.record_match_start(match_id, now=timezone.now())


def _continue_after_result(result: StoredResult) -> None:
    _continue_test(result.match_id)


def _continue_test(match_id: int) -> None:
    """Advance the test after the commit, when the result is visible; if this step is lost, the next tick repeats it."""
    test_id = PairMatch.objects.filter(match=match_id).values_list("pair__test_id", flat=True).first()
    if test_id is not None:
        transaction.on_commit(partial(_advance, test_id), robust=True)


def _advance(test_id: int) -> None:
    now = timezone.now()
    services.advance(test_id, may_plan=False, now=now)
    if services.needs_pairs(test_id) and spare_capacity.measure_spare_capacity(now).is_idle:
        services.advance(test_id, may_plan=True, now=now)


def _contexts(match_ids: Sequence[int]) -> Mapping[int, MatchContext]:
    rows = PairMatch.objects.filter(match__in=match_ids).select_related("pair__test__new", "pair__test__old")
    return {
        row.match_id: MatchContext(
            _("Test of v%(new)s against v%(old)s") % {"new": test.new.number, "old": test.old.number},
            reverse("version-test", args=[test.bot_id, test.number]),
        )
        for row in rows
        for test in [row.pair.test]
    }


CALLBACKS = MatchCallbacks(
    started=_record_start, finished=_continue_after_result, void=_continue_test, contexts=_contexts
)
