"""A bracket for display: a tree of columns that includes future rounds, and the path of one entry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.core.ranking.pairing.base import Bracket
from arena.core.ranking.pairing.bracket_tree import Key, Node, Side, bracket_tree, way_of
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.groups import Groups
from arena.core.ranking.pairing.knockout import Knockout
from arena.tournaments.formats.traits import system_of
from arena.tournaments.models import Tournament
from arena.tournaments.queries.rounds import BRACKETS, EncounterView, RoundView
from arena.tournaments.standings.history import field_of
from arena.ui.localized import shown_name

_ORDER: Final = (Bracket.WINNERS, Bracket.LOSERS, Bracket.FINAL, Bracket.THIRD_PLACE)


@dataclass(frozen=True, slots=True)
class Player:
    """An entry that plays in a bracket."""

    entry: int
    name: str
    url: str
    seed: int


@dataclass(frozen=True, slots=True)
class CellSide:
    """One side of a cell that is not paired yet: a player, or a ``text`` that describes who it will be."""

    player: Player | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A node of the tree: an encounter, a bye, or a future encounter.

    ``on_way``: whether it is on the chosen entry's path.
    """

    name: str
    encounter: EncounterView | None
    sides: tuple[CellSide, ...]
    is_bye: bool
    on_way: bool


@dataclass(frozen=True, slots=True)
class Column:
    """A round.

    ``joins``: how its lines lead to the next column: "pair" (two to one), "straight" (one to one), or "".
    """

    label: str
    cells: tuple[Cell, ...]
    joins: str = ""


@dataclass(frozen=True, slots=True)
class BracketView:
    """The winners' or losers' bracket, the finals, or the match for third place."""

    label: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class BracketTree:
    """A bracket; ``chosen``: the player whose path is marked; ``way``: the cells of that path, in order."""

    brackets: tuple[BracketView, ...]
    players: tuple[Player, ...]
    chosen: Player | None = None
    way: tuple[Cell, ...] = ()


def bracket_of(tournament: Tournament, found: Sequence[RoundView], way: int | None) -> BracketTree | None:
    """Build the bracket tree of a knockout, or of the finals after a group stage, from the rounds in ``found``.

    Return None if there is no bracket.
    """
    field = field_of(tournament, with_rounds=True)
    system = system_of(tournament, len(field.entries))
    bracket = system.bracket(field) if isinstance(system, Knockout | DoubleElimination | Groups) else None
    if bracket is None:
        return None
    tree = bracket_tree(*bracket)
    players = {
        entry.pk: Player(entry.pk, shown_name(entry.bot), reverse("bot", args=[entry.bot_id]), entry.seed or 0)
        for entry in tournament.entries.filter(pk__in=bracket[1].entries).select_related("bot").order_by("seed")
    }
    chosen = players.get(way) if way is not None else None
    way_nodes = tuple(way_of(tree, chosen.entry)) if chosen else ()
    views = _Views(players, _encounters(found), _names(tree), {node.key for node in way_nodes})
    cells = {node.key: views.cell(node) for column in tree for node in column}
    on_way = tuple(cells[node.key] for node in way_nodes)
    return BracketTree(_brackets(tree, cells), tuple(players.values()), chosen, on_way)


def _encounters(found: Sequence[RoundView]) -> dict[Key, EncounterView]:
    return {
        (number, Bracket(one.bracket), one.slot): one
        for number, round_ in enumerate(found)
        for one in round_.encounters
    }


@dataclass(frozen=True, slots=True)
class _Views:
    players: Mapping[int, Player]
    encounters: Mapping[Key, EncounterView]
    names: Mapping[Key, str]
    way: set[Key]

    def cell(self, node: Node) -> Cell:
        sides = tuple(self._side(side) for side in node.sides)
        return Cell(self.names[node.key], self.encounters.get(node.key), sides, node.is_bye, node.key in self.way)

    def _side(self, side: Side) -> CellSide:
        if side.entry is not None:
            return CellSide(self.players.get(side.entry))
        if side.origin is None:
            return CellSide(None)
        text = _("Winner of %(match)s") if side.origin.won else _("Loser of %(match)s")
        return CellSide(None, text % {"match": self.names[side.origin.key]})


def _columns(tree: Sequence[Sequence[Node]]) -> dict[Bracket, list[list[Node]]]:
    """Return the non-empty rounds of each bracket."""
    found: dict[Bracket, list[list[Node]]] = defaultdict(list)
    for nodes in tree:
        for bracket in _ORDER:
            own = [node for node in nodes if node.key[1] == bracket]
            if own:
                found[bracket].append(sorted(own, key=lambda node: node.key))
    return found


def _brackets(tree: Sequence[Sequence[Node]], cells: Mapping[Key, Cell]) -> tuple[BracketView, ...]:
    columns = _columns(tree)
    if Bracket.LOSERS not in columns:
        # A single elimination is one bracket, with its final at the end.
        columns = {
            Bracket.WINNERS: [*columns[Bracket.WINNERS], *columns[Bracket.FINAL]],
            Bracket.THIRD_PLACE: columns[Bracket.THIRD_PLACE],
        }
    labels = {bracket: str(label) for bracket, label in BRACKETS.items()}
    if Bracket.LOSERS not in columns:
        labels[Bracket.WINNERS] = _("Bracket")
    heads = _labels(tree)
    return tuple(
        BracketView(
            labels[bracket],
            tuple(
                Column(
                    heads[nodes[0].key],
                    tuple(cells[node.key] for node in nodes),
                    _joins(len(nodes), len(rounds_[place + 1]) if place + 1 < len(rounds_) else 0),
                )
                for place, nodes in enumerate(rounds_)
            ),
        )
        for bracket in _ORDER
        if (rounds_ := columns.get(bracket))
    )


def _joins(here: int, after: int) -> str:
    if not after:
        return ""
    return "pair" if here == 2 * after else "straight"


def _labels(tree: Sequence[Sequence[Node]]) -> dict[Key, str]:
    """Return the name of each encounter's round in its bracket."""
    found: dict[Key, str] = {}
    columns = _columns(tree)
    is_double = Bracket.LOSERS in columns
    for bracket, rounds_ in columns.items():
        for number, nodes in enumerate(rounds_, start=1):
            label = _label(bracket, number, len(nodes), is_double=is_double)
            found |= {node.key: label for node in nodes}
    return found


def _label(bracket: Bracket, number: int, meetings: int, *, is_double: bool) -> str:
    if bracket == Bracket.FINAL:
        return _("Final") if number == 1 else _("Deciding final")
    if bracket == Bracket.THIRD_PLACE:
        return _("Third place")
    if bracket == Bracket.LOSERS:
        return _("Losers' round %(n)s") % {"n": number}
    if is_double:
        return _("Winners' round %(n)s") % {"n": number}
    if meetings == 2:
        return _("Semifinal")
    return _("Quarterfinal") if meetings == 4 else _("Round of %(n)s") % {"n": 2 * meetings}


def _names(tree: Sequence[Sequence[Node]]) -> dict[Key, str]:
    """Return the name of each encounter: its round, with a number if the round has more than one."""
    labels = _labels(tree)
    together: dict[str, list[Key]] = defaultdict(list)
    for key, label in labels.items():
        together[label].append(key)
    return {
        key: _("%(round)s, match %(n)s") % {"round": label, "n": place} if len(keys) > 1 else label
        for label, keys in together.items()
        for place, key in enumerate(keys, start=1)
    }
