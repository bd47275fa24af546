"""Judge finished matches: short matches on the web server, long ones on a worker, which stores the judgement.

    WAITING --claimed--> RUNNING --computed--> READY
    RUNNING --its worker died--> WAITING, or FAILED after the third time

Invariant: a judgement depends only on the record, the weights and the code; a judgement with another version is
recomputed.
"""

from __future__ import annotations

import hashlib
import inspect
import zlib
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import msgspec
from django.core.cache import cache
from django.db import transaction

from arena.celery import Queue, queue_of
from arena.core.referee.record import Record
from arena.games.suit_pairs import observation
from arena.games.suit_pairs.policy import judgement, network
from arena.games.suit_pairs.policy.judgement import Judgement, judge
from arena.games.suit_pairs.policy.models import JudgementStatus, StoredJudgement
from arena.games.suit_pairs.policy.network import shipped_network, weights_file
from arena.games.suit_pairs.rules import GAME
from arena.matches.records import record_of
from arena.platform.jobs.dispatcher import wake_ups_to
from arena.platform.jobs.fair_share import SharedQueue
from arena.platform.jobs.job_kind import JobKind
from arena.platform.jobs.lifecycle import JobQueue, Lease, leased_row, store_result
from arena.platform.jobs.stalled import StallDetector

# The web server judges a thousand decisions in about 0.1 s; a match of ten deals has about five hundred.
MANY_DECISIONS: Final = 1_000
JOBS: Final = JobQueue(StoredJudgement, JudgementStatus.WAITING, JudgementStatus.RUNNING)
SHARED_QUEUE: Final = SharedQueue(JOBS)
JUDGE_TASK: Final = "arena.games.suit_pairs.policy.tasks.judge"
_CACHE_SECONDS: Final = 24 * 3600  # seconds in the cache


def needs_worker(record: Record) -> bool:
    """Return whether the match is too long to be judged on the web server."""
    return len(record.turns) > MANY_DECISIONS


def judgement_of(match_id: int) -> Judgement | JudgementStatus | None:
    """Return the judgement; None for other games, before the match ends, and if there are no weights.

    If the match is too long to be judged on the web server, a worker is asked to compute the judgement, and until the
    judgement is ready, its status is returned.
    """
    weights = shipped_network()
    if weights is None:
        return None
    key = f"suit-pairs-policy/{match_id}/{version()}"
    found: Judgement | None = cache.get(key)
    if found is not None:
        return found
    record = record_of(match_id, game=GAME.name)
    if record is None:
        return None
    found = _stored_judgement(match_id) if needs_worker(record) else judge(record, weights)
    if found is None:
        return _request_judgement(match_id)
    cache.set(key, found, _CACHE_SECONDS)
    return found


def _request_judgement(match_id: int) -> JudgementStatus:
    """Have a worker compute this version of the judgement, unless this was requested before; return its status."""
    with transaction.atomic():
        row, made = StoredJudgement.objects.get_or_create(match_id=match_id, defaults={"version": version()})
        if made:
            transaction.on_commit(partial(JUDGEMENTS.wake, [row.pk]))
        outdated = StoredJudgement.objects.filter(pk=row.pk).exclude(version=version())
        if JUDGEMENTS.retry(outdated, version=version(), data=b""):
            return JudgementStatus.WAITING
    return JudgementStatus(row.status)


def judge_and_store(match_id: int, record: Record) -> None:
    """Judge a long match on the worker that played it, and store the judgement."""
    weights = shipped_network() if needs_worker(record) else None
    if weights is None or _stored_judgement(match_id) is not None:
        return
    values = {"version": version(), "status": JudgementStatus.READY, "data": _pack(judge(record, weights))}
    StoredJudgement.objects.update_or_create(match_id=match_id, defaults=values)


def compute(pk: int, *, worker: str, clock: Callable[[], float]) -> bool:
    """Compute the next judgement in the queue, and then further ones if they are quick.

    ``pk``: the judgement for which the worker was woken; ``clock``: monotonic, in seconds. Returns False if no
    judgement was waiting, or if the last one was not stored.
    """
    return JUDGEMENTS.run_batch(pk, SHARED_QUEUE, lambda lease, stop: _compute(lease), worker=worker, clock=clock)


def _compute(lease: Lease) -> bool:
    record, weights = record_of(lease.row.match_id, game=GAME.name), shipped_network()
    if record is None or weights is None:
        leased_row(lease).delete()  # the record or the weights have been removed in the meantime
        return True
    data = _pack(judge(record, weights))
    return store_result(lease, status=JudgementStatus.READY, version=version(), data=data)


def sweep(detector: StallDetector, *, now: datetime) -> None:
    """Requeue judgements whose worker died, and wake workers for waiting ones."""
    JUDGEMENTS.sweep(detector, now=now)


JUDGEMENTS: Final = JobKind(
    JOBS,
    wake_ups_to(JUDGE_TASK, queue_of(Queue.ANALYSIS, GAME.name)),
    given_up=lambda now: {"status": JudgementStatus.FAILED},
)


def version() -> str:
    """Return a version string that changes whenever the weights or the judging code change."""
    path = weights_file()
    return _version(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _version(weights: Path, _changed: int) -> str:
    digest = hashlib.sha256(weights.read_bytes())
    for module in (judgement, network, observation):  # without texts, which do not affect the judgement
        digest.update(inspect.getsource(module).encode())
    return digest.hexdigest()[:16]


def _stored_judgement(match_id: int) -> Judgement | None:
    rows = StoredJudgement.objects.filter(match_id=match_id, version=version(), status=JudgementStatus.READY)
    data = rows.values_list("data", flat=True).first()
    return None if data is None else msgspec.json.decode(zlib.decompress(data), type=Judgement)


def _pack(found: Judgement) -> bytes:
    return zlib.compress(msgspec.json.encode(found))
