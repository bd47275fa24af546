"""Read-only queries for the operations page: phases, behaviour of bots, and matches that can be rerun."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Max, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.games.localized_messages import translate_stored_message
from arena.matches.models import Match, MatchStatus, Seat
from arena.matches.queries import SeatRow, cards_of_ids
from arena.submissions.models import Submission, SubmissionStatus
from arena.tournaments.formats.encounter_names import match_names
from arena.tournaments.models import Activity, ActivityKind, Pairing, Tournament, TournamentStatus
from arena.tournaments.queries.drawn_bracket import TournamentBracket
from arena.tournaments.queries.entries import EntryRow
from arena.tournaments.queries.entries import entries as entry_lines

RERUNNABLE: Final = (MatchStatus.FINISHED, MatchStatus.VOID)


@dataclass(frozen=True, slots=True)
class PhaseStep:
    """A phase of a tournament; ``is_done``: whether it is over; ``at``: its actual or planned end.

    ``hint``: what ends the phase, if it does not end at a planned time.
    """

    label: str | Promise
    at: datetime | None
    is_done: bool
    is_current: bool
    hint: str | Promise = ""


def phase_steps(tournament_id: int) -> list[PhaseStep]:
    """Return the phases of a tournament in order."""
    row = Tournament.objects.get(pk=tournament_id)
    frozen_at = _logged_at(tournament_id, ActivityKind.FROZEN) if row.status != TournamentStatus.OPEN else None
    over = row.status in (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)
    ended = _("Cancelled") if row.status == TournamentStatus.CANCELLED else _("All matches played")
    found: list[tuple[str | Promise, datetime | None, bool]] = [
        (_("Created"), row.created_at, True),
        (_("Entries close"), frozen_at or row.deadline, frozen_at is not None),
        (_("Start"), row.started_at or row.starts_at, row.started_at is not None),
        (_("All rounds paired"), row.paired_at, row.paired_at is not None),
        (ended, row.finished_at, over),
    ]
    if row.withheld or row.released_at is not None:
        found.append((_("Results released"), row.released_at, row.released_at is not None))
    current = next((index for index, (_label, _at, is_done) in enumerate(found) if not is_done), None)
    if row.status == TournamentStatus.CANCELLED:
        current = None
    by_hand = _("when you start the tournament")
    hints = {1: by_hand, 2: by_hand} if row.deadline is None and current == 1 else {}
    return [
        PhaseStep(label, at, is_done, index == current, hints.get(index, ""))
        for index, (label, at, is_done) in enumerate(found)
    ]


def _logged_at(tournament_id: int, kind: ActivityKind) -> datetime | None:
    rows = Activity.objects.filter(tournament_id=tournament_id, kind=kind).order_by("-pk")
    return rows.values_list("at", flat=True).first()


@dataclass(frozen=True, slots=True)
class BotBehaviourRow:
    """An entry and its bot's behaviour; times are in seconds.

    ``share``: the bot's share of all thinking time, from 0 to 1.
    """

    entry: EntryRow
    matches: int
    faults: tuple[tuple[str, int], ...]  # kind and number of faults, the most frequent first
    mean: float | None
    longest: float
    seconds: float
    share: float
    versions: tuple[tuple[int, int], ...] = ()  # ids and version numbers of possible substitutes

    @property
    def fault_count(self) -> int:
        return sum(n for _kind, n in self.faults)


def bot_behaviour_rows(bracket: TournamentBracket, sort: str, text: str) -> list[BotBehaviourRow]:
    """Return the entries whose name contains ``text``, sorted by ``sort`` (see ``BOT_ORDERS``).

    Runs a constant number of queries. Replaced matches do not count.
    """
    tournament = bracket.tournament
    played = Seat.objects.filter(match__pairing__tournament=tournament, match__status=MatchStatus.FINISHED)
    by_bot = played.values_list("submission__bot_id").order_by()
    figures = {
        bot: (n, seconds or 0.0, moves or 0, longest or 0.0)
        for bot, n, seconds, moves, longest in by_bot.annotate(
            n=Count("pk"), all_seconds=Sum("seconds"), all_moves=Sum("moves"), longest=Max("slowest")
        )
    }
    faults: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for bot, kind, n in (
        played.exclude(fault="").values_list("submission__bot_id", "fault").order_by().annotate(n=Count("pk"))
    ):
        faults[bot].append((kind, n))
    whole = sum(seconds for _n, seconds, _moves, _longest in figures.values())
    found = []
    for entry in entry_lines(tournament.pk, bracket=bracket):
        n, seconds, moves, longest = figures.get(entry.bot_id, (0, 0.0, 0, 0.0))
        kinds = tuple(sorted(faults[entry.bot_id], key=lambda each: (-each[1], each[0])))
        mean = seconds / moves if moves else None
        found.append(BotBehaviourRow(entry, n, kinds, mean, longest, seconds, seconds / whole if whole else 0.0))
    wanted = [line for line in found if text.lower() in line.entry.name.lower()]
    return sorted(wanted, key=BOT_ORDERS.get(sort, BOT_ORDERS["rank"]))


def _by_rank(line: BotBehaviourRow) -> tuple[float, ...]:
    return (line.entry.rank or float("inf"), line.entry.id)


BOT_ORDERS: Final[Mapping[str, Callable[[BotBehaviourRow], tuple[float, ...]]]] = {
    "rank": _by_rank,
    "mean": lambda line: (-(line.mean or 0.0), *_by_rank(line)),
    "longest": lambda line: (-line.longest, *_by_rank(line)),
    "share": lambda line: (-line.share, *_by_rank(line)),
    "faults": lambda line: (-line.fault_count, *_by_rank(line)),
}


def other_versions(lines: Sequence[BotBehaviourRow]) -> Mapping[int, list[tuple[int, str]]]:
    """Return, for each entry, the versions that could replace its current one, newest first.

    These are all other versions of the bot that have passed their check.
    """
    playing = {line.entry.bot_id: line.entry for line in lines}
    rows = Submission.objects.filter(bot__in=playing, status=SubmissionStatus.PASSED).order_by("-number")
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for pk, bot, number in rows.values_list("pk", "bot_id", "number"):
        if number != playing[bot].version:
            found[playing[bot].id].append((pk, f"v{number}"))
    return found


@dataclass(frozen=True, slots=True)
class OperationsMatchRow:
    """A match that no rerun has replaced, and its position in the tournament.

    ``name``: see ``encounter_names``; ``failure``: why the arena could not play it, or "".
    """

    id: int
    name: str
    round: int
    status: str
    status_label: str
    seats: tuple[SeatRow, ...]
    hidden: int
    replaced: tuple[int, ...]  # earlier matches, which no longer count
    can_rerun: bool
    failure: str


def operations_match_rows(match_ids: Sequence[int]) -> list[OperationsMatchRow]:
    """Return the rows of these matches in the given order. Runs a constant number of queries."""
    names = match_names(match_ids)
    rounds = dict(Pairing.objects.filter(match__in=match_ids).values_list("match_id", "round__number"))
    stored = Match.objects.filter(pk__in=match_ids).values_list("pk", "failure")
    failures = {pk: translate_stored_message(failure) for pk, failure in stored if failure is not None}
    replaced: dict[int, list[int]] = defaultdict(list)
    for pk, by in Match.objects.filter(replaced_by__in=match_ids).order_by("pk").values_list("pk", "replaced_by_id"):
        replaced[by or 0].append(pk)
    return [
        OperationsMatchRow(
            id=card.id,
            name=names.get(card.id, ""),
            round=rounds.get(card.id, 0),
            status=card.status,
            status_label=card.status_label,
            seats=card.listed_seats,
            hidden=card.unlisted_count,
            replaced=tuple(replaced[card.id]),
            can_rerun=card.status in RERUNNABLE,
            failure=failures.get(card.id, ""),
        )
        for card in cards_of_ids(match_ids)
    ]


def void_count(tournament_id: int) -> int:
    return Pairing.objects.filter(tournament_id=tournament_id, match__status=MatchStatus.VOID).count()
