"""Self-test of the sandbox: attempts escapes from a jail before any bot can.

Invariant: `run_self_test` tests from inside, by acting like a hostile bot, and from outside, by reading the kernel's
view of the process. If even one attempt succeeds, the worker runs no bots.
"""

from __future__ import annotations

import dataclasses
import json
import os
import select
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from arena.core.sandbox.config import Mode
from arena.core.sandbox.errors import ChannelError, SandboxFailure
from arena.core.sandbox.isolation import namespaces
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.bot_log import BotLog
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.supervision.process import JailedProcess

_ESCAPE_PROBE = Path(__file__).parent / "escape_probe"
_TIMEOUT = 20.0
_LIMITS = JailLimits(cpu_seconds=60)
_NO_CAPABILITIES = "0000000000000000"


@dataclass(frozen=True, slots=True)
class Escape:
    """A successful escape attempt, with the evidence."""

    attempt: str
    evidence: str


def run_self_test(fork_server: ForkServer) -> list[Escape]:
    """Return all successful escapes. Raises SandboxFailure if the test could not run."""
    namespaced = fork_server.mode is Mode.NAMESPACES
    with (
        closing(BotLog(_LIMITS.log_bytes)) as log,
        tempfile.NamedTemporaryFile() as secret,
        fork_server.spawn(_ESCAPE_PROBE, log=log, limits=_LIMITS, entry="escape_probe:main") as process,
    ):
        Path(secret.name).chmod(0o644)  # so that file permissions do not protect it
        jail = {
            "namespaces": namespaced,
            "scratch": fork_server.scratch_refused is None,
            "limits": dataclasses.asdict(_LIMITS),
            "referee": os.getpid(),
            "secret": secret.name,
        }
        try:
            _receive(process)  # from here on, the process is fully restricted
            outside = [Escape("outside", seen) for seen in _inspect_status(process.process_id, namespaced)]
            process.send(json.dumps(jail).encode())
            inside = [Escape(attempt, evidence) for attempt, evidence in json.loads(_receive(process))]
        except ChannelError as error:
            tail = log.read()[:2000].decode(errors="replace")
            raise SandboxFailure(f"the escape probe died: {error}, {process.wait_for_exit()}. {tail}") from error
    shared = [Escape("namespaces", seen) for seen in _shared_namespaces(fork_server)] if namespaced else []
    return shared + outside + inside


def _receive(process: JailedProcess) -> bytes:
    poller = select.poll()
    poller.register(process, select.POLLIN)
    if not poller.poll(_TIMEOUT * 1000):
        raise SandboxFailure(f"the escape probe did not respond within {_TIMEOUT:.0f} s")
    return process.receive() or b""


def _shared_namespaces(fork_server: ForkServer) -> Iterator[str]:
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        ours = namespaces.namespace_inodes(proc)
    finally:
        os.close(proc)
    for name in namespaces.NAMES:
        if fork_server.namespaces.get(name, ours[name]) == ours[name]:
            yield f"the bot shares our {name} namespace"


def _inspect_status(process_id: int, namespaced: bool) -> Iterator[str]:
    """Yield the defects that /proc/PID/status shows in the confinement of a process.

    ``namespaced``: whether the process should be in its own namespaces.
    """
    try:
        text = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SandboxFailure(f"the escape probe cannot be inspected: {error}") from error
    status = {key: value.split() for key, _, value in (line.partition(":") for line in text.splitlines())}
    if "0" in status["Uid"] or "0" in status["Gid"]:
        yield "its uid or gid is 0"
    if status.get("NoNewPrivs") != ["1"]:
        yield "it can gain privileges"
    if status.get("Seccomp") != ["2"]:
        yield "no system-call filter"
    for name in ("CapInh", "CapPrm", "CapEff", "CapAmb", *(["CapBnd"] if namespaced else [])):
        if status.get(name) != [_NO_CAPABILITIES]:
            yield f"{name} is {' '.join(status.get(name, ['unknown']))}"
