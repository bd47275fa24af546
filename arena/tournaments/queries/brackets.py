"""What the page of a format shows besides the standings: a bracket, groups, the newest round, or a gauntlet."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.core.ranking.pairing.base import Bracket, Stage
from arena.core.ranking.pairing.groups import Groups
from arena.core.ranking.standings import Row
from arena.tournaments.formats.traits import system_of, traits_of
from arena.tournaments.models import Format, Tournament
from arena.tournaments.queries.rounds import BRACKETS, EncounterView, RoundView, round_numbers, rounds
from arena.tournaments.standings.history import field_of

SHOWN_ENCOUNTERS: Final = 24
_KNOCKOUTS: Final = (Format.KNOCKOUT, Format.DOUBLE_ELIMINATION)


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A round of one bracket: what happened in it from top to bottom."""

    label: str
    encounters: tuple[EncounterView, ...]


@dataclass(frozen=True, slots=True)
class BracketView:
    """Winners' or losers' bracket, or the finals, as columns."""

    label: str
    columns: tuple[BracketColumn, ...]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One entry of a group in the order of its table; ``advances``: on one of the places that go on."""

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
    """What happened so far. ``newest``: the last round where its encounters are shown as a list."""

    numbers: tuple[int, ...]
    brackets: tuple[BracketView, ...] = ()
    groups: tuple[GroupView, ...] = ()
    newest: RoundView | None = None


def course_of(tournament_id: int) -> Course:
    """What the page shows of the rounds; nothing before the first is paired."""
    tournament = Tournament.objects.get(pk=tournament_id)
    numbers = tuple(round_numbers(tournament_id))
    if not numbers or traits_of(tournament).scored:  # nobody meets anybody: the page shows scores by deal
        return Course(())
    if tournament.format in _KNOCKOUTS:
        return Course(numbers, brackets=_brackets(rounds(tournament_id, numbers)))
    if tournament.format == Format.GROUPS:
        found = rounds(tournament_id, numbers)
        finals = [round_ for round_ in found if round_.stage == Stage.FINALS]
        is_bracket = any(encounter.bracket for round_ in finals for encounter in round_.encounters)
        newest = _cut(found[-1]) if not is_bracket else None
        return Course(numbers, _brackets(finals) if is_bracket else (), _groups(tournament), newest)
    (newest,) = rounds(tournament_id, numbers[-1:], SHOWN_ENCOUNTERS)
    return Course(numbers, newest=newest)


def _cut(found: RoundView) -> RoundView:
    shown = found.encounters[:SHOWN_ENCOUNTERS]
    return RoundView(found.number, found.stage, shown, found.byes, len(found.encounters) - len(shown))


def _brackets(found: list[RoundView]) -> tuple[BracketView, ...]:
    columns: dict[str, list[BracketColumn]] = defaultdict(list)
    for round_ in found:
        by_bracket: dict[str, list[EncounterView]] = defaultdict(list)
        for encounter in round_.encounters:
            bracket = Bracket.FINAL if encounter.bracket == Bracket.THIRD_PLACE else encounter.bracket
            by_bracket[bracket].append(encounter)
        for bracket, encounters in by_bracket.items():
            ordered = tuple(sorted(encounters, key=lambda one: (one.bracket != bracket, one.slot)))
            columns[bracket].append(BracketColumn(round_.label, ordered))
    if Bracket.LOSERS not in columns:
        # A single elimination is one bracket with its final at the end.
        whole = (*columns[Bracket.WINNERS], *columns[Bracket.FINAL])
        return (BracketView(_("Bracket"), whole),) if whole else ()
    shown = [bracket for bracket in (Bracket.WINNERS, Bracket.LOSERS, Bracket.FINAL) if columns[bracket]]
    return tuple(BracketView(str(BRACKETS[bracket]), tuple(columns[bracket])) for bracket in shown)


def _groups(tournament: Tournament) -> tuple[GroupView, ...]:
    """The tables by which entries go on: the same computation as that of the pairing system."""
    field = field_of(tournament, with_rounds=True)
    system = system_of(tournament, len(field.entries))
    if not isinstance(system, Groups):
        return ()
    bots = {entry.pk: entry.bot for entry in tournament.entries.select_related("bot")}
    return tuple(
        GroupView(
            number,
            tuple(
                GroupRow(row, bots[row.entry].name, reverse("bot", args=[bots[row.entry].pk]), place <= system.advance)
                for place, row in enumerate(table, start=1)
            ),
        )
        for number, table in enumerate(system.tables(field), start=1)
    )
