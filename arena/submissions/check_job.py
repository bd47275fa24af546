"""Run the check of a submission, from a worker's claim to the stored result.

Invariants: every write depends on the lease's fencing token, so a worker that has lost its lease changes nothing;
everything is stored before it is published; the arena's own failures release the submission and never count against its
author; after the last attempt, the check is void and can be requested again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from django.db import transaction
from django.db.models import F, Sum
from django.db.models.functions import Coalesce, Length
from django.utils import timezone

from arena.celery import Queue
from arena.core.referee.check_report import CheckReport, CheckStep, StepState
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.core.referee.record import dump
from arena.core.referee.replay import replay
from arena.core.sandbox.errors import SandboxError
from arena.games.registry import GAMES
from arena.notifications.models import Kind
from arena.notifications.services import notify
from arena.platform.jobs.attempt import Endings
from arena.platform.jobs.dispatcher import wake_ups_per_game
from arena.platform.jobs.fair_share import SharedQueue
from arena.platform.jobs.job_kind import JobKind
from arena.platform.jobs.lifecycle import JobQueue, Lease, StalledJob, leased_row, store_result
from arena.platform.jobs.stalled import StallDetector
from arena.platform.live.publisher import publish
from arena.platform.retention import DeletionResult
from arena.submissions.domain_events import CheckFinished, VersionActivated, check_finished, version_activated
from arena.submissions.elapsed import with_elapsed, with_start_time
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.submissions.store import ContentLost

logger = logging.getLogger(__name__)

JOBS = JobQueue(Submission, SubmissionStatus.WAITING, SubmissionStatus.CHECKING)
SHARED_QUEUE = SharedQueue(JOBS)
CHECK_TASK = "arena.submissions.tasks.check"


@dataclass(frozen=True, slots=True)
class CheckJob:
    """The data of a claimed submission that a checker needs."""

    submission_id: int
    game: str
    sha256: str


class Checker(Protocol):
    """A checker that runs the steps of a check and reports each one; stops once ``stop`` returns true."""

    def __call__(self, job: CheckJob, on_step: Callable[[CheckStep], None], stop: Callable[[], bool]) -> CheckReport:
        """Run the check.

        Raises RefereeFailure, SandboxError or ContentLost if the arena failed; also raises MatchStopped, DiskFull and
        StoreUnavailable.
        """


def topic(submission_id: int) -> str:
    return f"submissions/{submission_id}"


class CheckProgress:
    """The progress of a running check, whose steps are stored and published one by one."""

    def __init__(self, lease: Lease, seq: int) -> None:
        self._lease, self.seq = lease, seq
        self._steps: dict[str, dict[str, Any]] = {}

    def on_step(self, step: CheckStep) -> None:
        now = timezone.now()
        shown = with_start_time(step.to_json(), now)
        self._steps[shown["name"]] = shown
        self.seq += 1
        with transaction.atomic():
            if leased_row(self._lease).update(steps=list(self._steps.values()), event_seq=self.seq):
                event = {"type": "step", "step": with_elapsed([shown], now)[0]}
                transaction.on_commit(partial(publish, topic(self._lease.pk), self.seq, event))


def check(submission_id: int, *, worker: str, checker: Checker, stopping: Callable[[], bool] = lambda: False) -> bool:
    """Claim and check this submission; return False if there was nothing to claim or no result was stored."""
    lease = CHECKS.claim(submission_id, worker=worker)
    return lease is not None and check_claimed(lease, checker=checker, stopping=stopping)


def claims_in_turn(
    submission_id: int, *, worker: str, games: Callable[[Queue], Collection[str]]
) -> Callable[[], Lease | None]:
    """Return a function that claims the next submission on each call; it returns None if there is nothing to claim.

    ``submission_id``: the submission for which the worker was woken; ``games``: returns the games that the worker
    serves in a queue.
    """
    return CHECKS.claims_in_turn(
        submission_id, SHARED_QUEUE, worker=worker, game="bot__game", games=games(Queue.CHECKS)
    )


def check_claimed(lease: Lease, *, checker: Checker, stopping: Callable[[], bool] = lambda: False) -> bool:
    """Check a claimed submission; return False if no result was stored.

    ``stopping``: returns true once the worker is shutting down; the submission is then released without counting the
    attempt.
    """

    def work(stop: Callable[[], bool]) -> bool:
        row = Submission.objects.select_related("bot").get(pk=lease.pk)
        progress = CheckProgress(lease, row.event_seq)
        report = checker(CheckJob(row.pk, row.bot.game, row.sha256), progress.on_step, stop)
        return _store_verdict(lease, row, report, progress.seq + 1)

    return CHECKS.run_job(lease, work, stopping=stopping)


def _store_verdict(lease: Lease, row: Submission, report: CheckReport, seq: int) -> bool:
    status = SubmissionStatus.PASSED if report.passed else SubmissionStatus.FAILED
    with transaction.atomic():
        # Locked first, so that if two checks end simultaneously, the newer submission becomes active.
        Bot.objects.select_for_update().get(pk=row.bot_id)
        stored = store_result(
            lease,
            status=status,
            steps=[step.to_json() for step in report.steps],
            log=report.log,
            record=dump(report.record) if report.record else None,
            position=report.position.to_json() if report.position else None,
            event_seq=seq,
            checked_at=timezone.now(),
            output_deleted_at=None,
        )
        if not stored:
            logger.info("submission %s: result under fence %s dropped", row.pk, lease.fence)
            return False
        if report.passed:
            _activate_if_newest(row)
        else:
            _notify_author(lease, row)
        check_finished.publish(CheckFinished(row.pk, lease.fence))
        turns = replay(report.record, GAMES) if report.record else []
        event = {"type": "done", "status": status.value, "turns": turns}
        transaction.on_commit(partial(publish, topic(row.pk), seq, event))
    return True


def _notify_author(lease: Lease, row: Submission) -> None:
    """Notify the author of the result, because they may have left the page."""
    context = {"bot": row.bot.name, "version": row.number, "submission": row.pk}
    event = f"submission/{row.pk}/check/{lease.fence}"
    notify(Kind.CHECK_FAILED, [row.bot.owner_id], context, event=event)


def _activate_if_newest(row: Submission) -> None:
    newer = Submission.objects.filter(bot_id=row.bot_id, number__gt=row.number, status=SubmissionStatus.PASSED)
    if not newer.exists():
        activate_submission(row.bot_id, row.pk)


def activate_submission(bot_id: int, submission_id: int) -> None:
    """Activate a submission that has passed, unless it is active already; call this in a transaction."""
    before = Bot.objects.select_for_update().values_list("active_id", flat=True).get(pk=bot_id)
    if before != submission_id:
        Bot.objects.filter(pk=bot_id).update(active_id=submission_id)
        version_activated.publish(VersionActivated(bot_id, submission_id, is_first=before is None))


def wake_workers(submission_ids: Iterable[int]) -> None:
    """Wake workers for these submissions, if their checks are still waiting."""
    CHECKS.wake(submission_ids)


def sweep(detector: StallDetector, *, now: datetime) -> int:
    """Requeue checks whose workers have died, or void them after the last attempt; wake workers for waiting checks.

    Return the number of checks for which workers were woken.
    """
    return CHECKS.sweep(detector, now=now)


def _on_void(submission_id: int) -> None:
    seq, steps = Submission.objects.values_list("event_seq", "steps").get(pk=submission_id)
    ended = [step for step in steps if step["state"] != StepState.RUNNING]  # the step that was running has ended
    Submission.objects.filter(pk=submission_id).update(steps=ended)
    event = {"type": "done", "status": SubmissionStatus.VOID.value, "turns": []}
    transaction.on_commit(partial(publish, topic(submission_id), seq, event))


def _announce_requeued(attempt: StalledJob | Lease) -> None:
    """Notify open pages that the check is waiting for its next attempt."""
    Submission.objects.filter(pk=attempt.pk).update(event_seq=F("event_seq") + 1)
    seq = Submission.objects.values_list("event_seq", flat=True).get(pk=attempt.pk)
    transaction.on_commit(partial(publish, topic(attempt.pk), seq, {"type": "requeued"}))


CHECKS = JobKind(
    JOBS,
    wake_ups_per_game(JOBS, CHECK_TASK, Queue.CHECKS, "bot__game"),
    given_up=lambda now: {"status": SubmissionStatus.VOID, "checked_at": now, "event_seq": F("event_seq") + 1},
    endings=Endings(failures=(RefereeFailure, SandboxError, ContentLost), stopped=(MatchStopped,)),
    on_given_up=_on_void,
    on_requeued=_announce_requeued,
)


def delete_outputs(before: datetime, most: int) -> DeletionResult:
    """Delete the outputs of at most ``most`` checks that ended before a given time.

    The output, the trial match and the position are deleted; the steps with the result and the fault are kept.
    """
    due = Submission.objects.filter(checked_at__lt=before, output_deleted_at=None).order_by("checked_at")
    rows = Submission.objects.filter(pk__in=list(due.values_list("pk", flat=True)[:most]))
    freed = rows.aggregate(n=Sum(Length("log") + Coalesce(Length("record"), 0)))["n"] or 0
    changed = rows.update(log=b"", record=None, position=None, output_deleted_at=timezone.now())
    return DeletionResult(changed, freed)
