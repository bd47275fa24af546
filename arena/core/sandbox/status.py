"""Report whether this machine can run bots, and how to grant what is missing.

Invariants:
- No state of the machine makes `probe_status` raise: the report contains the problems.
- Bots can be run (`is_usable`) only if nothing is missing and the self-test ran and found no escape.
- A report survives a round trip through JSON: `SandboxStatus.from_json(report.to_json()) == report`.
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
from arena.core.sandbox.machine.remedies import Remedy, WorkerEnvironment
from arena.core.sandbox.self_test import Escape
from arena.core.sandbox.supervision.forkserver import ForkServer


@dataclass(frozen=True, slots=True)
class CapabilityStatus:
    """A probed capability.

    needed: whether the configured mode needs it. detail: what the probe observed, "granted" if present.
    remedies: how to grant it, by environment; set even if the capability is present.
    """

    name: CapabilityName
    present: bool
    needed: bool
    detail: str
    remedies: tuple[Remedy, ...]

    @property
    def is_lacking(self) -> bool:
        return self.needed and not self.present

    def to_json(self) -> dict[str, Any]:
        remedies = [{"place": remedy.environment.value, "what": remedy.what} for remedy in self.remedies]
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
            remedies=tuple(Remedy(WorkerEnvironment(one["place"]), one["what"]) for one in data["remedies"]),
        )


@dataclass(frozen=True, slots=True)
class SandboxStatus:
    """The sandbox status of this machine, as seen by one process.

    configured: the mode that the settings select. mode: the mode in use.
    user_id: uid of the reporting process.
    escapes: successful escapes; empty if the self-test found none or did not run.
    failure: the reason, in English, why the self-test or the probes could not run although nothing is missing; None
    if they ran.
    preloaded: modules preloaded for bots; empty if no fork server started.
    """

    configured: Mode
    mode: Mode
    user_id: int
    capabilities: tuple[CapabilityStatus, ...] = ()
    escapes: tuple[Escape, ...] = ()
    failure: str | None = None
    preloaded: tuple[str, ...] = ()

    @property
    def missing_capabilities(self) -> tuple[CapabilityStatus, ...]:
        """Return the capabilities that the mode needs and this machine denies."""
        return tuple(capability for capability in self.capabilities if capability.is_lacking)

    @property
    def is_usable(self) -> bool:
        """Return whether bots can be run."""
        return bool(self.capabilities) and not self.missing_capabilities and not self.escapes and self.failure is None

    def to_json(self) -> dict[str, Any]:
        """Convert the status, including `is_usable` as "usable", to JSON values."""
        return {
            "configured": self.configured.value,
            "mode": self.mode.value,
            "user_id": self.user_id,
            "usable": self.is_usable,
            "capabilities": [capability.to_json() for capability in self.capabilities],
            "escapes": [{"attempt": escape.attempt, "evidence": escape.evidence} for escape in self.escapes],
            "failure": self.failure,
            "preloaded": list(self.preloaded),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> SandboxStatus:
        """Parse the result of `to_json`. Raises KeyError or ValueError for anything else."""
        return cls(
            configured=Mode(data["configured"]),
            mode=Mode(data["mode"]),
            user_id=data["user_id"],
            capabilities=tuple(map(CapabilityStatus.from_json, data["capabilities"])),
            escapes=tuple(Escape(one["attempt"], one["evidence"]) for one in data["escapes"]),
            failure=data["failure"],
            preloaded=tuple(data["preloaded"]),
        )


def probe_status(config: SandboxConfig) -> SandboxStatus:
    """Probe the machine and run the self-test in a jail started by a separate fork server. Takes about a second."""
    mode = config.mode.effective_mode
    try:
        capabilities = tuple(_capability_status(mode, found) for found in probe.probe_capabilities(config))
    except SandboxFailure as error:
        return SandboxStatus(config.mode, mode, os.getuid(), failure=str(error))
    escapes: tuple[Escape, ...] = ()
    preloaded: tuple[str, ...] = ()
    failure = None
    try:
        with ForkServer(config) as fork_server:
            preloaded = fork_server.preloaded
            escapes = tuple(self_test.run_self_test(fork_server))
    except SandboxUnavailable as error:
        # Missing capabilities are already listed, unless one disappeared after the probe.
        failure = None if any(capability.is_lacking for capability in capabilities) else str(error)
    except SandboxFailure as error:
        failure = str(error)
    return SandboxStatus(config.mode, mode, os.getuid(), capabilities, escapes, failure, preloaded)


def _capability_status(mode: Mode, found: probe.Capability) -> CapabilityStatus:
    return CapabilityStatus(found.name, found.present, mode in found.needed_by, found.detail, found.remedies)
