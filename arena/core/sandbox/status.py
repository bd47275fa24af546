"""Can this machine hold bots, and if not, what would change that? The answer as a value, for whoever shows it.

Invariants:
- `report` never raises for what is wrong with the machine: that is what it reports.
- Bots can be run (`usable`) only if nothing is missing, the self-test ran and found no escape.
- A report survives JSON: `SandboxStatus.from_json(report.to_json()) == report`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from arena.core.sandbox import self_test
from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.errors import SandboxFailure, SandboxUnavailable
from arena.core.sandbox.machine import probe
from arena.core.sandbox.machine.probe import CapabilityName
from arena.core.sandbox.machine.remedies import Place, Remedy
from arena.core.sandbox.outside.forkserver import ForkServer
from arena.core.sandbox.self_test import Escape


@dataclass(frozen=True, slots=True)
class CapabilityStatus:
    """One capability as it was probed.

    needed: by the mode that is asked for. detail: what the probe saw, "granted" if present.
    remedies: how to grant it, by place; also of one that is present.
    """

    name: CapabilityName
    present: bool
    needed: bool
    detail: str
    remedies: tuple[Remedy, ...]

    @property
    def lacking(self) -> bool:
        return self.needed and not self.present

    def to_json(self) -> dict[str, Any]:
        remedies = [{"place": remedy.place.value, "what": remedy.what} for remedy in self.remedies]
        return {
            "name": self.name.value,
            "present": self.present,
            "needed": self.needed,
            "detail": self.detail,
            "remedies": remedies,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> CapabilityStatus:
        return cls(
            name=CapabilityName(data["name"]),
            present=data["present"],
            needed=data["needed"],
            detail=data["detail"],
            remedies=tuple(Remedy(Place(one["place"]), one["what"]) for one in data["remedies"]),
        )


@dataclass(frozen=True, slots=True)
class SandboxStatus:
    """What one process of this machine found out about its sandbox.

    asked: the configured mode. mode: the one that is really used.
    user_id: uid of the process that asked.
    escapes: what the self-test managed; empty if it found none or did not run.
    failure: why the self-test or the probes could not be run though nothing is missing, in English; None if they ran.
    preloaded: modules that bots find imported; empty if no fork server came up.
    """

    asked: Mode
    mode: Mode
    user_id: int
    capabilities: tuple[CapabilityStatus, ...] = ()
    escapes: tuple[Escape, ...] = ()
    failure: str | None = None
    preloaded: tuple[str, ...] = ()

    @property
    def lacking(self) -> tuple[CapabilityStatus, ...]:
        """What the mode needs and this machine denies."""
        return tuple(capability for capability in self.capabilities if capability.lacking)

    @property
    def usable(self) -> bool:
        """Whether bots can be run."""
        return bool(self.capabilities) and not self.lacking and not self.escapes and self.failure is None

    def to_json(self) -> dict[str, Any]:
        """Everything, with `usable`, as values of JSON."""
        return {
            "asked": self.asked.value,
            "mode": self.mode.value,
            "user_id": self.user_id,
            "usable": self.usable,
            "capabilities": [capability.to_json() for capability in self.capabilities],
            "escapes": [{"attempt": escape.attempt, "evidence": escape.evidence} for escape in self.escapes],
            "failure": self.failure,
            "preloaded": list(self.preloaded),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> SandboxStatus:
        """The inverse of `to_json`. Raises KeyError or ValueError for anything else."""
        return cls(
            asked=Mode(data["asked"]),
            mode=Mode(data["mode"]),
            user_id=data["user_id"],
            capabilities=tuple(map(CapabilityStatus.from_json, data["capabilities"])),
            escapes=tuple(Escape(one["attempt"], one["evidence"]) for one in data["escapes"]),
            failure=data["failure"],
            preloaded=tuple(data["preloaded"]),
        )


def report(config: SandboxConfig) -> SandboxStatus:
    """Probe the machine and run the self-test in a jail of a fork server of its own. Takes about a second."""
    mode = config.mode.resolved
    try:
        capabilities = tuple(_as_seen_by(mode, found) for found in probe.capabilities(config))
    except SandboxFailure as error:
        return SandboxStatus(config.mode, mode, os.getuid(), failure=str(error))
    escapes: tuple[Escape, ...] = ()
    preloaded: tuple[str, ...] = ()
    failure = None
    try:
        with ForkServer(config) as fork_server:
            preloaded = fork_server.preloaded
            escapes = tuple(self_test.run(fork_server))
    except SandboxUnavailable as error:
        # What is missing stands among the capabilities, unless it went missing this very moment.
        failure = None if any(capability.lacking for capability in capabilities) else str(error)
    except SandboxFailure as error:
        failure = str(error)
    return SandboxStatus(config.mode, mode, os.getuid(), capabilities, escapes, failure, preloaded)


def _as_seen_by(mode: Mode, found: probe.Capability) -> CapabilityStatus:
    return CapabilityStatus(found.name, found.present, mode in found.needed_by, found.detail, found.remedies)
