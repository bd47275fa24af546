"""A check runs from the claim to the stored result, with a scripted checker."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone

from arena.core.messages import ExplainedFailure, verbatim_message
from arena.core.referee.check_report import CheckReport, CheckStep, CheckStepName, StepState
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.core.sandbox.errors import MissingCapability, SandboxFailure, SandboxUnavailable
from arena.notifications.models import Kind, Notification
from arena.platform.jobs.lifecycle import LEASE, MAX_ATTEMPTS, claim
from arena.platform.jobs.stalled import StallDetector
from arena.platform.live.testing import MemoryBroker, memory_broker
from arena.platform.supervisor.testing import ManualClock
from arena.submissions import check_job, private_report, queries, services
from arena.submissions.check_job import CheckJob
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.submissions.store import ContentLost, DiskFull
from tests.factories import bot, submission

pytestmark = pytest.mark.django_db(transaction=True)

STEPS = (
    CheckStep(CheckStepName.SYNTAX, StepState.RUNNING),
    CheckStep(CheckStepName.SYNTAX, StepState.PASSED, verbatim_message("compiles")),
    CheckStep(CheckStepName.IMPORT, StepState.RUNNING),
    CheckStep(CheckStepName.IMPORT, StepState.PASSED, verbatim_message("imports")),
)


class ScriptedChecker:
    """A checker that reports steps and a result, and can run a callback in between."""

    def __init__(
        self, *, passed: bool = True, fails: Exception | None = None, meanwhile: Callable[[], object] = lambda: None
    ) -> None:
        self.jobs: list[CheckJob] = []
        self._passed, self._fails, self._meanwhile = passed, fails, meanwhile

    def __call__(self, job: CheckJob, on_step: Callable[[CheckStep], None], stop: Callable[[], bool]) -> CheckReport:
        self.jobs.append(job)
        for step in STEPS[:2]:
            on_step(step)
        self._meanwhile()
        if stop():
            raise MatchStopped
        if self._fails:
            raise self._fails
        for step in STEPS[2:]:
            on_step(step)
        return CheckReport(self._passed, (STEPS[1], STEPS[3]), None, b"hello\n")


@pytest.fixture(autouse=True)
def broker() -> Iterator[MemoryBroker]:
    with memory_broker() as broker:
        yield broker


@pytest.fixture
def waiting() -> Submission:
    return submission(bot(playable=False), SubmissionStatus.WAITING)


def run(row: Submission, checker: ScriptedChecker) -> bool:
    stored = check_job.check(row.pk, worker="w", checker=checker)
    row.refresh_from_db()
    return stored


def test_check_runs_and_is_stored_once(waiting: Submission, broker: MemoryBroker) -> None:
    checker = ScriptedChecker()
    assert run(waiting, checker)
    assert checker.jobs == [CheckJob(waiting.pk, "reversi", waiting.sha256)]
    assert (waiting.status, bytes(waiting.log), waiting.lease_until) == (SubmissionStatus.PASSED, b"hello\n", None)
    assert [(step["name"], step["state"]) for step in waiting.steps] == [("syntax", "passed"), ("import", "passed")]
    assert waiting.checked_at is not None
    assert Bot.objects.get().active_id == waiting.pk
    assert not run(waiting, checker), "a second delivery finds nothing to claim"


def test_check_steps_are_sent_live(waiting: Submission, broker: MemoryBroker) -> None:
    stored_in_between: list[object] = []

    def look() -> None:
        stored_in_between.extend(Submission.objects.values_list("event_seq", "steps").get())

    run(waiting, ScriptedChecker(meanwhile=look))
    assert stored_in_between == [2, [STEPS[1].to_json()]]
    events = broker.events(f"submissions/{waiting.pk}")
    assert [event["seq"] for event in events] == [1, 2, 3, 4, 5]
    assert [event["type"] for event in events] == ["step"] * 4 + ["done"]
    assert events[1]["step"] == STEPS[1].to_json()
    assert (events[-1]["status"], waiting.event_seq) == ("passed", 5)


def test_failed_submission_does_not_play(waiting: Submission) -> None:
    assert run(waiting, ScriptedChecker(passed=False))
    assert waiting.status == SubmissionStatus.FAILED
    assert Bot.objects.get().active_id is None


def test_author_is_notified_of_each_failed_check(waiting: Submission) -> None:
    run(waiting, ScriptedChecker(passed=False))
    services.check_again(waiting.pk)
    run(waiting, ScriptedChecker(passed=False))
    services.check_again(waiting.pk)
    run(waiting, ScriptedChecker())
    notified = Notification.objects.filter(recipient=waiting.bot.owner, kind=Kind.CHECK_FAILED)
    assert [row.context["submission"] for row in notified] == [waiting.pk, waiting.pk]


def test_arena_failure_sends_no_notification(waiting: Submission) -> None:
    for _ in range(MAX_ATTEMPTS):
        run(waiting, ScriptedChecker(fails=RefereeFailure("the house bot is broken")))
    assert waiting.status == SubmissionStatus.VOID
    assert not Notification.objects.exists()


def test_newest_passed_submission_is_active_in_any_check_order() -> None:
    made = bot(playable=False)
    older, newer = (submission(made, SubmissionStatus.WAITING) for _ in range(2))
    run(newer, ScriptedChecker())
    run(older, ScriptedChecker())
    made.refresh_from_db()
    assert made.active_id == newer.pk


@pytest.mark.parametrize(
    "failure",
    [
        RefereeFailure("the house bot is broken"),
        SandboxFailure("it has exited"),
        SandboxUnavailable([MissingCapability("user namespaces", "sysctl")]),
        ContentLost("package 0 cannot be read"),
    ],
)
def test_check_is_void_after_three_arena_failures(
    waiting: Submission, broker: MemoryBroker, failure: ExplainedFailure
) -> None:
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert not run(waiting, ScriptedChecker(fails=failure))
        assert waiting.attempts == attempt
        last = attempt == MAX_ATTEMPTS
        assert waiting.status == (SubmissionStatus.VOID if last else SubmissionStatus.WAITING)
        assert waiting.failure["message"] == failure.message.text
    events = broker.events(f"submissions/{waiting.pk}")
    assert (events[-1]["type"], events[-1]["status"]) == ("done", "void")
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert not run(waiting, ScriptedChecker())


def test_failed_attempt_shows_the_check_as_waiting(waiting: Submission, broker: MemoryBroker) -> None:
    run(waiting, ScriptedChecker(fails=RefereeFailure("the house bot is broken")))
    events = broker.events(f"submissions/{waiting.pk}")
    assert (events[-1]["type"], events[-1]["seq"]) == ("requeued", waiting.event_seq)
    snapshot = queries.snapshot(waiting.pk)
    assert (snapshot["status"], snapshot["steps"], snapshot["seq"]) == ("waiting", [], waiting.event_seq)
    assert private_report.report_of(waiting.pk).steps == []
    assert run(waiting, ScriptedChecker())
    assert [event["seq"] for event in broker.events(f"submissions/{waiting.pk}")] == list(
        range(1, waiting.event_seq + 1)
    )


def test_check_of_a_dead_worker_is_shown_as_waiting(waiting: Submission, broker: MemoryBroker) -> None:
    now, clock = timezone.now(), ManualClock()
    steps = [{"name": "import", "state": "running", "since": 1.0}]
    Submission.objects.update(status=SubmissionStatus.CHECKING, lease_until=now, attempts=1, steps=steps)
    detector = StallDetector(check_job.JOBS, clock)
    for _ in range(3):
        check_job.sweep(detector, now=now)
        clock.advance(LEASE.total_seconds() / 2)
    assert [event["type"] for event in broker.events(f"submissions/{waiting.pk}")] == ["requeued"]
    assert queries.snapshot(waiting.pk)["steps"] == []


def test_full_disk_delays_a_check_but_never_voids_it(waiting: Submission) -> None:
    for _ in range(5):
        assert not run(waiting, ScriptedChecker(fails=DiskFull("[Errno 28] No space left on device")))
        assert (waiting.status, waiting.attempts) == (SubmissionStatus.WAITING, 0)
    assert run(waiting, ScriptedChecker())


def test_verdict_with_old_fence_is_ignored(waiting: Submission, broker: MemoryBroker) -> None:
    def taken_over() -> None:
        Submission.objects.update(status=SubmissionStatus.WAITING)
        assert claim(check_job.JOBS, waiting.pk, worker="other", now=timezone.now()) is not None

    assert not run(waiting, ScriptedChecker(meanwhile=taken_over))
    assert (waiting.status, waiting.worker, waiting.fence) == (SubmissionStatus.CHECKING, "other", 2)
    assert len(broker.events(f"submissions/{waiting.pk}")) == 2, "what a stale worker sees is not sent on"
    assert Bot.objects.get().active_id is None


def test_worker_shutdown_requeues_check_without_counting_an_attempt(waiting: Submission) -> None:
    assert not check_job.check(waiting.pk, worker="w", checker=ScriptedChecker(), stopping=lambda: True)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.attempts) == (SubmissionStatus.WAITING, 0)


def test_sweep_requeues_lost_checks_and_voids_exhausted_ones() -> None:
    made = bot(playable=False)
    fresh, lost, used_up, done = (
        submission(made, status)
        for status in (
            SubmissionStatus.WAITING,
            SubmissionStatus.CHECKING,
            SubmissionStatus.CHECKING,
            SubmissionStatus.PASSED,
        )
    )
    now = timezone.now()
    Submission.objects.filter(pk__in=[lost.pk, used_up.pk]).update(lease_until=now, attempts=1)
    steps = [{"name": "syntax", "state": "passed"}, {"name": "import", "state": "running", "since": 1.0}]
    Submission.objects.filter(pk=used_up.pk).update(attempts=MAX_ATTEMPTS, steps=steps)
    clock = ManualClock()
    detector = StallDetector(check_job.JOBS, clock)
    assert check_job.sweep(detector, now=now) == 1
    clock.advance(LEASE.total_seconds() / 2)
    assert check_job.sweep(detector, now=now) == 0, "it has just been woken, and the others may be alive"
    clock.advance(LEASE.total_seconds() / 2)
    assert check_job.sweep(detector, now=now) == 1
    for row, status in ((fresh, "waiting"), (lost, "waiting"), (used_up, "void"), (done, "passed")):
        row.refresh_from_db()
        assert row.status == status
        assert (row.woken_at is not None) == (row in (fresh, lost))
    assert used_up.steps == steps[:1], "nothing runs any more"
