"""Samplers outside the learner's process; if a sampler is lost, the others take over its share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bots.training.selfplay.learner import SamplersLostError
from bots.training.selfplay.pool import Model, to_full_precision
from bots.training.selfplay.sampling import Trajectory


@dataclass(frozen=True, slots=True)
class SamplerRequest:
    """A request to a sampler: the arguments of ``Sampler.play`` as NumPy arrays; ``time`` is the request number."""

    time: int
    newest: Any
    past: Sequence[Model] | None


class SamplerLostError(Exception):
    """Raised if a sampler stops responding."""


class SamplerLink(Protocol):
    """The connection to one sampler."""

    def ask(self, work: SamplerRequest) -> None:
        """Send work to the sampler. May raise SamplerLostError if the sampler is lost."""

    def answer(self) -> Trajectory:
        """Return the sampler's trajectory. Raises SamplerLostError if the sampler is lost.

        Called only after a ``Wait`` function has returned this link.
        """

    def close(self) -> None:
        """Stop the sampler."""


Wait = Callable[[Sequence[Any]], Sequence[Any]]
"""Waits until at least one of these links has a reply or has closed, and returns those links."""


class RemoteSamplers:
    """One learner's samplers in other processes.

    Each update uses the first ``wanted`` trajectories; late ones are used in the next update.
    """

    def __init__(self, links: Sequence[SamplerLink], wait: Wait, wanted: int) -> None:
        self._idle = list(links)
        self._busy: list[SamplerLink] = []
        self._wait = wait
        self._wanted = wanted
        self._late: list[Trajectory] = []
        self._time = 0
        self._past: Sequence[Model] | None = None
        self._sent: dict[int, int] = {}  # keyed by link: the version of the opponents that its sampler has
        self._version = 0

    @property
    def alive(self) -> int:
        """Return the number of samplers that are still connected."""
        return len(self._idle) + len(self._busy)

    def play(self, update: int, newest: Any, past: Sequence[Model] | None) -> Sequence[Trajectory]:
        """Return ``wanted`` trajectories from the samplers. Raises SamplersLostError if no sampler is left."""
        if past is not None:
            self._past, self._version = past, update
        model = to_full_precision(newest)
        played, self._late = self._late, []
        self._ask(model, len(self._idle))
        while len(played) < self._wanted:
            self._ask(model, self._wanted - len(played) - len(self._busy))
            if not self._busy:
                raise SamplersLostError("A learner has lost all its samplers. Resume the run with --resume.")
            for link in self._wait(self._busy):
                self._busy.remove(link)
                try:
                    played.append(link.answer())
                except SamplerLostError:
                    continue
                self._idle.append(link)
        self._late = played[self._wanted :]
        return played[: self._wanted]

    def _ask(self, model: Any, count: int) -> None:
        for link in self._idle[: max(0, count)]:
            self._idle.remove(link)
            self._time += 1
            known = self._sent.get(id(link)) == self._version
            try:
                link.ask(SamplerRequest(self._time, model, None if known else self._past))
            except SamplerLostError:
                continue
            self._sent[id(link)] = self._version
            self._busy.append(link)

    def close(self) -> None:
        """Stop all samplers."""
        for link in (*self._idle, *self._busy):
            link.close()
