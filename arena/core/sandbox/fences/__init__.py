"""The fences of a jail, each of which a test can leave out to see that the self-test notices.

Invariant: production code builds `Layers()` only. There is no way to set a flag from configuration or environment.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layers:
    """True: the fence is up."""

    root: bool = True  # a root file system of its own instead of the host's
    network: bool = True  # an empty network namespace
    processes: bool = True  # a process-id namespace for each bot
    capabilities: bool = True  # no capability, not even inside its user namespace
    landlock: bool = True
    limits: bool = True  # resource limits
    seccomp: bool = True
