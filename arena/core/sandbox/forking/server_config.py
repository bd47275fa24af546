"""Configuration that a worker sends to a new fork server.

Invariant: `parse` reads what `ForkServer` sends; both ends belong to the arena.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.sandbox.config import Mode
from arena.core.sandbox.isolation import Layers, namespaces


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The configuration of a new fork server, sent by the worker."""

    mode: Mode
    layers: Layers
    identity: namespaces.Identity
    libraries: tuple[str, ...]
    harness: str
    entry: str
    packages: dict[str, str]  # additional packages visible in the jail, with their folders
    preload: tuple[str, ...]
    bot_folders: str | None  # folder for the bots' scratch folders, without namespaces
    die_with: int | None  # process id of the worker, if a signal can report its death

    @classmethod
    def parse(cls, message: dict[str, Any]) -> ServerConfig:
        return cls(
            mode=Mode(message["mode"]),
            layers=Layers(**message["layers"]),
            identity=namespaces.Identity(message["uid"], message["gid"]),
            libraries=tuple(message["libraries"]),
            harness=message["harness"],
            entry=message["entry"],
            packages=message["packages"],
            preload=tuple(message["preload"]),
            bot_folders=message["bot_folders"],
            die_with=message["die_with"],
        )

    @property
    def harness_package(self) -> tuple[str, ...]:
        """Return the packages around the entry point's module, outermost first."""
        return tuple(self.entry.partition(":")[0].split(".")[:-1])

    @property
    def harness_folder(self) -> str:
        """Return the innermost package of the entry point, the only part of the harness folder that a bot may see."""
        return str(Path(self.harness, *self.harness_package))

    @property
    def visible_packages(self) -> dict[tuple[str, ...], str]:
        """Return the arena's packages that a bot may see: a mapping from package names, split at dots, to folders."""
        further = {tuple(name.split(".")): folder for name, folder in self.packages.items()}
        return {self.harness_package: self.harness_folder, **further}

    @property
    def outer_packages(self) -> dict[tuple[str, ...], list[str]]:
        """Return the enclosing packages and their folders on the host. Bots see these packages as empty."""
        found: dict[tuple[str, ...], list[str]] = {}
        for package, folder in self.visible_packages.items():
            for depth in range(len(package) - 1, 0, -1):
                folder = str(Path(folder).parent)
                folders = found.setdefault(package[:depth], [])
                folders += [folder] if folder not in folders else []
        return found
