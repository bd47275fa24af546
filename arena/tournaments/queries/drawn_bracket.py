"""A tournament's bracket with its future encounters, for pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from django.utils.translation import gettext as _

from arena.core.ranking.pairing.base import Bracket, PairingSystem, TournamentState
from arena.core.ranking.pairing.bracket_positions import bracket_positions
from arena.core.ranking.pairing.bracket_tree import Key, Node, bracket_tree
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.groups import GroupRank, Groups
from arena.core.ranking.pairing.knockout import Knockout
from arena.tournaments.formats.encounter_names import name_in_round, position_name, round_label
from arena.tournaments.formats.traits import system_of, traits_of
from arena.tournaments.models import Tournament
from arena.tournaments.standings.history import load_tournament_state

Columns: TypeAlias = dict[Bracket, list[list[Node]]]
ORDER: Final = (Bracket.WINNERS, Bracket.LOSERS, Bracket.FINAL, Bracket.THIRD_PLACE)


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a match; ``text``: a description for readers; ``code``: the same in every language."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class DrawnBracket:
    """A bracket with its future encounters.

    ``entries``: the entries in the bracket; ``offset``: the number of rounds before its first one; ``group_ranks``:
    until the entries are known, maps each number in the tree to the rank in a group for which it stands.
    """

    tree: Sequence[Sequence[Node]]
    entries: tuple[int, ...]
    offset: int
    group_ranks: Mapping[int, GroupRank] = field(default_factory=dict)

    def columns(self) -> Columns:
        """Return the non-empty rounds of each bracket."""
        found: Columns = defaultdict(list)
        for nodes in self.tree:
            for bracket in ORDER:
                own = [node for node in nodes if node.key[1] == bracket]
                if own:
                    found[bracket].append(sorted(own, key=lambda node: node.key))
        return found

    def sections(self) -> Columns:
        """Return the rounds of each bracket, in the order of display; a single elimination ends with its final."""
        columns = self.columns()
        if Bracket.LOSERS not in columns:
            columns[Bracket.WINNERS] = [*columns[Bracket.WINNERS], *columns.pop(Bracket.FINAL, [])]
        return {bracket: columns[bracket] for bracket in ORDER if columns.get(bracket)}

    def labels(self) -> dict[Key, str]:
        """Return the name of each encounter's round in its bracket."""
        return {key: round_label(position) for key, position in bracket_positions(self.tree).items()}

    def names(self) -> dict[Key, str]:
        """Return the name of each encounter."""
        return {key: position_name(position) for key, position in bracket_positions(self.tree).items()}

    def names_in_rounds(self) -> dict[Key, str]:
        """Return the name of each encounter below the name of its round; see ``name_in_round``."""
        return {key: name_in_round(position) for key, position in bracket_positions(self.tree).items()}

    def stakes(self, key: Key) -> Stakes | None:
        """Return a description of what is at stake in an encounter; None if the encounter decides nothing."""
        columns = self.columns()
        rounds = columns.get(key[1], [])
        number = next((number for number, nodes in enumerate(rounds) if key in [node.key for node in nodes]), None)
        if number is None:
            return None
        winners = columns.get(Bracket.WINNERS, [])
        # In a knockout, the last round before the final consists of two semifinals.
        is_double = bool(winners) and len(winners[-1]) == 1
        if key[1] == Bracket.FINAL:
            return _final_stakes(is_first=number == 0, is_double=is_double)
        if key[1] == Bracket.THIRD_PLACE:
            return Stakes("third_place", _("Third-place play-off."))
        if number < len(rounds) - 1:
            if key[1] == Bracket.WINNERS and Bracket.LOSERS in columns:
                return Stakes("losers_bracket", _("The loser moves to the losers' bracket."))
            return Stakes("elimination", _("The loser is eliminated."))
        if not is_double:
            return Stakes("semifinal", _("Semifinal: the winner reaches the final."))
        if key[1] == Bracket.LOSERS:
            return Stakes("losers_final", _("Losers' final: the winner reaches the final."))
        if Bracket.LOSERS not in columns:  # with two entries, both play the final whoever wins
            return None
        return Stakes("winners_final", _("Winners' final: the winner reaches the final."))


@dataclass(frozen=True)
class TournamentBracket:
    """A tournament's entries, rounds and bracket, loaded when first needed and shared by all parts of a page.

    Create it after the page's snapshot, so that no part of the page is older than the snapshot.
    """

    tournament: Tournament

    @cached_property
    def field(self) -> TournamentState:
        return load_tournament_state(self.tournament, with_rounds=True)

    @cached_property
    def system(self) -> PairingSystem:
        return system_of(self.tournament, len(self.field.entries))

    @cached_property
    def drawn_bracket(self) -> DrawnBracket | None:
        """Return the bracket of a knockout, or of the finals after groups; None if no bracket exists yet."""
        if not traits_of(self.tournament).advances:
            return None
        system = self.system
        bracket = system.bracket(self.field) if isinstance(system, Knockout | DoubleElimination | Groups) else None
        if bracket is None:
            return None
        _draw, own = bracket
        return DrawnBracket(bracket_tree(*bracket), tuple(own.entries), len(self.field.rounds) - len(own.rounds))

    def expected_bracket(self) -> DrawnBracket | None:
        """During the group stage, return the bracket of the finals, still without entries; otherwise return None."""
        system = self.system
        expected = system.expected_bracket(self.field) if isinstance(system, Groups) else None
        if expected is None:
            return None
        draw, own, group_ranks = expected
        return DrawnBracket(bracket_tree(draw, own), (), len(self.field.rounds), group_ranks)

    def eliminated_entries(self) -> frozenset[int]:
        """Return the ids of the entries that have no encounter left; empty in formats in which no entries advance."""
        if self.drawn_bracket is None:
            return frozenset()
        nodes = [node for round_ in self.drawn_bracket.tree for node in round_]
        remaining = {side.entry for node in nodes if node.winner is None for side in node.sides}
        champion = {node.winner for node in nodes if node.key[1] == Bracket.FINAL}
        return frozenset(self.field.entries) - remaining - champion


def bracket_of(tournament_id: int) -> TournamentBracket:
    return TournamentBracket(Tournament.objects.get(pk=tournament_id))


def _final_stakes(*, is_first: bool, is_double: bool) -> Stakes:
    if not is_first:
        return Stakes("second_final", _("Second final: first place is at stake."))
    if is_double:
        text = _("Final: first place is at stake. The bot from the losers' bracket has to win twice.")
        return Stakes("double_elimination_final", text)
    return Stakes("final", _("Final: first place is at stake."))
