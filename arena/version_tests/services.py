"""Start, advance and end version tests.

Invariants: the whole test is stored in the database, so the next tick repeats any step that was lost; repeating a step
has no effect. A person has at most one active test. Test matches use workers in the same way as the ladder: they wait
in the ladder's queue, are created only while nothing else is waiting, and are cancelled as soon as other work lacks a
free process. Cancelled matches are rerun later as planned.
"""

from __future__ import annotations

import random
from datetime import datetime
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.classes.quotas import lock_person
from arena.core.ranking.sprt import EloModel
from arena.core.ranking.version_test import Gain, GainVerdict
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import UNFINISHED, cancel
from arena.platform.refusal import Refused
from arena.ratings.spare_capacity import SpareCapacity
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.version_tests import notifications
from arena.version_tests.counting import MAX_PAIRS_SKIPPED, count_finished_pairs
from arena.version_tests.events import publish_change
from arena.version_tests.evidence import plan_of
from arena.version_tests.models import ACTIVE, PairStatus, VersionTest, VersionTestStatus
from arena.version_tests.planning import PAIRS_AT_ONCE, plan_pairs

FEW_PAIRS = PAIRS_AT_ONCE // 2  # if fewer pairs are in progress, more are planned


def start(
    person: User,
    bot_id: int,
    *,
    new: int,
    old: int,
    gain: Gain,
    rng: random.Random,
    elo_model: EloModel = EloModel.LOGISTIC,
) -> VersionTest:
    """Create a test that compares two of the bot's submissions; idle workers play its matches. Raises Refused."""
    with transaction.atomic():
        lock_person(person.pk)
        bot = Bot.objects.get(pk=bot_id)
        _check(person, bot, new, old)
        last = VersionTest.objects.filter(bot=bot).aggregate(last=Max("number"))["last"] or 0
        try:
            with transaction.atomic():
                return VersionTest.objects.create(
                    bot=bot,
                    number=last + 1,
                    author=person,
                    new_id=new,
                    old_id=old,
                    gain=gain.value,
                    elo_model=elo_model.value,
                    seed=rng.getrandbits(48),
                    most_pairs=plan_of(bot.game, gain, elo_model).max_pairs,
                )
        except IntegrityError as error:
            raise _one_at_a_time_error() from error


def _check(person: User, bot: Bot, new: int, old: int) -> None:
    if bot.retired:
        raise Refused(_("This bot is retired. Restore it before you test its versions."), code="retired")
    if new == old:
        raise Refused(_("Choose two different versions."), code="same_version", field="old")
    if Submission.objects.filter(pk__in=(new, old), bot=bot, status=SubmissionStatus.PASSED).count() != 2:
        raise Refused(_("Choose two versions of this bot that passed their check."), code="not_passed")
    if VersionTest.objects.filter(author=person, status__in=ACTIVE).exists():
        raise _one_at_a_time_error()


def _one_at_a_time_error() -> Refused:
    return Refused(
        _("You already have a running version test. Wait for it to finish, or cancel it."), code="already_running"
    )


def cancel_test(test_id: int, *, now: datetime) -> None:
    """Cancel a test and keep its results so far. Raises Refused if it has ended."""
    with transaction.atomic():
        if not _end_test(test_id, VersionTestStatus.CANCELLED, now=now):
            raise Refused(_("This test has already ended. Reload the page to see its result."), code="already_ended")


def tick(spare: SpareCapacity, *, now: datetime) -> None:
    """Plan matches of each active test for idle workers, or cancel matches if other work lacks workers."""
    active = list(VersionTest.objects.filter(status__in=ACTIVE).order_by("pk").values_list("pk", "bot__game"))
    if spare.is_short:
        waiting = Match.objects.filter(purpose=Purpose.VERSION_TEST, status__in=UNFINISHED)
        cancel(list(waiting.values_list("pk", flat=True)))
    for test_id, game in active:
        advance(test_id, may_plan=spare.is_idle and game in spare.served, now=now)


def advance(test_id: int, *, may_plan: bool, now: datetime) -> None:
    """Count finished pairs, then end the test or, if ``may_plan`` is true, plan its next pairs."""
    with transaction.atomic():
        test = VersionTest.objects.select_for_update(of=("self",)).select_related("bot").get(pk=test_id)
        if test.status not in ACTIVE:
            return
        counted = count_finished_pairs(test)
        end = _reason_to_end(test)
        if end is not None:
            _end_test(test_id, end, now=now)
            return
        if may_plan:
            plan_pairs(test)
        if _set_waiting(test) or counted:
            publish_change(test_id)


def record_match_start(match_id: int, *, now: datetime) -> None:
    """Record that a match of a test is being played; called in the transaction in which a worker claims it."""
    rows = VersionTest.objects.filter(pairs__matches__match=match_id, status=VersionTestStatus.WAITING)
    for test_id in list(rows.values_list("pk", flat=True)):
        VersionTest.objects.filter(pk=test_id, started_at=None).update(started_at=now)
        if _change_status(test_id, VersionTestStatus.WAITING, VersionTestStatus.RUNNING):
            publish_change(test_id)


def needs_pairs(test_id: int) -> bool:
    """Return whether too few pairs are in progress to keep the workers busy."""
    test = VersionTest.objects.filter(pk=test_id, status__in=ACTIVE).first()
    return test is not None and test.pairs.filter(status=PairStatus.OPEN).count() <= FEW_PAIRS


def _reason_to_end(test: VersionTest) -> VersionTestStatus | None:
    if test.verdict != GainVerdict.RUNNING:
        return VersionTestStatus.FINISHED
    if test.skipped >= MAX_PAIRS_SKIPPED:
        return VersionTestStatus.FAILED
    return VersionTestStatus.CANCELLED if test.bot.retired else None


def _set_waiting(test: VersionTest) -> bool:
    """Set a running test back to waiting if it has yielded to other work; return whether it has."""
    playing = test.pairs.filter(
        matches__match__status__in=(MatchStatus.QUEUED, MatchStatus.RUNNING, MatchStatus.FINISHED),
        status=PairStatus.OPEN,
    )
    return not playing.exists() and _change_status(test.pk, VersionTestStatus.RUNNING, VersionTestStatus.WAITING)


def _change_status(test_id: int, before: VersionTestStatus, after: VersionTestStatus) -> bool:
    return bool(VersionTest.objects.filter(pk=test_id, status=before).update(status=after))


def _end_test(test_id: int, status: VersionTestStatus, *, now: datetime) -> bool:
    """End the test with this status and cancel its unfinished matches; return False if it had already ended."""
    if not VersionTest.objects.filter(pk=test_id, status__in=ACTIVE).update(status=status, ended_at=now):
        return False
    left = Match.objects.filter(version_test_match__pair__test=test_id, status__in=UNFINISHED)
    transaction.on_commit(partial(cancel, list(left.values_list("pk", flat=True))))
    notifications.notify_author(test_id)
    publish_change(test_id)
    return True
