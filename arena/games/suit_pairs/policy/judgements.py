"""Judge finished matches: short matches on the web server, long ones on a worker, which stores the judgement.

Invariant: a judgement depends only on the record, the weights and the code; a judgement with another version is
recomputed.
"""

from __future__ import annotations

import hashlib
import inspect
import zlib
from enum import Enum, auto
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
from django.core.cache import cache

from arena.celery import Queue, queue_of
from arena.core.referee.record import Record
from arena.games.suit_pairs import observation
from arena.games.suit_pairs.policy import judging, network
from arena.games.suit_pairs.policy.judging import Judgement, judge
from arena.games.suit_pairs.policy.models import StoredJudgement
from arena.games.suit_pairs.policy.network import shipped, weights_file
from arena.games.suit_pairs.rules import GAME
from arena.matches.records import record_of
from arena.platform.jobs.dispatcher import wake_worker

# The web server judges a thousand decisions in about 0.1 s; a match of ten deals has about five hundred.
MANY_DECISIONS: Final = 1_000
JUDGE_TASK: Final = "arena.games.suit_pairs.policy.tasks.judge"
_KEPT: Final = 24 * 3600  # seconds in the cache
_RETRY_SECONDS: Final = 20  # seconds before a page requests a worker again


def is_long(record: Record) -> bool:
    return len(record.turns) > MANY_DECISIONS


class Pending(Enum):
    """Returned while a worker computes the judgement."""

    PENDING = auto()


def judgement_of(match_id: int) -> Judgement | Pending | None:
    """Return the judgement; None for other games, before the match ends, and if there are no weights.

    If the match is too long for the web server, a worker is asked to compute the judgement. This takes at most three
    queries.
    """
    weights = shipped()
    if weights is None:
        return None
    key = f"suit-pairs-policy/{match_id}/{version()}"
    found: Judgement | None = cache.get(key)
    if found is not None:
        return found
    record = record_of(match_id, game=GAME.name)
    if record is None:
        return None
    found = _stored(match_id) if is_long(record) else judge(record, weights)
    if found is not None:
        cache.set(key, found, _KEPT)
        return found
    if cache.add(f"{key}/asked", True, _RETRY_SECONDS):
        wake_worker(JUDGE_TASK, match_id, queue=queue_of(Queue.ANALYSIS, GAME.name))
    return Pending.PENDING


def prepare(match_id: int, record: Record) -> None:
    """Judge and store a long match; runs on a worker."""
    weights = shipped() if is_long(record) else None
    if weights is None or _stored(match_id) is not None:
        return
    values = {"version": version(), "data": _packed(judge(record, weights))}
    StoredJudgement.objects.update_or_create(match_id=match_id, defaults=values)


def prepare_by_id(match_id: int) -> None:
    """Judge a match that ended earlier; does nothing without a record."""
    record = record_of(match_id, game=GAME.name)
    if record is not None:
        prepare(match_id, record)


def version() -> str:
    """Return a version string that changes whenever the weights or the judging code change."""
    path = weights_file()
    return _version(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _version(weights: Path, _changed: int) -> str:
    digest = hashlib.sha256(weights.read_bytes())
    for module in (judging, network, observation):  # without texts, which do not affect the judgement
        digest.update(inspect.getsource(module).encode())
    return digest.hexdigest()[:16]


def _stored(match_id: int) -> Judgement | None:
    rows = StoredJudgement.objects.filter(match_id=match_id, version=version())
    data = rows.values_list("data", flat=True).first()
    return None if data is None else msgspec.json.decode(zlib.decompress(data), type=Judgement)


def _packed(found: Judgement) -> bytes:
    return zlib.compress(msgspec.json.encode(found))
