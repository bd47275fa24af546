"""Choose which waiting row a free worker claims next, by fair share.

Every request belongs to a party: a person, or the network address of guests. A worker takes a waiting row of the
party with the fewest running rows. Ties go to the least recently served party, and within a party to the oldest row. So
parties take turns, and the number of running rows takes precedence over the time since the last turn.

Invariants: the choice is one indexed query, followed by the usual conditional UPDATE, so losing a race only costs
another query. Turns are counted (``Job.served``), never read from a clock. A free process never idles while something
waits, and a party alone in a queue gets all processes. The exception is ``max_running``, which reserves a process,
because turns do not help while one party occupies every process with long-running work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django.core.exceptions import EmptyResultSet
from django.db.models import BooleanField, Case, Count, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from arena.platform.jobs.lifecycle import MAX_ATTEMPTS, JobQueue, Lease, claim_row

# The party for work that nobody requested, such as matches of the ladder.
NOBODY: Final = ""
_PERSON: Final = "user:"
# How many times a worker tries again after losing a race.
_RACES: Final = 20


def person_party(user_id: int | None) -> str:
    """Return the party of a person with an account; None stands for work that nobody requested."""
    return NOBODY if user_id is None else f"{_PERSON}{user_id}"


def person_of(party: str) -> int | None:
    """Return the id of the party's person; None for guests and for work that nobody requested."""
    return int(party.removeprefix(_PERSON)) if party.startswith(_PERSON) else None


def network_party(address: str) -> str:
    """Return the party to which all guests at one network address belong; ``address`` may be a digest of it."""
    return f"net:{address}"[:80]


@dataclass(frozen=True, slots=True)
class SharedQueue:
    """A queue: the rows of a job model that share processes.

    ``scope``: selects the rows; ``before_turns``: selects waiting rows that are claimed before all others, regardless
    of turns. ``max_running``: how many rows of one party may run at a time; None for no limit.
    """

    jobs: JobQueue
    scope: Q = field(default_factory=Q)
    before_turns: Q | None = None
    max_running: int | None = None

    def rows(self) -> QuerySet[Any]:
        return self.jobs.rows().filter(self.scope)


def waiting_in_turn(queue: SharedQueue, among: Q = Q()) -> QuerySet[Any]:  # noqa: B008 - Q is immutable
    """Return the waiting rows that match ``among``, in the order in which they will be claimed."""
    of_party = queue.rows().filter(party=OuterRef("party")).order_by()
    running = of_party.filter(status=queue.jobs.running).values("party").annotate(n=Count("pk")).values("n")
    served = of_party.filter(served__gt=0).order_by("-served").values("served")[:1]
    zero = Value(0, output_field=IntegerField())
    waiting = queue.rows().filter(among, status=queue.jobs.waiting, attempts__lt=MAX_ATTEMPTS)
    in_turn: QuerySet[Any] = waiting.annotate(
        party_runs=Coalesce(Subquery(running), zero),
        party_served=Coalesce(Subquery(served), zero),
        late=_is_waiting_for_turn(queue),
    ).order_by("late", "party_runs", "party_served", "pk")
    return in_turn


def _is_waiting_for_turn(queue: SharedQueue) -> Combinable:
    if queue.before_turns is None:
        return Value(True)
    return Case(When(queue.before_turns, then=Value(False)), default=Value(True), output_field=BooleanField())


def claimable_rows(queue: SharedQueue, among: Q = Q()) -> QuerySet[Any]:  # noqa: B008 - Q is immutable
    """Return the waiting rows that a free process may claim now, in the order of their turns.

    Only rows of parties that are below their limit are returned.
    """
    rows = waiting_in_turn(queue, among)
    return rows if queue.max_running is None else rows.filter(Q(late=False) | Q(party_runs__lt=queue.max_running))


def concurrency_limit(processes: int) -> int | None:
    """Return how many rows a party may run at a time if one process is kept free for others; None for no limit."""
    return processes - 1 if processes > 1 else None


class Claims:
    """The claims on the rows of a queue that match ``among``, in fair-share order: one per call to ``claim_next``."""

    def __init__(self, queue: SharedQueue, among: Q = Q()) -> None:  # noqa: B008 - Q is immutable
        self._jobs = queue.jobs
        self._sql, self._params = _next_row_query(queue, among)

    def claim_next(self, *, worker: str, now: datetime, changes: Mapping[str, Any] | None = None) -> Lease | None:
        """Claim the next row in fair-share order; return None if there is none. ``changes``: other columns to set."""
        if not self._sql:
            return None
        for _ in range(_RACES):
            row: Any = next(iter(self._jobs.model._default_manager.raw(self._sql, self._params)), None)
            if row is None:
                return None
            lease = claim_row(self._jobs, row, worker=worker, now=now, turn=row.newest_turn + 1, changes=changes)
            if lease is not None:
                return lease
        return None


@lru_cache(maxsize=256)
def _next_row_query(queue: SharedQueue, among: Q) -> tuple[str, tuple[Any, ...]]:
    """Return the SQL and the parameters of the query for the next row.

    They are cached, because compiling the query takes several times as long as running it.
    """
    newest = Subquery(queue.jobs.rows().order_by("-served").values("served")[:1])
    first = claimable_rows(queue, among).annotate(newest_turn=newest)[:1]
    try:
        sql, params = first.query.sql_with_params()
    except EmptyResultSet:  # nothing can match
        return "", ()
    return sql, tuple(params)


def claim_next(
    queue: SharedQueue,
    *,
    worker: str,
    now: datetime,
    among: Q = Q(),  # noqa: B008 - Q is immutable
) -> Lease | None:
    """Claim the next matching row in fair-share order; return None if none is waiting."""
    return Claims(queue, among).claim_next(worker=worker, now=now)


def count_rows_ahead(queue: SharedQueue, pk: int, among: Q = Q()) -> int:  # noqa: B008
    """Return how many waiting rows will be claimed before this one.

    Assumes that running rows end in the order of their claims. This takes two queries, however long the queue is.
    """
    waiting = waiting_in_turn(queue, among).values_list("pk", "party", "party_served", "late")
    running = queue.rows().filter(status=queue.jobs.running).order_by("served").values_list("party", flat=True)
    order = claim_order([WaitingRow(*row) for row in waiting], list(running), queue.max_running)
    return order.index(pk) if pk in order else 0


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """The fields of a waiting row that determine the order of claims.

    ``party``: the person or network address that the row belongs to; ``served``: the turn in which the party was last
    served; ``late``: whether the row waits for the party's next turn. Rows that wait for no turn are claimed first.
    """

    pk: int
    party: str
    served: int
    late: bool


def claim_order(waiting: Sequence[WaitingRow], running: Iterable[str], max_running: int | None = None) -> list[int]:
    """Return the ids of waiting rows in the order in which they will be claimed.

    Assumes that the oldest running row ends before each claim.

    A party with ``max_running`` running rows waits until one of them ends; other parties are served in the meantime.
    """
    order = [row.pk for row in waiting if not row.late]
    lines: dict[str, deque[WaitingRow]] = {}
    for row in sorted((row for row in waiting if row.late), key=lambda row: row.pk):
        lines.setdefault(row.party, deque()).append(row)
    turns = {party: line[0].served for party, line in lines.items()}
    turn = max(turns.values(), default=0)
    busy = deque(running)
    while lines:
        if busy:
            busy.popleft()
        allowed = [one for one in lines if max_running is None or busy.count(one) < max_running]
        if not allowed:
            continue
        party = min(allowed, key=lambda one: (busy.count(one), turns[one], lines[one][0].pk))
        order.append(lines[party].popleft().pk)
        busy.append(party)
        turn += 1
        turns[party] = turn
        if not lines[party]:
            del lines[party]
    return order
