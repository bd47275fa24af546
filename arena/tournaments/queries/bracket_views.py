"""A bracket for display: a tree of columns that includes future rounds, and the path of one entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.core.ranking.pairing.base import Bracket
from arena.core.ranking.pairing.bracket_tree import Key, Node, Side, entry_path, reachable_entries
from arena.tournaments.models import Tournament
from arena.tournaments.queries.bracket_screens import Window, screens
from arena.tournaments.queries.drawn_bracket import DrawnBracket
from arena.tournaments.queries.rounds import BRACKETS, EncounterView, RoundView
from arena.ui.localized import localized_name


@dataclass(frozen=True, slots=True)
class BracketPlayer:
    """An entry that plays in a bracket."""

    entry: int
    name: str
    url: str
    seed: int


@dataclass(frozen=True, slots=True)
class CellSide:
    """One side of a cell that is not paired yet: a player, or a ``text`` that describes who it will be."""

    player: BracketPlayer | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class BracketCell:
    """A node of the tree: an encounter, a bye, or a future encounter.

    ``name_in_column``: its name without what the heading says; "" if that is everything.
    ``on_path``: whether it is on the chosen entry's path; ``reached_by``: the entries whose path includes it;
    ``winner``: the entry that won, once it is known.
    """

    name: str
    encounter: EncounterView | None
    sides: tuple[CellSide, ...]
    is_bye: bool
    on_path: bool
    reached_by: tuple[int, ...]
    winner: int | None
    name_in_column: str


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A round of a bracket, drawn as a column.

    ``joins``: how lines connect its cells to the next column: "pair" (two to one), "straight" (one to one), or "". The
    last columns of a double elimination's brackets lead "down" and "up" to the final.
    """

    label: str
    cells: tuple[BracketCell, ...]
    joins: str = ""


@dataclass(frozen=True, slots=True)
class BracketView:
    """The winners' or losers' bracket, the finals, or the third-place play-off."""

    label: str
    columns: tuple[BracketColumn, ...]


@dataclass(frozen=True, slots=True)
class BracketTree:
    """A bracket; ``chosen``: the player whose path is highlighted; ``path``: the cells of that path, in order."""

    brackets: tuple[BracketView, ...]
    players: tuple[BracketPlayer, ...]
    chosen: BracketPlayer | None = None
    path: tuple[BracketCell, ...] = ()

    @property
    def joins_final(self) -> bool:
        """Return whether lines connect the winners' and the losers' bracket to the final, so that they are one tree."""
        return any(column.joins == "down" for bracket in self.brackets for column in bracket.columns)


def bracket_tree_of(
    tournament: Tournament, drawn: DrawnBracket, found: Sequence[RoundView], path: int | None
) -> BracketTree:
    """Build the tree of a bracket; ``found``: its rounds so far; ``path``: the entry whose path is highlighted."""
    tree = drawn.tree
    players = {
        entry.pk: BracketPlayer(
            entry.pk, localized_name(entry.bot), reverse("bot", args=[entry.bot_id]), entry.seed or 0
        )
        for entry in tournament.entries.filter(pk__in=drawn.entries).select_related("bot").order_by("seed")
    }
    chosen = players.get(path) if path is not None else None
    path_nodes = tuple(entry_path(tree, chosen.entry)) if chosen else ()
    path_keys = {node.key for node in path_nodes}
    reachable = {} if drawn.group_ranks else reachable_entries(tree)
    names = drawn.names()
    in_columns = {**names, **_names_below_headings(drawn)}
    views = _CellBuilder(players, _encounters(found), drawn, names, in_columns, path_keys, reachable)
    cells = {node.key: views.cell(node) for column in tree for node in column}
    on_path = tuple(cells[node.key] for node in path_nodes)
    return BracketTree(_brackets(drawn, cells), tuple(players.values()), chosen, on_path)


def one_screen(tree: BracketTree, number: int) -> tuple[BracketTree, int] | None:
    """Return the part of the tree that screen ``number`` shows (counting from 1), and the number of screens.

    Return None if there is no screen with this number.
    """
    found = screens([[column.cells for column in bracket.columns] for bracket in tree.brackets])
    if not 1 <= number <= len(found):
        return None
    if len(found) == 1:
        return tree, 1
    shown = tuple(_cut(tree.brackets[window.bracket], window) for window in found[number - 1])
    return replace(tree, brackets=shown), len(found)


def _cut(bracket: BracketView, window: Window) -> BracketView:
    columns = [
        replace(
            bracket.columns[index],
            cells=tuple(cells),
            joins=bracket.columns[index].joins if index < window.last else "",
        )
        for index, cells in window.cut([column.cells for column in bracket.columns])
    ]
    return replace(bracket, columns=tuple(columns))


def _encounters(found: Sequence[RoundView]) -> dict[Key, EncounterView]:
    return {
        (number, Bracket(one.bracket), one.slot): one
        for number, round_ in enumerate(found)
        for one in round_.encounters
    }


@dataclass(frozen=True, slots=True)
class _CellBuilder:
    players: Mapping[int, BracketPlayer]
    encounters: Mapping[Key, EncounterView]
    drawn: DrawnBracket
    names: Mapping[Key, str]
    names_in_columns: Mapping[Key, str]
    path: set[Key]
    reachable: Mapping[Key, Sequence[int]]

    def cell(self, node: Node) -> BracketCell:
        sides = tuple(self._side(side) for side in node.sides)
        return BracketCell(
            name=self.names[node.key],
            encounter=self.encounters.get(node.key),
            sides=sides,
            is_bye=node.is_bye,
            on_path=node.key in self.path,
            reached_by=tuple(self.reachable.get(node.key, ())),
            winner=None if self.drawn.group_ranks else node.winner,
            name_in_column=self.names_in_columns[node.key],
        )

    def _side(self, side: Side) -> CellSide:
        expected = self.drawn.group_ranks.get(side.entry or 0)
        if expected is not None:
            return CellSide(None, _("Group %(n)s, rank %(rank)s") % {"n": expected.group, "rank": expected.rank})
        if side.entry is not None:
            return CellSide(self.players.get(side.entry))
        if side.origin is None:
            return CellSide(None)
        text = _("Winner of %(match)s") if side.origin.won else _("Loser of %(match)s")
        return CellSide(None, text % {"match": self.names[side.origin.key]})


def _names_below_headings(drawn: DrawnBracket) -> dict[Key, str]:
    """Return the names of encounters below a visible heading, of the column or its bracket, without what it says."""
    names = drawn.names_in_rounds()
    return {
        node.key: names[node.key]
        for bracket, rounds_ in drawn.sections().items()
        # A single column has no heading; those in the finals of a double elimination are not visible.
        if bracket == Bracket.THIRD_PLACE or (len(rounds_) > 1 and bracket != Bracket.FINAL)
        for nodes in rounds_
        for node in nodes
    }


def _brackets(drawn: DrawnBracket, cells: Mapping[Key, BracketCell]) -> tuple[BracketView, ...]:
    sections = drawn.sections()
    labels = {bracket: str(label) for bracket, label in BRACKETS.items()}
    if Bracket.LOSERS not in sections:
        labels[Bracket.WINNERS] = _("Bracket")
    heads = drawn.labels()
    to_final = {Bracket.WINNERS: "down", Bracket.LOSERS: "up"} if Bracket.LOSERS in sections else {}
    return tuple(
        BracketView(
            labels[bracket],
            tuple(
                BracketColumn(
                    heads[nodes[0].key],
                    tuple(cells[node.key] for node in nodes),
                    _connector(len(nodes), len(after)) if after else to_final.get(bracket, ""),
                )
                for nodes, after in zip(rounds_, [*rounds_[1:], []], strict=True)
            ),
        )
        for bracket, rounds_ in sections.items()
    )


def _connector(here: int, after: int) -> str:
    return "pair" if here == 2 * after else "straight"
