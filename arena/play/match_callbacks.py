"""Callbacks for duels; see arena.matches.callbacks."""

from __future__ import annotations

from arena.matches.callbacks import MatchCallbacks, StoredResult
from arena.play.models import DuelTurn


def _delete_stored_turns(result: StoredResult) -> None:
    """Delete the stored turns, which only a requeued match needs; the record replaces them."""
    DuelTurn.objects.filter(duel_id=result.match_id).delete()


CALLBACKS = MatchCallbacks(finished=_delete_stored_turns)
