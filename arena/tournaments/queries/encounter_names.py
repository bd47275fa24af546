"""Names of encounters, which the pages of a tournament use instead of match ids: "Semifinal, encounter 2".

Invariant: an encounter has the same name in the bracket, in references to its winner, in round lists and in exports.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from arena.core.ranking.pairing.base import Bracket
from arena.core.ranking.pairing.bracket_tree import Key
from arena.tournaments.events.snapshots import is_one_table
from arena.tournaments.formats.traits import TRAITS
from arena.tournaments.models import Pairing, Tournament
from arena.tournaments.queries.drawn_bracket import TournamentBracket


@dataclass(frozen=True, slots=True)
class EncounterNames:
    """The names of a tournament's encounters.

    ``scored``: whether bots have no opponents, so that names say "match" instead of "encounter". ``bracket``: the names
    of the encounters in the bracket; ``offset``: the number of rounds before the first round of the bracket.
    """

    at_tables: bool = False
    one_table: bool = False
    scored: bool = False
    offset: int = 0
    bracket: Mapping[Key, str] = field(default_factory=dict)

    def name(self, pairing: Pairing, round_number: int) -> str:
        """Return the encounter's name. Outside brackets, it is unique only within its round."""
        if pairing.bracket:
            key = (round_number - 1 - self.offset, Bracket(pairing.bracket), pairing.slot)
            if key in self.bracket:
                return self.bracket[key]
        if self.at_tables:
            return _("Table %(n)s") % {"n": round_number if self.one_table else pairing.encounter}
        text = _("Match %(n)s") if self.scored else _("Encounter %(n)s")
        return text % {"n": pairing.encounter}


def encounter_names(bracket: TournamentBracket, pairings: Iterable[Pairing] | None = None) -> EncounterNames:
    """Return the names of a tournament's encounters; ``pairings``: the pairings that need names, None for all.

    The bracket is built only if it contains one of these pairings.
    """
    tournament = bracket.tournament
    at_tables, one_table = tournament.is_table, tournament.is_table and is_one_table(tournament)
    in_bracket = pairings is None or any(pairing.bracket for pairing in pairings)
    drawn = bracket.drawn_bracket if in_bracket else None
    if drawn is None:
        return EncounterNames(at_tables, one_table, TRAITS[tournament.format].scored)
    return EncounterNames(at_tables, one_table, offset=drawn.offset, bracket=drawn.names())


def match_names(bracket: TournamentBracket, match_ids: Sequence[int]) -> dict[int, str]:
    """Return match names that are unique within the tournament, keyed by match id."""
    tournament = bracket.tournament
    pairings = list(Pairing.objects.filter(tournament=tournament, match__in=match_ids).select_related("round"))
    names = encounter_names(bracket, pairings)
    return {one.match_id: _match_name(tournament, names, one) for one in pairings if one.match_id is not None}


def _match_name(tournament: Tournament, names: EncounterNames, pairing: Pairing) -> str:
    name = names.name(pairing, pairing.round.number)
    if not pairing.bracket and not names.one_table:
        text = _("Random seed %(round)s, %(match)s") if names.scored else _("Round %(round)s, %(encounter)s")
        name = text % {"round": pairing.round.number, "encounter": name, "match": name}
    if tournament.matches_per_encounter > 1:
        name = _("%(encounter)s, leg %(n)s") % {"encounter": name, "n": pairing.leg}
    return name
