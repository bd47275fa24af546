"""A tournament's tables, exported for spreadsheets.

Invariants: rows are read in batches by key, so that a slow client ties up neither memory nor a database transaction.
Headings and names of bots are the same in every language, because the files are data. If a game's outcomes include
figures besides points, such as a raw score, each figure has its own column; a cell is empty if the record lacks the
figure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

from django.utils.translation import override

from arena.core.ranking.standings import head_to_head
from arena.games.registry import GAMES
from arena.matches.models import Match, MatchStatus, Seat
from arena.matches.records import recorded_figures
from arena.platform.downloads import Cell, csv_text
from arena.tournaments.events.snapshots import standing_order
from arena.tournaments.formats.encounter_names import EncounterNames, encounter_names
from arena.tournaments.formats.traits import tiebreaks_of, traits_of
from arena.tournaments.models import Entry, Pairing, PairingSeat, Tournament
from arena.tournaments.standings.results import results_of

PORTION: Final = 500  # rows read from the database at a time


def entries(tournament: Tournament) -> Iterator[list[Cell]]:
    """Yield the headings, then one row per entry, in the order in which the bots entered."""
    yield ["entry", "seed", "bot", "author", "version", "sha256", "status", "reason", "entered at"]
    for row in _entries(tournament):
        submission = row.submission
        yield [
            row.pk,
            row.seed,
            row.bot.name,
            row.bot.owner.username,
            submission.number if submission else None,
            submission.sha256 if submission else None,
            row.status,
            row.reason,
            row.entered_at.isoformat(),
        ]


# An entry's columns by heading: at a table with many seats only the first wins, and nobody loses.
_PAIR_FIGURES: Final = {name: name for name in ("points", "played", "wins", "draws", "losses", "margin")}
_TABLE_FIGURES: Final = {
    "points": "points",
    "played": "played",
    "wins": "wins",
    "draws": "shared first places",
    "mean_rank": "mean rank",
    "margin": "margin",
}

_SCORE_FIGURES: Final = {"points": "total", "played": "played", "losses": "matches with a fault"}


def _column_headings(tournament: Tournament) -> Mapping[str, str]:
    if traits_of(tournament).scored:
        return _SCORE_FIGURES
    return _TABLE_FIGURES if tournament.is_table else _PAIR_FIGURES


def standings(tournament: Tournament) -> Iterator[list[Cell]]:
    """Yield the standings as shown on the page, with tiebreak codes as column headings."""
    tiebreaks = [f"tiebreak {code}" for code in tiebreaks_of(tournament.format, tournament.tiebreaks)]
    if traits_of(tournament).scored:
        tiebreaks = ["mean", "best"]
    figures = _column_headings(tournament)
    names = _statistic_names(tournament)
    means = _mean_figures(tournament) if names else {}
    yield ["rank", "bot", "author", "version", *figures.values(), *tiebreaks, *names, "status"]
    for row in standing_order(tournament.pk):
        version = row.submission.number if row.submission else None
        values = [*row.tiebreaks, *[None] * len(tiebreaks)][: len(tiebreaks)]
        shown = [getattr(row, figure) for figure in figures]
        mean = means.get(row.pk, {})
        achieved = [mean.get(name) for name in names]
        yield [row.rank, row.bot.name, row.bot.owner.username, version, *shown, *values, *achieved, row.status]


def _statistic_names(tournament: Tournament) -> tuple[str, ...]:
    """Return the names of the additional statistics of the game (``Game.figures``)."""
    return GAMES[tournament.game].figures if tournament.game in GAMES else ()


def _mean_figures(tournament: Tournament) -> dict[int, dict[str, float]]:
    """Return each entry's mean figures over its counted matches, keyed by entry and figure."""
    found: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    counted = Match.objects.filter(pairing__tournament=tournament, status=MatchStatus.FINISHED).order_by("pk")
    matches = list(counted.values_list("pk", flat=True))
    for first in range(0, len(matches), PORTION):
        figures = recorded_figures(matches[first : first + PORTION])
        pairing_seats = PairingSeat.objects.filter(pairing__match__in=figures, rank__isnull=False)
        for match_id, index, entry in pairing_seats.values_list("pairing__match_id", "index", "entry_id"):
            for name, values in figures[match_id].items():
                found[entry][name].append(values[index])
    return {entry: {name: fmean(values) for name, values in lists.items()} for entry, lists in found.items()}


def crosstable(tournament: Tournament) -> Iterator[list[Cell]]:
    """Yield the head-to-head scores in the order of the standings; cells are empty for pairs that have not met."""
    order = standing_order(tournament.pk)
    cells = head_to_head([row.pk for row in order], results_of(tournament).results)
    yield ["rank", "bot", *(row.bot.name for row in order)]
    for row in order:
        met = cells[row.pk]
        yield [row.rank, row.bot.name, *(met[other.pk].points if other.pk in met else None for other in order)]


def matches(tournament: Tournament) -> Iterator[list[Cell]]:
    """Yield a row per seat of every match, by round; replaced matches follow those that count."""
    names = {row.pk: row.bot.name for row in _entries(tournament)}
    figures = _statistic_names(tournament)
    yield [
        *("round", "encounter", "encounter name", "leg", "match", "status", "counts", "seat", "bot", "version"),
        *("rank", "points", "margin", "score", "fault", "fault turn", "thinking seconds", "longest move seconds"),
        *("turns", "termination", "started at", "finished at", "failure", *figures),
    ]
    encounters = encounter_names([tournament])[tournament.pk]
    last = 0
    while True:
        rows = (
            Pairing.objects.filter(tournament=tournament, pk__gt=last).select_related("round", "match").order_by("pk")
        )
        pairings = list(rows[:PORTION])
        if not pairings:
            return
        last = pairings[-1].pk
        yield from _match_rows(pairings, names, encounters, figures)


def _match_rows(
    pairings: list[Pairing], names: Mapping[int, str], encounters: EncounterNames, figures: Sequence[str]
) -> Iterator[list[Cell]]:
    pairing_seats: dict[int, dict[int, PairingSeat]] = {}
    for pairing_seat in PairingSeat.objects.filter(pairing__in=pairings).order_by("pairing_id", "index"):
        pairing_seats.setdefault(pairing_seat.pairing_id, {})[pairing_seat.index] = pairing_seat
    current = [pairing.match_id for pairing in pairings if pairing.match_id]
    replaced: dict[int, list[Match]] = {}
    for match in Match.objects.filter(replaced_by__in=current).order_by("pk"):
        replaced.setdefault(match.replaced_by_id or 0, []).append(match)
    wanted = [*current, *(match.pk for older in replaced.values() for match in older)]
    achieved = recorded_figures(wanted) if figures else {}
    seats: dict[int, list[Seat]] = {}
    for seat in Seat.objects.filter(match__in=wanted).select_related("submission").order_by("match_id", "index"):
        seats.setdefault(seat.match_id, []).append(seat)
    for pairing in pairings:
        with override("en"):
            name = encounters.encounter(pairing, pairing.round.number)
        at: list[Cell] = [pairing.round.number, pairing.encounter, name, pairing.leg]
        seated = pairing_seats.get(pairing.pk, {})
        if pairing.match is None:
            unknown = [None] * (14 + len(figures))
            for index, pairing_seat in seated.items():
                yield [*at, None, "walkover", "yes", index + 1, names.get(pairing_seat.entry_id), *unknown]
            continue
        for match in (pairing.match, *replaced.get(pairing.match.pk, [])):
            counts = "yes" if match.replaced_by_id is None else "no"
            for seat in seats.get(match.pk, []):
                pairing_seat = seated[seat.index]
                score = pairing_seat.points if match is pairing.match else None
                cells = _seat_cells(seat, names[pairing_seat.entry_id], score, match)
                recorded = achieved.get(match.pk, {})
                more = [recorded[name][seat.index] if name in recorded else None for name in figures]
                yield [*at, match.pk, match.status, counts, *cells, *more]


def _seat_cells(seat: Seat, name: str, score: float | None, match: Match) -> list[Cell]:
    return [
        *(seat.index + 1, name, seat.bots_submission.number, seat.rank, seat.points, seat.margin, score),
        *(seat.fault, seat.fault_turn, round(seat.seconds, 6), round(seat.slowest, 6), match.turns, match.termination),
        match.started_at.isoformat() if match.started_at else None,
        match.finished_at.isoformat() if match.finished_at else None,
        match.failure_text if match.status == MatchStatus.VOID else None,
    ]


def _entries(tournament: Tournament) -> Iterable[Entry]:
    rows = Entry.objects.filter(tournament=tournament).select_related("bot__owner", "submission")
    return rows.order_by("pk")


TABLES: Final[Mapping[str, Callable[[Tournament], Iterator[list[Cell]]]]] = {
    "entries": entries,
    "matches": matches,
    "standings": standings,
    "crosstable": crosstable,
}


def stream_table(tournament_id: int, table: str) -> Iterator[str]:
    """Yield one of TABLES as a file, in chunks. Raises KeyError for an unknown table."""
    return csv_text(TABLES[table](Tournament.objects.get(pk=tournament_id)))
