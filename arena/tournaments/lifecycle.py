"""The lifecycle of a tournament: transitions between statuses, and concurrent changes.

Invariant: a status changes only through ``change_status``, a conditional UPDATE that also numbers the live event; if
two ticks or two organizers compete, exactly one succeeds. A tournament accepts entries while it is OPEN, has pinned
their submissions once it is FROZEN, and has pairings once it is RUNNING.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, Final

from django.db.models import F
from django.db.models.expressions import Combinable

from arena.tournaments.models import Tournament, TournamentStatus

_S = TournamentStatus

TRANSITIONS: Final[Mapping[TournamentStatus, frozenset[TournamentStatus]]] = MappingProxyType(
    {
        _S.OPEN: frozenset({_S.FROZEN, _S.CANCELLED}),
        _S.FROZEN: frozenset({_S.OPEN, _S.RUNNING, _S.CANCELLED}),  # open again after the deadline was extended
        _S.RUNNING: frozenset({_S.PAUSED, _S.FINISHED, _S.CANCELLED}),
        _S.PAUSED: frozenset({_S.RUNNING, _S.FINISHED, _S.CANCELLED}),
        _S.FINISHED: frozenset({_S.RUNNING}),  # only to rerun a match
        _S.CANCELLED: frozenset(),
    }
)
UNFINISHED: Final = (_S.OPEN, _S.FROZEN, _S.RUNNING, _S.PAUSED)
STARTED: Final = (_S.RUNNING, _S.PAUSED, _S.FINISHED)


def sources_of(target: TournamentStatus) -> tuple[TournamentStatus, ...]:
    """Return the statuses from which ``target`` can be reached."""
    return tuple(source for source, targets in TRANSITIONS.items() if target in targets)


def change_status(
    tournament_id: int,
    target: TournamentStatus,
    *,
    only_from: TournamentStatus | None = None,
    **changes: Any,
) -> int | None:
    """Change the status to ``target`` in the caller's transaction.

    Return the new version; None if the current status does not allow the change.

    ``only_from``: the only status from which to change; None for every status that allows the change. ``changes``:
    further columns to set.
    """
    sources = sources_of(target)
    if only_from is not None:
        if only_from not in sources:
            raise ValueError(f"there is no transition from {only_from} to {target}")
        sources = (only_from,)
    changed = Tournament.objects.filter(pk=tournament_id, status__in=sources).update(
        status=target, version=F("version") + 1, **changes
    )
    return _version(tournament_id) if changed else None


def raise_version(tournament_id: int, *, changes_standing: bool = False) -> int:
    """Increment the version, which numbers the next live event, without changing the status; return the new version.

    If called first in a transaction, this also locks the tournament's row until the commit.

    ``changes_standing``: whether the change affects the standings.
    """
    Tournament.objects.filter(pk=tournament_id).update(**_raised_versions(changes_standing))
    return _version(tournament_id)


def raise_version_if_status(
    tournament_id: int, statuses: Collection[TournamentStatus], *, changes_standing: bool = False
) -> int | None:
    """Call ``raise_version`` if the tournament is in one of these statuses; otherwise return None."""
    rows = Tournament.objects.filter(pk=tournament_id, status__in=statuses)
    return _version(tournament_id) if rows.update(**_raised_versions(changes_standing)) else None


def _raised_versions(changes_standing: bool) -> dict[str, Combinable]:
    raised: dict[str, Combinable] = {"version": F("version") + 1}
    return {**raised, "results": F("results") + 1} if changes_standing else raised


def _version(tournament_id: int) -> int:
    return Tournament.objects.values_list("version", flat=True).get(pk=tournament_id)
