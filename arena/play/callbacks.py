"""What becomes of a duel with its match; see arena.matches.callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.matches.callbacks import MatchCallbacks, MatchContext, StoredResult
from arena.play.models import DuelTurn


def _started(match_id: int) -> None:
    return


def _finished(result: StoredResult) -> None:
    """The turns were kept for the case that a worker dies; from now on there is the record."""
    DuelTurn.objects.filter(duel_id=result.match_id).delete()


def _void(match_id: int) -> None:
    return


def _contexts(match_ids: Sequence[int]) -> Mapping[int, MatchContext]:
    return {}


CALLBACKS = MatchCallbacks(_started, _finished, _void, _contexts)
