"""Format-specific parts of the tournament page: a bracket, groups, the current round, or a gauntlet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from arena.core.ranking.pairing.groups import Groups
from arena.core.ranking.standings import StandingsRow
from arena.tournaments.formats.traits import traits_of
from arena.tournaments.models import Format
from arena.tournaments.queries.bracket_views import BracketTree, bracket_tree_of
from arena.tournaments.queries.drawn_bracket import TournamentBracket
from arena.tournaments.queries.rounds import RoundView, current_number, round_numbers, rounds
from arena.ui.localized import localized_name

SHOWN_ENCOUNTERS: Final = 24


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A row in a group's standings.

    ``advances``: whether it would advance with its current rank; false for all rows until the group has a result.
    """

    figures: StandingsRow
    name: str
    url: str
    advances: bool


@dataclass(frozen=True, slots=True)
class GroupView:
    """The standings of a group."""

    number: int
    rows: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True)
class TournamentRounds:
    """The progress of a tournament so far.

    ``current``: the current round or, between rounds, the last one; None if the page shows a bracket instead.
    ``expected``: during the group stage, the bracket of the finals, with ranks in groups instead of entries.
    ``leads``: whether the page shows the rounds before the standings, because the places depend on the bracket.
    """

    numbers: tuple[int, ...]
    leads: bool = False
    tree: BracketTree | None = None
    groups: tuple[GroupView, ...] = ()
    current: RoundView | None = None
    expected: BracketTree | None = None

    @property
    def marks_qualifiers(self) -> bool:
        return any(row.advances for group in self.groups for row in group.rows)


def rounds_of(bracket: TournamentBracket, path: int | None = None) -> TournamentRounds:
    """Return the progress so far; empty for a score attack, or before the first round is paired.

    ``path``: the entry whose path is highlighted.
    """
    tournament, tournament_id = bracket.tournament, bracket.tournament.pk
    numbers = tuple(round_numbers(tournament_id))
    traits = traits_of(tournament)
    if not numbers or traits.scored:  # no opponents: the page shows scores by random seed
        return TournamentRounds((), traits.orders)
    drawn, tree = bracket.drawn_bracket, None
    if drawn is not None:
        found = rounds(tournament_id, numbers[drawn.offset :], bracket=bracket)
        tree = bracket_tree_of(tournament, drawn, found, path)
    groups = _groups(bracket)
    if tree is not None:
        return TournamentRounds(numbers, traits.orders, tree, groups)
    number = current_number(tournament_id) or numbers[-1]
    (current,) = rounds(tournament_id, [number], SHOWN_ENCOUNTERS, bracket)
    finals = bracket.expected_bracket()
    expected = bracket_tree_of(tournament, finals, (), None) if finals else None
    return TournamentRounds(numbers, traits.orders, groups=groups, current=current, expected=expected)


def _groups(bracket: TournamentBracket) -> tuple[GroupView, ...]:
    """Return the standings of the groups, or () in other formats; the pairing system computes who advances."""
    system = bracket.system if bracket.tournament.format == Format.GROUPS else None
    if not isinstance(system, Groups):
        return ()
    bots = {entry.pk: entry.bot for entry in bracket.tournament.entries.select_related("bot")}
    return tuple(
        GroupView(
            number,
            tuple(
                GroupRow(
                    row,
                    localized_name(bots[row.entry]),
                    reverse("bot", args=[bots[row.entry].pk]),
                    place <= system.advance and any(one.played for one in table),
                )
                for place, row in enumerate(table, start=1)
            ),
        )
        for number, table in enumerate(system.group_standings(bracket.field), start=1)
    )
