"""Format-specific parts of the tournament page: a bracket, groups, the current round, or a gauntlet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from arena.core.ranking.pairing.groups import Groups
from arena.core.ranking.standings import Row
from arena.tournaments.formats.traits import system_of, traits_of
from arena.tournaments.models import Format, Tournament
from arena.tournaments.queries.bracket_views import BracketTree, bracket_of
from arena.tournaments.queries.encounter_names import drawn_bracket
from arena.tournaments.queries.rounds import RoundView, current_number, round_numbers, rounds
from arena.tournaments.standings.history import field_of
from arena.ui.localized import shown_name

SHOWN_ENCOUNTERS: Final = 24


@dataclass(frozen=True, slots=True)
class GroupRow:
    """An entry in a group, in the order of the group's table; ``advances``: whether it would advance from its current
    place.
    """

    figures: Row
    name: str
    url: str
    advances: bool


@dataclass(frozen=True, slots=True)
class GroupView:
    """A group's table."""

    number: int
    rows: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The progress so far.

    ``current``: the round being played or, if none is, the last one; None if the page shows a bracket instead.
    """

    numbers: tuple[int, ...]
    tree: BracketTree | None = None
    groups: tuple[GroupView, ...] = ()
    current: RoundView | None = None


def course_of(tournament_id: int, way: int | None = None) -> Course:
    """Return the rounds as the page shows them; empty before the first round is paired.

    ``way``: the entry whose path is marked.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    numbers = tuple(round_numbers(tournament_id))
    if not numbers or traits_of(tournament).scored:  # no opponents: the page shows scores by deal
        return Course(())
    drawn = drawn_bracket(tournament)
    tree = None
    if drawn is not None:
        found = rounds(tournament_id, numbers[drawn.offset :], drawn=drawn)
        tree = bracket_of(tournament, drawn, found, way)
    groups = _groups(tournament) if tournament.format == Format.GROUPS else ()
    if tree is not None:
        return Course(numbers, tree, groups)
    number = current_number(tournament_id) or numbers[-1]
    (current,) = rounds(tournament_id, [number], SHOWN_ENCOUNTERS)
    return Course(numbers, groups=groups, current=current)


def _groups(tournament: Tournament) -> tuple[GroupView, ...]:
    """Return the groups' tables, computed by the pairing system, which decides who advances."""
    field = field_of(tournament, with_rounds=True)
    system = system_of(tournament, len(field.entries))
    if not isinstance(system, Groups):
        return ()
    bots = {entry.pk: entry.bot for entry in tournament.entries.select_related("bot")}
    return tuple(
        GroupView(
            number,
            tuple(
                GroupRow(
                    row, shown_name(bots[row.entry]), reverse("bot", args=[bots[row.entry].pk]), place <= system.advance
                )
                for place, row in enumerate(table, start=1)
            ),
        )
        for number, table in enumerate(system.tables(field), start=1)
    )
