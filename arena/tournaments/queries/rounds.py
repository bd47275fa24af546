"""Read-only queries for the rounds of a tournament: encounters, results, and who advances or is eliminated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Case, When
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.core.ranking.pairing.base import Bracket, TournamentStage
from arena.matches.models import MatchStatus
from arena.tournaments.formats.encounter_names import EncounterNames, encounter_names
from arena.tournaments.formats.traits import is_one_table, traits_of
from arena.tournaments.models import Bye, Entry, EntryStatus, Pairing, PairingSeat, TournamentRound
from arena.tournaments.queries.drawn_bracket import TournamentBracket, bracket_of
from arena.ui.localized import localized_name

_OPEN = (MatchStatus.PLANNED, MatchStatus.QUEUED, MatchStatus.RUNNING)
STAGES: dict[str, Promise] = {
    TournamentStage.GROUPS: gettext_lazy("Groups"),
    TournamentStage.FINALS: gettext_lazy("Finals"),
}
BRACKETS: dict[str, Promise] = {
    Bracket.WINNERS: gettext_lazy("Winners' bracket"),
    Bracket.LOSERS: gettext_lazy("Losers' bracket"),
    Bracket.THIRD_PLACE: gettext_lazy("Third-place play-off"),
    Bracket.FINAL: gettext_lazy("Final"),
}


@dataclass(frozen=True, slots=True)
class EncounterSide:
    """One entry in an encounter; ``points`` is None until a match of the encounter has ended."""

    entry: int
    seed: int | None
    name: str
    url: str
    points: float | None
    margin: float
    leads: bool
    is_out: bool


@dataclass(frozen=True, slots=True)
class EncounterLeg:
    """One match of an encounter."""

    match_id: int
    url: str
    status: str


@dataclass(frozen=True, slots=True)
class EncounterView:
    """An encounter in a round; ``state`` is "open", "running", "done", "void" or "walkover".

    ``decided_by``: the criterion that breaks a tie on points between the two sides in a bracket, "margin" or "seed";
    otherwise "". ``name``: as in arena.tournaments.formats.encounter_names.
    """

    number: int
    bracket: str
    slot: int
    group: int
    sides: tuple[EncounterSide, ...]
    legs: tuple[EncounterLeg, ...]
    state: str
    decided_by: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round, as shown on its page.

    ``hidden``: the number of encounters left out; ``has_one_seed``: whether all entries play with the same random seed
    (see ``FormatTraits.scored``); ``is_one_table``: whether the round consists of one match at a single table, in which
    case it has the match's name.
    """

    number: int
    stage: str
    encounters: tuple[EncounterView, ...]
    byes: tuple[str, ...]
    hidden: int = 0
    has_one_seed: bool = False
    is_one_table: bool = False

    @property
    def label(self) -> str:
        if self.is_one_table:
            text = _("Table %(n)s")
        else:
            text = _("Random seed %(n)s") if self.has_one_seed else _("Round %(n)s")
        name = text % {"n": self.number}
        return f"{STAGES[TournamentStage(self.stage)]} · {name}" if self.stage in STAGES else name


def round_numbers(tournament_id: int) -> list[int]:
    rows = TournamentRound.objects.filter(tournament_id=tournament_id).order_by("number")
    return list(rows.values_list("number", flat=True))


def current_number(tournament_id: int) -> int | None:
    """Return the number of the round being played.

    This is the first round with a running match or, if no match is running, the first with an open one.

    Return None if no match is open.
    """
    is_running = Case(When(match__status=MatchStatus.RUNNING, then=0), default=1)
    left = Pairing.objects.filter(tournament=tournament_id, ended_at=None).order_by(is_running, "round__number")
    return left.values_list("round__number", flat=True).first()


def rounds(
    tournament_id: int, numbers: Iterable[int], most: int | None = None, bracket: TournamentBracket | None = None
) -> list[RoundView]:
    """Return these rounds in order, with at most ``most`` encounters each.

    Pass the tournament's ``bracket`` if it is already loaded. The number of queries is constant.
    """
    bracket = bracket or bracket_of(tournament_id)
    found = list(TournamentRound.objects.filter(tournament_id=tournament_id, number__in=list(numbers)))
    pairings: dict[int, list[Pairing]] = defaultdict(list)
    traits = traits_of(bracket.tournament)
    for pairing in Pairing.objects.filter(round__in=found).select_related("match").order_by("encounter", "leg", "pk"):
        is_replaced = traits.resets and pairing.match is not None and pairing.match.status == MatchStatus.CANCELLED
        if not is_replaced and (most is None or pairing.encounter <= most):
            pairings[pairing.round_id].append(pairing)
    seats = _seats([pairing.pk for legs in pairings.values() for pairing in legs])
    names = encounter_names([bracket.tournament])[tournament_id]
    byes: dict[int, list[str]] = defaultdict(list)
    for bye in Bye.objects.filter(round__in=found).select_related("entry__bot").order_by("entry__seed"):
        byes[bye.round_id].append(localized_name(bye.entry.bot))
    return [
        RoundView(
            row.number,
            row.stage,
            tuple(
                _encounter(list(legs), seats, names, row.number)
                for _, legs in groupby(pairings[row.pk], lambda one: one.encounter)
            ),
            tuple(byes[row.pk]),
            0 if most is None else max(0, _encounters(row) - most),
            traits.scored,
            is_one_table(bracket.tournament),
        )
        for row in sorted(found, key=lambda row: row.number)
    ]


def _encounters(row: TournamentRound) -> int:
    return row.pairings.order_by("-encounter").values_list("encounter", flat=True).first() or 0


def _seats(pairings: list[int]) -> dict[int, list[PairingSeat]]:
    found: dict[int, list[PairingSeat]] = defaultdict(list)
    rows = PairingSeat.objects.filter(pairing__in=pairings).select_related("entry__bot").order_by("pairing_id", "index")
    for seat in rows:
        found[seat.pairing_id].append(seat)
    return found


def _encounter(
    legs: list[Pairing], seats: dict[int, list[PairingSeat]], names: EncounterNames, number: int
) -> EncounterView:
    first = legs[0]
    points, margins = _totals(seat for leg in legs for seat in seats[leg.pk])
    entries = [seat.entry for seat in seats[first.pk]]
    state = _state(legs, entries)
    figures = {entry.pk: (points.get(entry.pk, 0.0), margins.get(entry.pk, 0.0)) for entry in entries}
    ahead = [pk for pk, own in figures.items() if own == max(figures.values())]
    decided_by = _deciding_criterion(figures) if first.bracket and state == "done" else ""
    if decided_by == "seed":
        # The order of arena.core.ranking.pairing.elimination.
        ahead = [min(entries, key=lambda entry: (entry.status == EntryStatus.WITHDRAWN, entry.seed or 0)).pk]
    sides = [
        EncounterSide(
            entry=entry.pk,
            seed=entry.seed,
            name=localized_name(entry.bot),
            url=reverse("bot", args=[entry.bot_id]),
            points=points.get(entry.pk),
            margin=figures[entry.pk][1],
            leads=_is_ahead(entry, ahead, bool(points), state, alone=len(entries) == 1),
            is_out=entry.status == EntryStatus.WITHDRAWN,
        )
        for entry in entries
    ]
    if len(sides) > 2:
        sides.sort(key=lambda side: (-(side.points or 0), -side.margin))
    shown = tuple(
        EncounterLeg(leg.match_id, reverse("match", args=[leg.match_id]), leg.match.status)
        for leg in legs
        if leg.match_id is not None and leg.match is not None and leg.match.status != MatchStatus.CANCELLED
    )
    found = (first.encounter, first.bracket, first.slot, first.group, tuple(sides), shown, state, decided_by)
    return EncounterView(*found, name=names.encounter(first, number))


def _totals(seats: Iterable[PairingSeat]) -> tuple[dict[int, float], dict[int, float]]:
    """Return the sums of points and of margins by entry; entries without a result are missing."""
    points: dict[int, float] = defaultdict(float)
    margins: dict[int, float] = defaultdict(float)
    for seat in seats:
        if seat.points is not None:
            points[seat.entry_id] += seat.points
            margins[seat.entry_id] += seat.margin or 0
    return points, margins


def _deciding_criterion(figures: dict[int, tuple[float, float]]) -> str:
    """Return the criterion that decides a bracket encounter tied on points; "" if points decide it."""
    points, margins = zip(*figures.values(), strict=True)
    if len(set(points)) > 1:
        return ""
    return "margin" if len(set(margins)) > 1 else "seed"


def _is_ahead(entry: Entry, ahead: list[int], scored: bool, state: str, *, alone: bool) -> bool:
    if state == "walkover":
        return entry.status != EntryStatus.WITHDRAWN
    return scored and not alone and ahead == [entry.pk]


def _state(legs: list[Pairing], entries: list[Entry]) -> str:
    statuses = {leg.match.status if leg.match else None for leg in legs}
    if MatchStatus.RUNNING in statuses:
        return "running"
    if statuses.intersection(_OPEN):
        return "open"
    if MatchStatus.FINISHED in statuses:
        return "done"
    if any(entry.status == EntryStatus.WITHDRAWN for entry in entries):
        return "walkover"
    return "void"
