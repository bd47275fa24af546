"""Learners and samplers as processes on a single machine, each pinned to its own cores."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from bots.training.selfplay.assignment import assign_samplers, trajectories_per_learner
from bots.training.selfplay.checkpoint import CheckpointMismatchError
from bots.training.selfplay.group import join_group
from bots.training.selfplay.job import LearnerJob, run_learner
from bots.training.selfplay.learner import SamplersLostError, UpdateReport
from bots.training.selfplay.remote import RemoteSamplers, SamplerLostError, SamplerRequest
from bots.training.selfplay.sampling import Trajectory

_SPAWN: Final = get_context("spawn")  # a forked process would share JAX's threads
_GRACE: Final = 5.0


class TrainingError(RuntimeError):
    """Raised if a learner ends prematurely; the message says why and, if possible, what to do next."""


@dataclass(frozen=True, slots=True)
class PipeLink:
    """A ``SamplerLink`` to a sampler process."""

    process: BaseProcess
    connection: Connection

    def ask(self, work: SamplerRequest) -> None:
        """Send work to the process. Raises SamplerLostError if the connection is broken."""
        try:
            self.connection.send(work)
        except OSError:
            raise SamplerLostError from None

    def answer(self) -> Trajectory:
        """Return the process's trajectory. Raises SamplerLostError if the connection is broken."""
        try:
            played: Trajectory = self.connection.recv()
        except (EOFError, OSError):
            raise SamplerLostError from None
        return played

    def close(self) -> None:
        """Stop the process."""
        self.connection.close()
        self.process.join(_GRACE)
        if self.process.is_alive():
            self.process.kill()


def start_samplers(job: LearnerJob, numbers: Sequence[int]) -> RemoteSamplers:
    """Start one learner's sampler processes, numbered by ``numbers``; return the samplers."""
    links = []
    for number in numbers:
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=_run_sampler, args=(job, number, theirs), name=f"sampler {number}", daemon=True)
        process.start()
        theirs.close()
        links.append(PipeLink(process, ours))
    return RemoteSamplers(links, _wait_for_pipes, trajectories_per_learner(job.samplers, job.learners))


def _wait_for_pipes(links: Sequence[PipeLink]) -> Sequence[PipeLink]:
    by_connection: dict[Any, PipeLink] = {link.connection: link for link in links}
    return [by_connection[one] for one in wait(list(by_connection))]


def _run_sampler(job: LearnerJob, number: int, learner: Connection) -> None:
    """Run a sampler process until its learner has exited."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # terminated by the learner
    _pin_to_cores(number, max(1, job.samplers))
    import jax

    from bots.training.selfplay.sampler import Sampler

    sampler = Sampler(job.game.load_environment(), job.plan, number)
    with contextlib.suppress(EOFError, OSError):
        while True:
            work: SamplerRequest = learner.recv()
            learner.send(jax.device_get(sampler.play(work.time, work.newest, work.past)))


def train(job: LearnerJob) -> None:
    """Run all learners until they finish; on Ctrl-C, they save and stop. Raises TrainingError if one fails."""
    job.folder.mkdir(parents=True, exist_ok=True)
    shares = assign_samplers(job.samplers, job.learners) if job.samplers else [range(0)] * job.learners
    address = f"127.0.0.1:{free_port()}"
    started = [_start_learner(job, rank, address, shares[rank]) for rank in range(job.learners)]
    try:
        with _stop_gracefully([process for process, _ in started]):
            _wait_for_learners(started)
    except TrainingError:
        for process, _ in started:
            process.kill()
        raise
    finally:
        for process, _ in started:
            process.join(_GRACE)
            process.kill()
            process.join()


def _start_learner(job: LearnerJob, rank: int, address: str, samplers: range) -> tuple[BaseProcess, Connection]:
    ours, theirs = _SPAWN.Pipe(duplex=False)
    process = _SPAWN.Process(target=_run_learner, args=(job, rank, address, samplers, theirs), name=f"learner {rank}")
    process.start()
    theirs.close()
    return process, ours


def _wait_for_learners(started: Sequence[tuple[BaseProcess, Connection]]) -> None:
    """Wait until every learner has reported that it has finished. Raises TrainingError if one ends prematurely."""
    running = {connection: process for process, connection in started}
    while running:
        for connection in wait(list(running)):
            assert isinstance(connection, Connection)  # noqa: S101 - narrows the type for mypy
            process = running.pop(connection)
            try:
                failure: str | None = connection.recv()
            except EOFError:
                failure = f"The {process.name} was killed. Resume the run with --resume."
            if failure is not None:
                raise TrainingError(failure)


def _run_learner(job: LearnerJob, rank: int, address: str, samplers: range, parent: Connection) -> None:
    """Run a learner process; when it ends, send ``parent`` None or the error.

    The learner saves and stops on SIGINT, and if its parent process exits.
    """
    stopping: list[int] = []
    started_by = os.getppid()

    def stops(_: UpdateReport) -> bool:
        return bool(stopping) or os.getppid() != started_by

    signal.signal(signal.SIGINT, lambda number, frame: stopping.append(number))
    _pin_to_cores(rank, job.learners)
    group = join_group(address, rank, job.learners)
    remote = start_samplers(job, samplers) if samplers else None
    try:
        run_learner(job, group, remote, show=_print_progress, stops=stops)
    except (CheckpointMismatchError, SamplersLostError, FileNotFoundError) as error:
        _describe_failure(parent, str(error))
        return
    group.leave()
    _describe_failure(parent, None)


def _describe_failure(parent: Connection, failure: str | None) -> None:
    with contextlib.suppress(OSError):  # the process was killed
        parent.send(failure)


def _print_progress(line: str) -> None:
    print(line, flush=True)


def _pin_to_cores(number: int, among: int) -> None:
    """Pin process ``number`` of ``among`` processes to its own cores, because competing threads would slow it down."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        share = cores[number * len(cores) // among : (number + 1) * len(cores) // among]
        os.sched_setaffinity(0, share or {cores[number % len(cores)]})


@contextlib.contextmanager
def _stop_gracefully(learners: Sequence[BaseProcess]) -> Iterator[None]:
    """Pass the first Ctrl-C on to the learners, which save and stop; a second Ctrl-C terminates everything.

    A terminal sends the signal to the learners as well; other senders signal only this process.
    """

    def forward_first_interrupt(number: int, frame: object) -> None:
        print("stopping after the current update; press Ctrl+C again to stop immediately", flush=True)
        for learner in learners:
            if learner.pid is not None and learner.is_alive():
                os.kill(learner.pid, signal.SIGINT)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, forward_first_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def free_port() -> int:
    """Return a free port on this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
