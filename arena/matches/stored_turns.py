"""Turn pages for finished matches: computed once from the record, and stored.

Invariant: pages are derived from the record and from the code that replays it. They are stored with the version of that
code; pages with another version are recomputed.
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
from arena.core.referee.replay import Replay, visible_turns
from arena.games.base import Audience
from arena.games.registry import GAMES
from arena.games.site import MatchOverview
from arena.games.sites import SITES
from arena.matches import turn_pages
from arena.matches.models import MatchHistory, TurnPage
from arena.matches.turn_pages import WHOLE_BYTES, Json, TurnBatch, first_of_page, size_of, split_into_pages

logger = logging.getLogger(__name__)

# For matches with fewer moves, the web server computes the turns quickly enough.
MANY_MOVES = 3_000


@cache
def version_of(game: str) -> str:
    """Return the version of the code that this game's turns depend on: the game's modules and the JSON conversion."""
    modules = [events, replay, turn_pages]
    files = sorted(Path(inspect.getfile(type(GAMES[game]))).parent.glob("*.py"))
    digest = hashlib.sha256()
    for path in (*files, *(Path(inspect.getfile(module)) for module in modules)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class StoredTurns:
    """The stored turn pages of one finished match."""

    def __init__(self, history: MatchHistory) -> None:
        self.history = history
        self.count = history.turns

    def page(self, number: int) -> TurnBatch | None:
        data = self.data(number)
        return None if data is None else TurnBatch.decompress(data)

    def data(self, number: int) -> bytes | None:
        """Return the page that contains this turn, as it is sent: zlib-compressed JSON; None if the page is missing."""
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
    """Return the stored turn pages of a match, if the current version of the code has computed any."""
    history = MatchHistory.objects.filter(match_id=match_id, version=version_of(game)).first()
    return StoredTurns(history) if history else None


def turns_or_pages(match_id: int, record: Record) -> list[Json] | StoredTurns:
    """Return all turns of a finished match; for a long match, return its pages, computed and stored if necessary."""
    turns = visible_turns(Replay.from_record(record, GAMES), record.turns, Audience.EVERYBODY)
    begun: list[Json] = []
    size = 0
    for turn in turns:
        begun.append(turn)
        size += size_of(turn)
        if size > WHOLE_BYTES:
            return _store(match_id, record, _chain_and_clear(begun, turns))
    return begun


def store_turn_pages(match_id: int, record: Record) -> None:
    """Store the pages of a long match that has just ended, so that no visitor has to wait for them."""
    if sum(len(turn.moves) for turn in record.turns) < MANY_MOVES:
        return
    try:
        turns_or_pages(match_id, record)
    except Exception:  # the match is stored, and the first visitor triggers the computation
        logger.exception("match %s: its turn pages could not be stored", match_id)


def _chain_and_clear(begun: list[Json], rest: Iterator[Json]) -> Iterator[Json]:
    yield from begun
    begun.clear()
    yield from rest


def _store(match_id: int, record: Record, turns: Iterator[Json]) -> StoredTurns:
    """Store the turns in pages and return them; if two processes store them at once, the first pages are kept."""
    make = SITES[record.game].overview if record.game in SITES else None
    overview = make() if make else None
    packed = [
        (page.first, page.compress()) for page in split_into_pages(_feed_overview(turns, overview), len(record.seats))
    ]
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
        logger.info("match %s: its turns were stored by another process", match_id)
        history = MatchHistory.objects.get(match_id=match_id)
    return StoredTurns(history)


def _feed_overview(turns: Iterator[Json], overview: MatchOverview | None) -> Iterator[Json]:
    for turn in turns:
        if overview:
            overview.add(turn)
        yield turn
