"""A tournament as JSON: the initial state of its page, updated by its socket.

Invariant: applying the events numbered above its ``seq`` to a snapshot gives the same result as a later snapshot.
``seq`` is read first, so changes made while the snapshot is being built also arrive as events. This is harmless because
events set values and never increment them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from django.core.paginator import Paginator
from django.db.models import F, Prefetch, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from arena.games.sites import SITES
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.tournaments.durations.expected_end import expected_end
from arena.tournaments.events.redaction import redacted_snapshot
from arena.tournaments.formats.encounter_names import EncounterNames, encounter_names
from arena.tournaments.formats.places import ranks_by_bracket
from arena.tournaments.formats.tiebreak_texts import TiebreakColumn, columns_of, score_columns
from arena.tournaments.formats.traits import has_crosstable, is_one_table, tiebreaks_of, traits_of
from arena.tournaments.models import Entry, Format, Pairing, PairingSeat, Standing, Tournament
from arena.ui.localized import localized_name, translated_names

Json = dict[str, Any]

LATEST_MATCHES = 20
# Longer standings are paginated, and an event makes their viewers fetch a new snapshot.
ROWS_A_PAGE = 60
# A crosstable with more entries is useless and takes megabytes.
MAX_CROSSTABLE_ENTRIES = 60
# In a list of matches, only the best seats of a large table are named.
MAX_NAMES = 3


def order_of(entries: Iterable[Entry]) -> list[Entry]:
    """Sort entries as in the standings: ranked entries by position, then active ones, then the others."""
    return sorted(
        entries,
        key=lambda entry: (entry.rank is None, entry.rank or 0, entry.position or 0, entry.status, entry.pk),
    )


def standing_order(tournament_id: int) -> QuerySet[Entry]:
    """Return entries in the same order as ``order_of``, but let the database sort them.

    This relies on "entered" being the first status alphabetically.
    """
    rows = Entry.objects.filter(tournament_id=tournament_id).select_related("bot__owner", "submission")
    return rows.order_by(F("rank").asc(nulls_last=True), "position", "status", "pk")


def row_json(entry: Entry) -> Json:
    return {
        "entry": entry.pk,
        "rank": entry.rank,
        "name": localized_name(entry.bot),
        "names": translated_names(entry.bot),
        "owner": entry.bot.owner.username,
        "bot_url": reverse("bot", args=[entry.bot_id]),
        "version": entry.submission.number if entry.submission else None,
        "points": entry.points,
        "played": entry.played,
        "wins": entry.wins,
        "draws": entry.draws,
        "losses": entry.losses,
        "margin": entry.margin,
        "tiebreaks": entry.tiebreaks,
        "mean_rank": entry.mean_rank,
        "best_place": entry.best_place,
        "worst_place": entry.worst_place,
        "places_gained": entry.places_gained,
        "status": entry.status,
        "reason": entry.reason,
    }


def progress_json(tournament_id: int) -> Json:
    """Return the progress as of the stored standings.

    ``ends_at``: see ``expected_end``.
    """
    standing = Standing.objects.select_related("tournament").get(tournament_id=tournament_id)
    ends_at = expected_end(standing, now=timezone.now())
    return {**_counts_json(standing), "ends_at": ends_at and ends_at.isoformat(timespec="seconds")}


def _counts_json(standing: Standing) -> Json:
    """Return the progress without the expected end, whose estimate costs too much for every match that starts."""
    return {
        "finished": standing.finished,
        "total": standing.total,
        "running": len(running_matches(standing.tournament_id)),
        "failed": standing.failed,
    }


def running_matches(tournament_id: int) -> list[int]:
    """Return the ids of the tournament's running matches, oldest first.

    The search starts from all running matches, of which there are few.
    """
    running = Match.objects.filter(status=MatchStatus.RUNNING, purpose=Purpose.TOURNAMENT).values_list("pk", flat=True)
    rows = Pairing.objects.filter(match_id__in=list(running), tournament_id=tournament_id)
    return list(rows.order_by("pk").values_list("match_id", flat=True))


def matches_json(match_ids: Sequence[int]) -> list[Json]:
    """Return compact match cards in the given order; cards for large tables show only the best seats.

    ``name``: the match's name in its tournament; ``scores``: for each seat, the number that the game shows as its
    score, such as discs; points in games that show no such number.
    """
    seats = Seat.objects.select_related("submission__bot").order_by("index")
    found = {
        match.pk: match
        for match in Match.objects.filter(pk__in=match_ids)
        .select_related("pairing__round", "pairing__tournament")
        .prefetch_related(Prefetch("seats", queryset=seats))
    }
    names = encounter_names(match.pairing.tournament for match in found.values())
    return [_match_json(found[pk], names[found[pk].pairing.tournament_id]) for pk in match_ids if pk in found]


def _match_json(match: Match, names: EncounterNames) -> Json:
    seats = list(match.seats.all())
    total = len(seats)
    if total > MAX_NAMES:
        seats = sorted(seats, key=lambda seat: (seat.rank or 0, seat.index))[:MAX_NAMES]
    bots = [seat.bots_submission.bot for seat in seats]
    return {
        "id": match.pk,
        "url": reverse("match", args=[match.pk]),
        "status": match.status,
        "round": match.pairing.round.number,
        "name": names.match(match.pairing, match.pairing.round.number),
        "name_translations": names.match_by_language(match.pairing, match.pairing.round.number),
        "seats": total,
        "hidden": total - len(seats),
        "names": [localized_name(bot) for bot in bots],
        "translations": [translated_names(bot) for bot in bots],
        "scores": [seat.points if seat.count is None else seat.count for seat in seats],
    }


def shown_matches(tournament_id: int) -> list[int]:
    """Return the ids of the running matches, and of those that ended most recently."""
    ended = (
        Pairing.objects.filter(tournament_id=tournament_id, ended_at__isnull=False)
        .exclude(match__status=MatchStatus.CANCELLED)
        .order_by("-ended_at", "-pk")
        .values_list("match_id", flat=True)
    )
    return [*running_matches(tournament_id)[:LATEST_MATCHES], *ended[:LATEST_MATCHES]]


def tiebreak_columns(tournament: Tournament) -> list[TiebreakColumn]:
    if traits_of(tournament).scored:
        return score_columns(SITES[tournament.game].score_decimals)
    return columns_of(tiebreaks_of(tournament.format, tournament.tiebreaks))


def shows_places(tournament: Tournament) -> bool:
    """Return whether each entry's possible final places can be shown.

    They are unknown if scores are unbounded, or if each group has its own standings. In a bracket, they replace the
    ranks.
    """
    return not (traits_of(tournament).scored or tournament.format == Format.GROUPS or ranks_by_bracket(tournament))


def score_json(tournament: Tournament) -> Json | None:
    """Return how a score attack names and rounds its scores; None for other formats."""
    site = SITES[tournament.game]
    scored = traits_of(tournament).scored
    return {"name": str(site.score_name), "decimals": site.score_decimals} if scored else None


def tables_json(tournament_id: int) -> list[Json]:
    """Return a table for each finished match, oldest first, with every entry's rank and score.

    Only for tournaments in which all entries play at one table in every match.
    """
    seats = (
        PairingSeat.objects.filter(pairing__tournament_id=tournament_id, rank__isnull=False)
        .order_by("pairing_id", "index")
        .values_list("pairing__match_id", "pairing__round__number", "entry_id", "rank", "margin")
    )
    tables: dict[int, Json] = {}
    for match_id, number, entry_id, rank, margin in seats:
        url = reverse("match", args=[match_id])
        table = tables.setdefault(match_id, {"match": match_id, "url": url, "round": number, "seats": {}})
        table["seats"][str(entry_id)] = {"rank": rank, "score": margin}
    return list(tables.values())


def snapshot(tournament_id: int, page: str = "") -> Json:
    """Return the public live part of the tournament page, without withheld results. Raises Http404."""
    shown = full_snapshot(tournament_id, page)
    withheld = Tournament.objects.values_list("withheld", flat=True).get(pk=tournament_id)
    return redacted_snapshot(shown) if withheld else shown


def full_snapshot(tournament_id: int, page: str = "") -> Json:
    """Return the live part of the tournament page with all results; long standings are limited to one page of rows."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None:
        raise Http404
    standings = Paginator(standing_order(tournament_id), ROWS_A_PAGE).get_page(page)
    entries = list(standings.object_list)
    met = Standing.objects.values_list("head_to_head", flat=True).get(tournament_id=tournament_id)
    if not met and has_crosstable(tournament) and standings.paginator.num_pages == 1:
        met = {str(entry.pk): {} for entry in entries}  # the table is present from the start, although still empty
    return {
        "seq": tournament.version,
        "status": tournament.status,
        "format": tournament.format,
        "withheld": False,
        "by_rank": tournament.is_table,
        "score": score_json(tournament),
        "shows_places": shows_places(tournament),
        "shows_ranges": ranks_by_bracket(tournament),
        "progress": progress_json(tournament_id),
        "rows": [row_json(entry) for entry in entries],
        "order": [entry.pk for entry in entries],
        "page": standings.number,
        "pages": standings.paginator.num_pages,
        "head_to_head": met,
        "tables": tables_json(tournament_id) if is_one_table(tournament) else [],
        "columns": [asdict(column) for column in tiebreak_columns(tournament)],
        "matches": matches_json(shown_matches(tournament_id)),
    }


def score_table(shown: Json) -> Json:
    """Return a snapshot's scores by table, with one row per entry, in the order of the standings."""
    rows = {row["entry"]: row for row in shown["rows"]}
    return {
        "columns": shown["tables"],
        "rows": [
            {**rows[entry], "cells": [table["seats"].get(str(entry)) for table in shown["tables"]]}
            for entry in shown["order"]
        ],
    }


def entries_event(tournament_id: int) -> Json:
    """Return the event for entries that were added, withdrawn or pinned.

    It contains all rows or, if there are too many, asks clients to fetch a new snapshot.
    """
    entries = list(standing_order(tournament_id)[: ROWS_A_PAGE + 1])
    if len(entries) > ROWS_A_PAGE:
        return {"type": "entries", "refetch": True}
    return {
        "type": "entries",
        "rows": [row_json(entry) for entry in entries],
        "order": [entry.pk for entry in entries],
    }


def status_event(tournament_id: int, status: str) -> Json:
    return {"type": "status", "status": status, "progress": progress_json(tournament_id)}


def match_event(tournament_id: int, match_id: int) -> Json:
    """Return the event for a match that started, was requeued, or became void."""
    (match,) = matches_json([match_id])
    counts = _counts_json(Standing.objects.get(tournament_id=tournament_id))
    return {"type": "match", "match": match, "progress": counts}
