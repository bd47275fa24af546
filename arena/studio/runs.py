"""Runs of drafts: request, cancel, clean up.

Invariants: a person has at most one unfinished run, so a new one cancels the previous one; a run pins the files of the
draft and the versions of its opponents; its matches do not appear in any list, rating, export or bot history.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from arena.accounts.models import User
from arena.celery import Queue
from arena.classes.quotas import lock_person
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.core.sandbox.errors import SandboxError
from arena.games.base import SettingsError
from arena.games.localized_messages import translate_message
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.matches.broadcast import last_event_number
from arena.platform.jobs.announcer import AttemptEnd
from arena.platform.jobs.attempt import Endings
from arena.platform.jobs.dispatcher import wake_ups_per_game
from arena.platform.jobs.fair_share import SharedQueue, person_party
from arena.platform.jobs.job_kind import JobKind
from arena.platform.jobs.lifecycle import JobQueue, Lease
from arena.platform.jobs.stalled import StallDetector
from arena.platform.live.publisher import supersede
from arena.platform.refusal import Refused
from arena.studio import opponents, quota
from arena.studio.checksums import bot_checksum
from arena.studio.drafts import DraftFiles, Workspace, upload_of
from arena.studio.models import UNFINISHED, Draft, Run, RunStatus
from arena.submissions import store
from arena.submissions.store import ContentLost

TOPIC: Final = "runs"
RUN_TASK: Final = "arena.studio.tasks.run"
MATCHES_PER_BATCH: Final = 20  # matches in a run started with "Run 20"
KEPT_RUNS: Final = 5  # runs kept per person, with their matches
RETENTION: Final = timedelta(days=1)

JOBS = JobQueue(Run, RunStatus.QUEUED, RunStatus.RUNNING)
SHARED_QUEUE = SharedQueue(JOBS)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A requested run.

    ``opponents``: ids of bots; ``settings``: the game's settings, {} for the defaults.
    """

    opponents: Sequence[int]
    games: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)


def topic(run_id: int) -> str:
    return f"{TOPIC}/{run_id}"


def request_run(
    workspace: Workspace, name: str, files: DraftFiles, wanted: RunRequest, *, now: datetime, rng: random.Random
) -> Run:
    """Start a run of these files and cancel the person's earlier one. Raises Refused."""
    game = GAMES[workspace.game]
    try:
        chosen = game.settings_json(game.settings({**SITES[workspace.game].scrimmage, **wanted.settings}))
    except SettingsError as error:
        raise Refused(translate_message(error.message), code=error.message.code) from error
    if wanted.games not in (1, MATCHES_PER_BATCH):
        raise ValueError(f"a run has 1 or {MATCHES_PER_BATCH} matches, not {wanted.games}")
    package = upload_of(files).package
    seats = opponents.opponents_json(workspace.game, wanted.opponents)
    with transaction.atomic():
        person: User = lock_person(workspace.person.pk)
        quota.check_hourly_limit(person, now=now)
        cancel(list(Run.objects.filter(person=person, status__in=UNFINISHED).values_list("pk", flat=True)))
        made = Run.objects.create(
            person=person,
            bot_id=workspace.bot_id,
            game=workspace.game,
            package=store.zip_files(package.files),
            sha256=package.sha256,
            checksum=bot_checksum(files.texts),
            name=name[:80],
            opponents=seats,
            settings=chosen,
            seed=rng.getrandbits(48),
            first_seat=rng.randrange(len(seats) + 1),
            games=wanted.games,
            party=person_party(person.pk),
        )
        Draft.objects.filter(person=person, bot=workspace.bot_id, game=workspace.game).update(
            opponents=list(wanted.opponents)
        )
        _delete_old_content(person.pk)
        transaction.on_commit(partial(RUNS.wake, [made.pk]))
    return made


def assign_to_new_bot(workspace: Workspace, bot_id: int) -> None:
    """Assign the runs of a new bot's draft to the bot created from it, so that the next draft starts without runs."""
    Run.objects.filter(person=workspace.person, bot=None, game=workspace.game).update(bot=bot_id)


def cancel(run_ids: Sequence[int]) -> int:
    """Cancel unfinished runs; return how many. Workers drop cancelled runs at their next heartbeat."""
    return RUNS.cancel(run_ids, UNFINISHED, status=RunStatus.CANCELLED, finished_at=timezone.now(), package=b"")


def _delete_old_content(person_id: int) -> None:
    """Delete the content of old runs, but not their rows, which still count towards the hourly limit."""
    ended = Run.objects.filter(person=person_id).exclude(status__in=UNFINISHED).order_by("-pk")
    old = list(ended.exclude(record=b"").values_list("pk", flat=True)[KEPT_RUNS:])
    Run.objects.filter(pk__in=old).update(record=b"", log=b"", marks=[], faults=[])


def delete_old_runs(*, now: datetime) -> int:
    """Delete obsolete runs; return how many were deleted."""
    old = Run.objects.filter(created_at__lt=now - RETENTION).exclude(status__in=UNFINISHED)
    return old.delete()[0]


def claims_in_turn(
    run_id: int, *, worker: str, games: Callable[[Queue], Collection[str]]
) -> Callable[[], Lease | None]:
    """Return a function that claims the next run on each call; see ``arena.matches.services.claims_in_turn``."""
    return RUNS.claims_in_turn(run_id, SHARED_QUEUE, worker=worker, game="game", games=games(Queue.RUNS))


def sweep(detector: StallDetector, *, now: datetime) -> int:
    """Requeue runs whose workers have died, or void them after the last attempt; wake workers for waiting runs.

    Return the number of runs for which workers were woken.
    """
    return RUNS.sweep(detector, now=now)


def _supersede_attempt(run_id: int, fence: int, end: AttemptEnd) -> None:
    """Publish an attempt's last event, which says how the attempt ended without a result."""
    supersede(topic(run_id), last_event_number(fence), {"type": end.value})


RUNS = JobKind(
    JOBS,
    wake_ups_per_game(JOBS, RUN_TASK, Queue.RUNS, "game"),
    given_up=lambda now: {"status": RunStatus.VOID, "finished_at": now, "package": b""},
    endings=Endings(failures=(RefereeFailure, SandboxError, ContentLost), stopped=(MatchStopped,)),
    publish=_supersede_attempt,
)
