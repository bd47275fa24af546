"""What chance decides in a tournament, all of it drawn from the tournament's seed.

Invariant: a draw depends on what it is for (round, encounter, leg) and never on when a row was created, so a
tournament that was interrupted goes on exactly as it would have.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.games.openings import has_openings, opening
from arena.ratings.queries import ratings_of
from arena.tournaments.formats.traits import system_of, traits_of
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


def match_seed(tournament: Tournament, round_: int, encounter: int, leg: int, attempt: int) -> int:
    """``attempt`` counts the tables set in place of one that lost an entry. A score attack has one seed a round."""
    if traits_of(tournament).scored:
        return _rng(tournament, f"deal {round_}").getrandbits(62)
    return _rng(tournament, f"match {round_} {encounter} {leg} {attempt}").getrandbits(62)


def settings_of(tournament: Tournament, entries: Sequence[Entry], round_: int, encounter: int) -> Mapping[str, Any]:
    """The game's settings in an encounter: all its legs begin with the same opening, if the game has any."""
    settings: Mapping[str, Any] = tournament.settings
    if tournament.openings != Openings.BALANCED or not has_openings(tournament.game):
        return settings
    meeting = f"{round_}" if traits_of(tournament).scored else f"{round_} {encounter}"
    if tournament.format == Format.DOUBLE_ROUND_ROBIN:
        meeting = _pair_of_cycles(tournament, entries, round_)
    return {**settings, "opening": opening(tournament.game, f"{tournament.seed} {meeting}")}


def _pair_of_cycles(tournament: Tournament, entries: Sequence[Entry], round_: int) -> str:
    """Two entries meet twice with the seats swapped; both times from the same opening."""
    playing = Entry.objects.filter(tournament=tournament, seed__isnull=False).count()
    rounds = system_of(tournament, playing).rounds(playing)
    cycle = (round_ - 1) // (rounds // (2 * tournament.repeats))
    seeds = " ".join(str(seed) for seed in sorted(entry.seed or 0 for entry in entries))
    return f"{cycle // 2} {seeds}"


def _rng(tournament: Tournament, purpose: str) -> random.Random:
    return random.Random(f"{tournament.seed} {purpose}")  # noqa: S311 - a draw that can be repeated
