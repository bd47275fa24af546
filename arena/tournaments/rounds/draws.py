"""A tournament's random draws, all derived from its seed.

Invariant: a draw depends on its purpose (the round, the match in an encounter), never on when it is made, so an
interrupted tournament continues with the same draws.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.core.ranking.pairing.berger import berger_rounds
from arena.games.openings import draw_opening, has_openings
from arena.games.registry import GAMES
from arena.ratings.queries import ratings_of
from arena.tournaments.formats.traits import traits_of
from arena.tournaments.models import Entry, Format, Openings, Seeding, Tournament


def seed_order(tournament: Tournament, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries, best seed first.

    When seeding by rating, unrated entries come last and ties are broken by a random draw.
    """
    drawn = sorted(entries, key=lambda entry: entry.pk)
    _rng(tournament, "seeds").shuffle(drawn)  # otherwise the first to enter would have the better seats
    if tournament.seeding == Seeding.RATING:
        ratings = ratings_of([entry.bot_id for entry in drawn])
        drawn.sort(key=lambda entry: -ratings.get(entry.bot_id, float("-inf")))
    if tournament.format == Format.GAUNTLET and not tournament.options.get("gauntlet_bots"):
        drawn.sort(key=lambda entry: not entry.bot.is_house)
    return drawn


@dataclass(frozen=True, slots=True)
class MatchStart:
    """The start of a match: the game's settings, including the opening, and the seed for its randomness."""

    settings: Mapping[str, Any]
    seed: int


def has_secret_seeds(tournament: Tournament) -> bool:
    """Return whether each match needs a separate seed because the game hides parts of the match from its players.

    Records of finished matches are public. With shared seeds, they would reveal the hidden parts of matches that are
    still running or yet to come. Score attacks compare bots on the same random seeds, so they are the exception.
    """
    return GAMES[tournament.game].hides and not traits_of(tournament).scored


def start_of(
    tournament: Tournament, round_: int, encounter: int, leg: int, *, replaced: int | None = None
) -> MatchStart:
    """Return the start of match ``leg`` of an encounter; the start is the same in all encounters of the round.

    That way, all of a bot's opponents, and all rivals for a place, face the same openings and seeds. Two opponents play
    each start twice, with swapped seats: in their two encounters in a double round robin, otherwise in two consecutive
    matches of an encounter (the last start is played once if their number is odd). If seeds are secret, only openings
    are shared, and a rerun also has a separate seed; ``replaced`` is the id of the match that the rerun replaces.
    """
    settings: Mapping[str, Any] = tournament.settings
    draws_opening = tournament.openings == Openings.BALANCED and has_openings(tournament.game)
    is_secret = has_secret_seeds(tournament)
    # With secret seeds, each match has its own start: the query is left out unless openings are shared.
    shared = _shared_start(tournament, round_, leg) if draws_opening or not is_secret else ""
    if draws_opening:
        settings = {**settings, "opening": draw_opening(tournament.game, f"{tournament.seed} {shared}")}
    label = f"deal {shared}"
    if is_secret:
        label = f"deal {round_} {encounter} {leg}" + (f" replacing {replaced}" if replaced else "")
    return MatchStart(settings, _rng(tournament, label).getrandbits(62))


def _shared_start(tournament: Tournament, round_: int, leg: int) -> str:
    """Return a key that is the same for all matches with the same start."""
    turn = (leg + 1) // 2 if GAMES[tournament.game].max_seats == 2 else leg
    return f"{_round_that_sets_start(tournament, round_)} {turn}"


def _round_that_sets_start(tournament: Tournament, round_: int) -> int:
    """Return the round that defines how the matches of this round start.

    In a double round robin, it is the first of the two rounds in which the same opponents meet; in the second one, the
    seats are swapped.
    """
    if tournament.format != Format.DOUBLE_ROUND_ROBIN:
        return round_
    length = berger_rounds(Entry.objects.filter(tournament=tournament, seed__isnull=False).count())
    cycle, place = divmod(round_ - 1, length)
    return cycle // 2 * 2 * length + place + 1


def _rng(tournament: Tournament, purpose: str) -> random.Random:
    return random.Random(f"{tournament.seed} {purpose}")  # noqa: S311 - a draw that can be repeated
