"""What chance decides in a tournament, all of it drawn from the tournament's seed.

Invariant: a draw depends on what it is for (the round, the match of an encounter) and never on when a row was created,
so a tournament that was interrupted goes on exactly as it would have.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.core.ranking.pairing.berger import rounds_of
from arena.games.openings import has_openings, opening
from arena.games.registry import GAMES
from arena.ratings.queries import ratings_of
from arena.tournaments.models import Entry, Format, Openings, Seeding, Tournament


def seeded(tournament: Tournament, entries: Iterable[Entry]) -> list[Entry]:
    """The entries with the best seed first; by rating, who has none comes last, and lots part who is level."""
    drawn = sorted(entries, key=lambda entry: entry.pk)
    _rng(tournament, "seeds").shuffle(drawn)  # or whoever entered first would have the better seats
    if tournament.seeding == Seeding.RATING:
        ratings = ratings_of([entry.bot_id for entry in drawn])
        drawn.sort(key=lambda entry: -ratings.get(entry.bot_id, float("-inf")))
    if tournament.format == Format.GAUNTLET and not tournament.options.get("heroes"):
        drawn.sort(key=lambda entry: not entry.bot.is_house)
    return drawn


@dataclass(frozen=True, slots=True)
class Start:
    """What matches begin from: the game's settings with the opening, and the seed of its chance."""

    settings: Mapping[str, Any]
    seed: int


def start_of(tournament: Tournament, round_: int, leg: int) -> Start:
    """What all encounters of a round begin from in this match of an encounter.

    The same for all, so that all opponents of a bot, and all rivals for a place, face the same openings and deals.
    Two opponents play each start from both seats: in a double round robin in both meetings, elsewhere in two matches
    of their encounter, after which another one follows.
    """
    meeting, turn = _of_both_cycles(tournament, round_), leg
    if GAMES[tournament.game].max_seats == 2:
        turn = (leg + 1) // 2
    settings: Mapping[str, Any] = tournament.settings
    if tournament.openings == Openings.BALANCED and has_openings(tournament.game):
        settings = {**settings, "opening": opening(tournament.game, f"{tournament.seed} {meeting} {turn}")}
    return Start(settings, _rng(tournament, f"deal {meeting} {turn}").getrandbits(62))


def _of_both_cycles(tournament: Tournament, round_: int) -> int:
    """The round; of a double round robin the first one in which the same opponents meet, with the seats swapped."""
    if tournament.format != Format.DOUBLE_ROUND_ROBIN:
        return round_
    length = rounds_of(Entry.objects.filter(tournament=tournament, seed__isnull=False).count())
    cycle, place = divmod(round_ - 1, length)
    return cycle // 2 * 2 * length + place + 1


def _rng(tournament: Tournament, purpose: str) -> random.Random:
    return random.Random(f"{tournament.seed} {purpose}")  # noqa: S311 - a draw that can be repeated
