"""Names of encounters, which the pages of a tournament use instead of match ids: "Semifinal, match 2".

Invariant: an encounter has the same name in the bracket, in references to its winner, in round lists and in exports.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from django.utils.translation import gettext as _

from arena.core.ranking.pairing.base import Bracket
from arena.core.ranking.pairing.bracket_tree import Key, Node, bracket_tree
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.groups import Groups
from arena.core.ranking.pairing.knockout import Knockout
from arena.tournaments.events.snapshots import is_one_table
from arena.tournaments.formats.traits import system_of, traits_of
from arena.tournaments.models import Pairing, Tournament
from arena.tournaments.standings.history import field_of

Columns: TypeAlias = dict[Bracket, list[list[Node]]]
ORDER: Final = (Bracket.WINNERS, Bracket.LOSERS, Bracket.FINAL, Bracket.THIRD_PLACE)


@dataclass(frozen=True, slots=True)
class DrawnBracket:
    """A bracket with its future encounters.

    ``entries``: the entries in the bracket; ``offset``: the number of rounds before its first one.
    """

    tree: Sequence[Sequence[Node]]
    entries: tuple[int, ...]
    offset: int

    def columns(self) -> Columns:
        """Return the non-empty rounds of each bracket."""
        found: Columns = defaultdict(list)
        for nodes in self.tree:
            for bracket in ORDER:
                own = [node for node in nodes if node.key[1] == bracket]
                if own:
                    found[bracket].append(sorted(own, key=lambda node: node.key))
        return found

    def labels(self) -> dict[Key, str]:
        """Return the name of each encounter's round in its bracket."""
        found: dict[Key, str] = {}
        columns = self.columns()
        is_double = Bracket.LOSERS in columns
        for bracket, rounds in columns.items():
            for number, nodes in enumerate(rounds, start=1):
                label = _label(bracket, number, len(nodes), is_double=is_double)
                found |= {node.key: label for node in nodes}
        return found

    def names(self) -> dict[Key, str]:
        """Return the name of each encounter: its round, with a number if the round has more than one."""
        together: dict[str, list[Key]] = defaultdict(list)
        for key, label in self.labels().items():
            together[label].append(key)
        return {
            key: _("%(round)s, match %(n)s") % {"round": label, "n": place} if len(keys) > 1 else label
            for label, keys in together.items()
            for place, key in enumerate(keys, start=1)
        }


def drawn_bracket(tournament: Tournament) -> DrawnBracket | None:
    """Return the bracket of a knockout, or of the finals after groups; None if there is none yet."""
    if not traits_of(tournament).advances:
        return None
    whole = field_of(tournament, with_rounds=True)
    system = system_of(tournament, len(whole.entries))
    bracket = system.bracket(whole) if isinstance(system, Knockout | DoubleElimination | Groups) else None
    if bracket is None:
        return None
    _draw, own = bracket
    return DrawnBracket(bracket_tree(*bracket), tuple(own.entries), len(whole.rounds) - len(own.rounds))


@dataclass(frozen=True, slots=True)
class EncounterNames:
    """Names encounters. ``bracket``: the names of those in a bracket, with the number of rounds before its first."""

    at_tables: bool = False
    one_table: bool = False
    offset: int = 0
    bracket: Mapping[Key, str] = field(default_factory=dict)

    def name(self, pairing: Pairing, round_number: int) -> str:
        """Return the encounter's name. Outside brackets, it is unique only in its round."""
        if pairing.bracket:
            key = (round_number - 1 - self.offset, Bracket(pairing.bracket), pairing.slot)
            if key in self.bracket:
                return self.bracket[key]
        if self.at_tables:
            return _("Table %(n)s") % {"n": round_number if self.one_table else pairing.encounter}
        return _("Match %(n)s") % {"n": pairing.encounter}


def encounter_names(tournament: Tournament, drawn: DrawnBracket | None) -> EncounterNames:
    """Return the names of a tournament's encounters; ``drawn``: its bracket, from ``drawn_bracket``."""
    at_tables, one_table = tournament.is_table, tournament.is_table and is_one_table(tournament)
    if drawn is None:
        return EncounterNames(at_tables, one_table)
    return EncounterNames(at_tables, one_table, drawn.offset, drawn.names())


def match_names(tournament: Tournament, match_ids: Sequence[int]) -> dict[int, str]:
    """Return names of matches that are unique in the tournament, by match id."""
    rows = Pairing.objects.filter(tournament=tournament, match__in=match_ids).select_related("round")
    pairings = list(rows)
    in_bracket = any(pairing.bracket for pairing in pairings)
    names = encounter_names(tournament, drawn_bracket(tournament) if in_bracket else None)
    return {one.match_id: _match_name(tournament, names, one) for one in pairings if one.match_id is not None}


def _match_name(tournament: Tournament, names: EncounterNames, pairing: Pairing) -> str:
    name = names.name(pairing, pairing.round.number)
    if not pairing.bracket and not names.one_table:
        name = _("Round %(round)s, %(match)s") % {"round": pairing.round.number, "match": name}
    if tournament.games > 1:
        name = _("%(match)s, game %(n)s") % {"match": name, "n": pairing.leg}
    return name


def eliminated(tournament: Tournament) -> frozenset[int]:
    """Return the entries that have no encounter left in a format in which entries advance."""
    drawn = drawn_bracket(tournament)
    if drawn is None:
        return frozenset()
    nodes = [node for round_ in drawn.tree for node in round_]
    remaining = {side.entry for node in nodes if node.winner is None for side in node.sides}
    champion = {node.winner for node in nodes if node.key[1] == Bracket.FINAL}
    everyone = tournament.entries.filter(seed__isnull=False).values_list("pk", flat=True)
    return frozenset(everyone) - remaining - champion


def _label(bracket: Bracket, number: int, encounters: int, *, is_double: bool) -> str:
    if bracket == Bracket.FINAL:
        return _("Final") if number == 1 else _("Deciding final")
    if bracket == Bracket.THIRD_PLACE:
        return _("Third place")
    if bracket == Bracket.LOSERS:
        return _("Losers' round %(n)s") % {"n": number}
    if is_double:
        return _("Winners' round %(n)s") % {"n": number}
    if encounters == 2:
        return _("Semifinal")
    return _("Quarterfinal") if encounters == 4 else _("Round of %(n)s") % {"n": 2 * encounters}
