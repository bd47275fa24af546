"""Callbacks for duels; see arena.matches.callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.matches.callbacks import MatchCallbacks, MatchContext, StoredResult
from arena.play.models import DuelTurn


def _on_started(match_id: int) -> None:
    return


def _on_finished(result: StoredResult) -> None:
    """Delete the stored turns, which only a requeued match needs; the record replaces them."""
    DuelTurn.objects.filter(duel_id=result.match_id).delete()


def _on_void(match_id: int) -> None:
    return


def _match_contexts(match_ids: Sequence[int]) -> Mapping[int, MatchContext]:
    return {}


CALLBACKS = MatchCallbacks(_on_started, _on_finished, _on_void, _match_contexts)
