"""What a bot may import beyond the standard library, read off what is really installed for the jail."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path


@dataclass(frozen=True, slots=True, order=True)
class Library:
    """A distribution: its name as pip knows it, its version and its one-line summary."""

    name: str
    version: str
    summary: str


def libraries(folder: Path) -> list[Library]:
    """Every distribution in the folder, by name; empty where the folder does not exist."""
    return sorted(
        Library(found.metadata["Name"], found.version, found.metadata["Summary"] or "")
        for found in distributions(path=[str(folder)])
    )
