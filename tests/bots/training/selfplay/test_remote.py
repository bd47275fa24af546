"""When samplers are lost or late, training continues with the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from bots.training.selfplay.learner import SamplersLostError
from bots.training.selfplay.remote import RemoteSamplers, SamplerLostError, SamplerRequest


class ScriptedLink:
    """A link to a sampler that answers with its name and the request's time.

    ``lost`` and ``late``: the number of the first request for which the sampler is lost or late.
    """

    def __init__(self, name: str, lost: int = 99, late: int = 99) -> None:
        self.name, self.lost, self.late = name, lost, late
        self.requests: list[SamplerRequest] = []
        self.closed = False

    def ask(self, work: SamplerRequest) -> None:
        self.requests.append(work)

    def answer(self) -> Any:
        if len(self.requests) >= self.lost:
            raise SamplerLostError
        return f"{self.name}{self.requests[-1].time}"

    def close(self) -> None:
        self.closed = True


def next_ready_link(links: Sequence[ScriptedLink]) -> Sequence[ScriptedLink]:
    """Return one ready link at a time; a late link is returned only if no other link is left."""
    return sorted(links, key=lambda link: link.late <= len(link.requests))[:1]


MODEL = {"w": np.zeros(1)}
PAST = [{"w": np.ones(1, dtype=np.float16)}]


def test_samplers_play_once_per_update_and_receive_opponents_once() -> None:
    links = [ScriptedLink("a"), ScriptedLink("b")]
    samplers = RemoteSamplers(links, next_ready_link, 2)
    assert samplers.play(1, MODEL, PAST) == ["a1", "b2"]
    assert samplers.play(2, MODEL, None) == ["a3", "b4"]
    assert [work.past for work in links[0].requests] == [PAST, None]


def test_other_samplers_play_for_a_lost_one() -> None:
    links = [ScriptedLink("a"), ScriptedLink("b", lost=2), ScriptedLink("c")]
    samplers = RemoteSamplers(links, next_ready_link, 3)
    assert len(samplers.play(1, MODEL, PAST)) == 3
    assert sorted(samplers.play(2, MODEL, None)) == ["a4", "a7", "c6"]
    assert samplers.alive == 2
    assert len(samplers.play(3, MODEL, None)) == 3


def test_late_trajectory_counts_for_the_next_update() -> None:
    links = [ScriptedLink("a"), ScriptedLink("b"), ScriptedLink("c", late=1)]
    samplers = RemoteSamplers(links, next_ready_link, 2)
    assert samplers.play(1, MODEL, PAST) == ["a1", "b2"]
    links[2].late = 99
    assert len(samplers.play(2, MODEL, None)) == 2
    assert len(links[2].requests) == 1  # it was still playing when the others received their second request


def test_losing_all_samplers_raises_an_error_with_a_hint() -> None:
    samplers = RemoteSamplers([ScriptedLink("a", lost=1)], next_ready_link, 1)
    with pytest.raises(SamplersLostError, match="--resume"):
        samplers.play(1, MODEL, PAST)


def test_closing_stops_all_samplers() -> None:
    links = [ScriptedLink("a"), ScriptedLink("b")]
    RemoteSamplers(links, next_ready_link, 2).close()
    assert all(link.closed for link in links)
