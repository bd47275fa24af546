"""A worker dies in mid-match on the embedded site: the shortest of the failure tests, for every run of the suite."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.stack.failing import Stack, running_stack

pytestmark = [pytest.mark.stack, pytest.mark.smoke]


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with running_stack(with_servers=False, with_clock=False) as running:
        yield running


def test_its_match_is_played_again(stack: Stack) -> None:
    """``test_failures`` holds the same against the clock, on PostgreSQL too."""
    cup = stack.cup()
    match, fence = stack.inside.strike(tournament=cup, part="process")
    stack.expect(lambda: not stack.inside.interrupted(match=match, fence=fence), cup)
    stack.expect_whole(cup)
