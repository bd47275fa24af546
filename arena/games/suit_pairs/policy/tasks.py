"""Celery tasks for the policy's judgements."""

from arena.celery import app
from arena.games.suit_pairs.policy import judgements


@app.task(name=judgements.JUDGE_TASK)
def judge(match_id: int) -> None:
    """Judge a long match at the request of a page; repeated calls are harmless."""
    judgements.prepare_by_id(match_id)
