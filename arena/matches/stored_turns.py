"""Pages of turns of finished matches: computed once from the record, and kept in the database.

Invariant: pages follow from the record and from the code that plays it, whose version they carry; those of another
version are computed anew.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.db import IntegrityError, transaction

from arena.core.referee import events, replay
from arena.core.referee.record import Record
from arena.core.referee.replay import Replay, seen_turns
from arena.games.base import Audience
from arena.games.overview import Overview
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.matches import turn_pages
from arena.matches.models import MatchHistory, TurnPage
from arena.matches.turn_pages import WHOLE_BYTES, Json, Page, first_of_page, paged, size_of

logger = logging.getLogger(__name__)

# A match of fewer moves is so short that the web server computes its turns in no time.
MANY_MOVES = 3_000


@cache
def version_of(game: str) -> str:
    """Of the code that the turns of this game depend on: the game's own modules and what turns them into JSON."""
    modules = [events, replay, turn_pages]
    files = sorted(Path(inspect.getfile(type(GAMES[game]))).parent.glob("*.py"))
    digest = hashlib.sha256()
    for path in (*files, *(Path(inspect.getfile(module)) for module in modules)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class StoredTurns:
    """The pages of one finished match."""

    def __init__(self, history: MatchHistory) -> None:
        self.history = history
        self.count = history.turns

    def page(self, number: int) -> Page | None:
        data = self.data(number)
        return None if data is None else Page.unpacked(data)

    def data(self, number: int) -> bytes | None:
        """The page that holds this turn, as it is sent: JSON compressed by gzip."""
        first = first_of_page(self.history.pages, number)
        data = TurnPage.objects.filter(history=self.history, first=first).values_list("data", flat=True).first()
        return None if data is None else bytes(data)

    @property
    def overview(self) -> Json | None:
        found: Json | None = self.history.overview
        return found

    @property
    def version(self) -> str:
        return self.history.version


def stored_turns(match_id: int, game: str) -> StoredTurns | None:
    """The pages of a match, where it has any that the running code computed."""
    history = MatchHistory.objects.filter(match_id=match_id, version=version_of(game)).first()
    return StoredTurns(history) if history else None


def turns_or_pages(match_id: int, record: Record) -> list[Json] | StoredTurns:
    """All turns of a finished match; of a long one its pages, which are computed and stored."""
    turns = seen_turns(Replay.of(record, GAMES), record.turns, Audience.EVERYBODY)
    begun: list[Json] = []
    size = 0
    for turn in turns:
        begun.append(turn)
        size += size_of(turn)
        if size > WHOLE_BYTES:
            return _store(match_id, record, _chained(begun, turns))
    return begun


def prepare(match_id: int, record: Record) -> None:
    """Store the pages of a match of many moves that has just ended, so that no visitor has to wait for them."""
    if sum(len(turn.moves) for turn in record.turns) < MANY_MOVES:
        return
    try:
        turns_or_pages(match_id, record)
    except Exception:  # the match is stored, and the first visitor has the pages computed
        logger.exception("match %s: its pages of turns were not stored", match_id)


def _chained(begun: list[Json], rest: Iterator[Json]) -> Iterator[Json]:
    yield from begun
    begun.clear()
    yield from rest


def _store(match_id: int, record: Record, turns: Iterator[Json]) -> StoredTurns:
    """Somebody else may do the same at the same time: the first one's pages stay."""
    make = SITES[record.game].overview if record.game in SITES else None
    overview = make() if make else None
    packed = [(page.first, page.packed()) for page in paged(_gathered(turns, overview), len(record.seats))]
    try:
        with transaction.atomic():
            MatchHistory.objects.filter(match_id=match_id).exclude(version=version_of(record.game)).delete()
            history = MatchHistory.objects.create(
                match_id=match_id,
                version=version_of(record.game),
                turns=len(record.turns) + 1,
                pages=[first for first, _ in packed],
                overview=overview.to_json() if overview else None,
            )
            TurnPage.objects.bulk_create(TurnPage(history=history, first=first, data=data) for first, data in packed)
    except IntegrityError:
        logger.info("match %s: its turns were stored by somebody else", match_id)
        history = MatchHistory.objects.get(match_id=match_id)
    return StoredTurns(history)


def _gathered(turns: Iterator[Json], overview: Overview | None) -> Iterator[Json]:
    for turn in turns:
        if overview:
            overview.add(turn)
        yield turn
