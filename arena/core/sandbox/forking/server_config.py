"""What a worker asks a new fork server to be.

Invariant: `parse` reads what `ForkServer` sends; both ends are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.sandbox.config import Mode
from arena.core.sandbox.fences import Layers, namespaces


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """What the worker asks a new fork server to be."""

    mode: Mode
    layers: Layers
    identity: namespaces.Identity
    libraries: tuple[str, ...]
    harness: str
    entry: str
    preload: tuple[str, ...]
    die_with: int | None  # process id of the worker, if its death may be learned by a signal

    @classmethod
    def parse(cls, message: dict[str, Any]) -> ServerConfig:
        return cls(
            mode=Mode(message["mode"]),
            layers=Layers(**message["layers"]),
            identity=namespaces.Identity(message["uid"], message["gid"]),
            libraries=tuple(message["libraries"]),
            harness=message["harness"],
            entry=message["entry"],
            preload=tuple(message["preload"]),
            die_with=message["die_with"],
        )

    @property
    def harness_package(self) -> tuple[str, ...]:
        """The packages around the entry's module, outermost first."""
        return tuple(self.entry.partition(":")[0].split(".")[:-1])

    @property
    def harness_folder(self) -> str:
        """The innermost package of the entry, the only part of the harness folder that a bot may see."""
        return str(Path(self.harness, *self.harness_package))

    @property
    def outer_packages(self) -> tuple[tuple[str, ...], ...]:
        """The packages around that one, which are empty for a bot."""
        return tuple(self.harness_package[:depth] for depth in range(1, len(self.harness_package)))
