"""Domain events of matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.platform.domain_events import DomainEvent


@dataclass(frozen=True, slots=True)
class ResultStored:
    """The end of a match whose result is now stored in its row and seats."""

    match_id: int
    game: str
    purpose: str


result_stored: Final = DomainEvent[ResultStored]()
