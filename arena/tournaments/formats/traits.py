"""Properties of formats: the pairing system and other characteristics.

``Tournament.options`` contains settings that only some formats have: ``group_size``, ``advance`` and ``finals``
(groups), ``rounds`` (Swiss; 0: depends on the number of entries), ``third_place`` (knockout), ``gauntlet_bots``
(gauntlet: the number of top seeds that meet all others; 0: the house bots), ``seats`` (tables; 0: everyone at one
table) and ``bots_per_match`` (score attack; 1 by default).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arena.core.ranking.pairing.base import PairingSystem
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.gauntlet import Gauntlet
from arena.core.ranking.pairing.groups import Finals, Groups, draw_groups
from arena.core.ranking.pairing.knockout import Knockout
from arena.core.ranking.pairing.round_robin import RoundRobin
from arena.core.ranking.pairing.score_attack import ScoreAttack
from arena.core.ranking.pairing.swiss import Swiss
from arena.core.ranking.pairing.tables import MultiplayerTables
from arena.core.ranking.results import Result, scores
from arena.core.ranking.tiebreaks import DEFAULT_TIEBREAKS, Tiebreak
from arena.games.registry import GAMES
from arena.tournaments.models import Entry, Format, Tournament

MAX_ENTRIES: Final = 1000
_F = Format


@dataclass(frozen=True, slots=True)
class FormatTraits:
    """The characteristics of a tournament format.

    ``needs_history``: whether pairing a round depends on earlier rounds; ``orders``: whether the final order depends on
    how far entries advanced, not only on points; ``pairs_ahead``: whether rounds can be paired before the results of
    earlier rounds are known. ``advances``: whether results decide who advances, so that a void match must be rerun
    before the next round. ``half_counts``: withdrawn entries count once they have played half of their matches (FIDE
    Handbook C.05, 6.6); in other formats they always count. ``drawn_by_round``: the tournament's page shows rounds
    instead of a crosstable. ``scored``: scores are added up, there are no opponents, and all matches of a round have
    the same seed. ``resets``: a waiting match is recreated without a withdrawn entry, instead of becoming a walkover.
    """

    needs_history: bool = False
    orders: bool = False
    pairs_ahead: bool = False
    advances: bool = False
    half_counts: bool = False
    drawn_by_round: bool = False
    scored: bool = False
    resets: bool = False


TRAITS: Final[Mapping[str, FormatTraits]] = {
    _F.ROUND_ROBIN: FormatTraits(pairs_ahead=True, half_counts=True),
    _F.DOUBLE_ROUND_ROBIN: FormatTraits(pairs_ahead=True, half_counts=True),
    _F.GROUPS: FormatTraits(
        needs_history=True, orders=True, pairs_ahead=True, advances=True, half_counts=True, drawn_by_round=True
    ),
    _F.SWISS: FormatTraits(needs_history=True, drawn_by_round=True),
    _F.KNOCKOUT: FormatTraits(needs_history=True, orders=True, advances=True, drawn_by_round=True),
    _F.DOUBLE_ELIMINATION: FormatTraits(needs_history=True, orders=True, advances=True, drawn_by_round=True),
    _F.GAUNTLET: FormatTraits(pairs_ahead=True, half_counts=True),
    _F.TABLE: FormatTraits(needs_history=True, pairs_ahead=True, half_counts=True, resets=True),
    _F.SCORE_ATTACK: FormatTraits(pairs_ahead=True, scored=True, resets=True),
}


# The usual choice for Swiss tournaments; other formats use the default of arena.core.ranking.
_USUAL: Final[Mapping[str, tuple[Tiebreak, ...]]] = {
    _F.SWISS: (Tiebreak.BUCHHOLZ_CUT_1, Tiebreak.BUCHHOLZ, Tiebreak.SONNEBORN_BERGER, Tiebreak.MARGIN),
}


def traits_of(tournament: Tournament) -> FormatTraits:
    return TRAITS[tournament.format]


def has_crosstable(tournament: Tournament) -> bool:
    """Return whether the tournament's page shows a crosstable; other formats have views that suit them better."""
    traits = traits_of(tournament)
    return not (tournament.is_table or traits.orders or traits.scored)


def is_one_table(tournament: Tournament) -> bool:
    """Return whether all entries play at the same table, so that one grid can show its scores."""
    return tournament.is_table and not tournament.options.get("seats")


def system_of(tournament: Tournament, entries: int) -> PairingSystem:
    """Return the pairing system for this number of entries."""
    options: Mapping[str, Any] = tournament.options
    match tournament.format:
        case _F.GROUPS:
            finals = Finals(options.get("finals", Finals.KNOCKOUT))
            return Groups(options.get("group_size", 4), options.get("advance", 2), finals)
        case _F.SWISS:
            return Swiss(min(options.get("rounds", 0) or swiss_rounds(entries), max(entries - 1, 1)))
        case _F.KNOCKOUT:
            return Knockout(options.get("third_place", True))
        case _F.DOUBLE_ELIMINATION:
            return DoubleElimination()
        case _F.GAUNTLET:
            return Gauntlet(_gauntlet_bot_count(tournament, entries), tournament.repeats)
        case _F.TABLE:
            return MultiplayerTables(options.get("seats", 0) or GAMES[tournament.game].max_seats, tournament.repeats)
        case _F.SCORE_ATTACK:
            return ScoreAttack(tournament.repeats, options.get("bots_per_match", 1))
        case _F.DOUBLE_ROUND_ROBIN:
            return RoundRobin(2 * tournament.repeats)
    return RoundRobin(tournament.repeats)


def seats_per_match(format_: str, options: Mapping[str, Any], entries: int) -> int:
    """Return how many bots play in each match of a tournament with this number of entries."""
    match format_:
        case _F.TABLE:
            return min(options.get("seats") or entries, entries)
        case _F.SCORE_ATTACK:
            return min(options.get("bots_per_match") or 1, entries)
    return 2


def swiss_rounds(entries: int) -> int:
    """Return the default number of rounds: as many as a knockout needs, plus two to rank the remaining entries."""
    return (entries - 1).bit_length() + 2 if entries > 2 else 1


def _gauntlet_bot_count(tournament: Tournament, entries: int) -> int:
    """Return how many of the top seeds play against all others: at least one, leaving at least one opponent."""
    wanted: int = tournament.options.get("gauntlet_bots", 0)
    if not wanted:
        wanted = Entry.objects.filter(tournament=tournament, seed__isnull=False, bot__is_house=True).count()
    return max(1, min(wanted, entries - 1))


def matches_due(tournament: Tournament, entries: Sequence[int]) -> Mapping[int, int]:
    """Return how many matches each entry will play; empty if this is not fixed. ``entries``: best seed first."""
    traits, legs, repeats = traits_of(tournament), tournament.matches_per_encounter, tournament.repeats
    if not traits.half_counts:
        return {}
    match tournament.format:
        case _F.GROUPS:
            groups = draw_groups(entries, tournament.options.get("group_size", 4))
            return {entry: legs * (len(group) - 1) for group in groups for entry in group}
        case _F.TABLE:
            return dict.fromkeys(entries, repeats)
        case _F.GAUNTLET:
            chosen = _gauntlet_bot_count(tournament, len(entries))
            others = len(entries) - chosen
            return {
                entry: legs * repeats * (others if index < chosen else chosen) for index, entry in enumerate(entries)
            }
    cycles = 2 if tournament.format == _F.DOUBLE_ROUND_ROBIN else 1
    return dict.fromkeys(entries, cycles * legs * repeats * (len(entries) - 1))


def tiebreaks_of(format_: str, codes: Sequence[str]) -> tuple[Tiebreak, ...]:
    """Return the chosen tiebreaks, or the defaults of the format."""
    return tuple(Tiebreak(code) for code in codes) or _USUAL.get(format_, DEFAULT_TIEBREAKS)


def match_points(format_: str, result: Result) -> tuple[float, ...]:
    """Return every seat's tournament points for a match."""
    return result.margins if TRAITS[format_].scored else scores(result)
