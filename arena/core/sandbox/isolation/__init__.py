"""The isolation mechanisms of a jail. Tests can disable each one to verify that the self-test notices its absence.

Invariant: production code uses `Layers()` only. No configuration or environment variable can change a flag.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layers:
    """The isolation mechanisms that are enabled."""

    root: bool = True  # a separate root file system instead of the host's
    network: bool = True  # an empty network namespace
    processes: bool = True  # a process-id namespace for each bot
    capabilities: bool = True  # no capabilities, not even inside its user namespace
    landlock: bool = True
    limits: bool = True  # resource limits
    seccomp: bool = True
