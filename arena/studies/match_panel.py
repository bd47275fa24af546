"""What the page of a match says of its game: the opening, and the way to the analysis."""

from __future__ import annotations

from dataclasses import dataclass

from arena.accounts.permissions import Person
from arena.games.reversi_opening_names import opening_of
from arena.matches.models import Match, MatchStatus
from arena.matches.queries import record_of
from arena.referee.reversi_line import GAME, line_of
from arena.studies.queries import has_study
from arena.studies.texts import OPENINGS


@dataclass(frozen=True, slots=True)
class MatchPanel:
    """``opening``: its name, "" where it has none; ``moves``: how far it went; ``studied``: somebody asked already."""

    match_id: int
    opening: str
    moves: int
    studied: bool


def studied_match(match_id: int, reader: Person) -> int | None:
    """The match's id where it can be analysed; one query."""
    rows = Match.objects.filter(pk=match_id, game=GAME, status=MatchStatus.FINISHED)
    return match_id if rows.exists() else None


def game_of_match(match_id: int, reader: Person) -> MatchPanel | None:
    """None for what cannot be analysed; two queries. The page has made sure that the reader may see the match."""
    record = record_of(match_id)
    if record is None or record.game != GAME:
        return None
    opening = opening_of(line_of(record).line)
    name = str(OPENINGS[opening.name]) if opening else ""
    return MatchPanel(match_id, name, opening.moves if opening else 0, has_study(match_id))
