"""What the apps above add to a match, by its purpose.

A hook runs inside the transaction that stores the fact it is told about, so that a result and
the standing drawn from it are one; it does a constant number of queries and nothing slow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.games.base import Outcome


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A finished match as it was stored; ``faults`` holds a kind or "" a seat."""

    match_id: int
    outcome: Outcome
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchContext:
    """Where a match belongs: what its page links back to."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class MatchHooks:
    """Callbacks of the app that asked for a match."""

    started: Callable[[int], None]
    finished: Callable[[StoredResult], None]
    void: Callable[[int], None]
    contexts: Callable[[Sequence[int]], Mapping[int, MatchContext]]


_HOOKS: dict[str, MatchHooks] = {}


def register(purpose: str, hooks: MatchHooks) -> None:
    """Called once, when the app of that purpose is ready."""
    if _HOOKS.setdefault(purpose, hooks) != hooks:
        raise RuntimeError(f"hooks of {purpose} are registered twice")


def hooks_of(purpose: str) -> MatchHooks | None:
    return _HOOKS.get(purpose)


def contexts_of(ids_by_purpose: Mapping[str, Sequence[int]]) -> dict[int, MatchContext]:
    """The contexts of many matches at once, one query a purpose."""
    found: dict[int, MatchContext] = {}
    for purpose, match_ids in ids_by_purpose.items():
        hooks = _HOOKS.get(purpose)
        if hooks is not None and match_ids:
            found.update(hooks.contexts(match_ids))
    return found
