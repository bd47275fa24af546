"""A worker of the embedded site is killed during a match: the shortest failure test, part of every run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.stack.failing import Stack, running_stack

pytestmark = [pytest.mark.stack, pytest.mark.smoke]


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with running_stack(with_servers=False, with_clock=False) as running:
        yield running


def test_match_of_killed_worker_is_requeued_and_finished(stack: Stack) -> None:
    """A match whose worker is killed is requeued and finished.

    ``test_failures`` covers PostgreSQL and the time until the match is requeued.
    """
    cup = stack.start_cup()
    match, fence = stack.shell.kill_worker(tournament=cup, part="process")
    stack.wait_for(lambda: not stack.shell.is_interrupted(match=match, fence=fence), cup)
    stack.expect_complete(cup)
