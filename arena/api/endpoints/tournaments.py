"""Tournaments: list, enter, follow, export; create and start (organizers only)."""

from __future__ import annotations

import random
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja import Field, Query, Router, Status

from arena.accounts.permissions import Action, SignedInRequest, require
from arena.api.drafts import create_from_draft
from arena.api.operations import ORGANIZE, get, post
from arena.api.paging import Id, Paging, page_of_list, page_of_rows
from arena.api.schemas import matches as match_shapes
from arena.api.schemas import tournaments as shapes
from arena.matches.queries import cards_of as match_cards
from arena.tournaments.access import (
    organized_tournament,
    tournament_with_archive,
    tournament_with_tables,
    visible_tournament,
    withdrawable_entry,
)
from arena.tournaments.entries import registration
from arena.tournaments.events.snapshots import full_snapshot, snapshot
from arena.tournaments.exports.downloads import archive_response, table_response
from arena.tournaments.queries import entries, rounds, tournaments
from arena.tournaments.services import controls
from arena.tournaments.visibility import sees_results

router = Router(tags=["Tournaments"])


class TournamentFilter(Paging):
    """The filter for the list of tournaments."""

    game: str = Field("", max_length=32)
    status: str = Field("", max_length=10)
    text: str = Field("", max_length=100, description="Part of the name.")


@get(router, "/tournaments", response=shapes.TournamentPage)
def list_tournaments(request: HttpRequest, chosen: Query[TournamentFilter]) -> dict[str, Any]:
    """List the tournaments that you may see, newest first."""
    wanted = tournaments.TournamentFilter(chosen.game, chosen.status, chosen.text)
    page = page_of_rows(tournaments.tournaments(wanted, request.user), chosen)
    return {"items": tournaments.cards_of(page.items), "next": page.next}


@post(router, "/tournaments", response=shapes.Tournament, status=201, scope=ORGANIZE)
def create_tournament(request: SignedInRequest, response: HttpResponse, draft: shapes.TournamentDraft) -> Status[Any]:
    """Create a tournament (organizers only)."""
    require(request.user, Action.CREATE_TOURNAMENT)
    tournament_id = create_from_draft(request.user, draft, rng=random.SystemRandom())
    response["Location"] = f"/api/v1/tournaments/{tournament_id}"
    return Status(201, _tournament_json(visible_tournament(request, tournament_id)))


@get(router, "/tournaments/{tournament_id}", response=shapes.Tournament)
def get_tournament(request: HttpRequest, tournament_id: Id) -> dict[str, Any]:
    """Get a tournament."""
    return _tournament_json(visible_tournament(request, tournament_id))


@post(router, "/tournaments/{tournament_id}/start", response=shapes.Tournament, scope=ORGANIZE)
def start_tournament(request: SignedInRequest, tournament_id: Id) -> dict[str, Any]:
    """Close entries to one of your tournaments, and start it as soon as all running checks have ended."""
    organized_tournament(request, tournament_id)
    controls.start_now(tournament_id, actor=request.user, now=timezone.now())
    return _tournament_json(visible_tournament(request, tournament_id))


@get(router, "/tournaments/{tournament_id}/entries", response=shapes.EntryPage)
def list_entries(request: HttpRequest, tournament_id: Id, paging: Query[Paging]) -> dict[str, Any]:
    """List the bots that entered, in order of entry."""
    visible_tournament(request, tournament_id)
    page = page_of_list(entries.entries(tournament_id), paging)
    return {"items": page.items, "next": page.next}


@post(router, "/tournaments/{tournament_id}/entries", response=shapes.Entry, status=201)
def enter_tournament(request: SignedInRequest, tournament_id: Id, entry: shapes.NewEntry) -> Status[Any]:
    """Enter one of your bots."""
    visible_tournament(request, tournament_id)
    made = registration.enter(request.user, tournament_id, entry.bot, now=timezone.now())
    return Status(201, entries.entry(made.pk))


@post(router, "/tournaments/{tournament_id}/entries/{entry_id}/withdraw", response=shapes.Entry)
def withdraw_entry(request: SignedInRequest, tournament_id: Id, entry_id: Id) -> Any:
    """Withdraw one of your bots or, as the organizer, any bot."""
    withdrawable_entry(request, tournament_id, entry_id)
    registration.withdraw(entry_id, actor=request.user, now=timezone.now())
    return entries.entry(entry_id)


@get(router, "/tournaments/{tournament_id}/standings", response=shapes.Standings)
def get_standings(request: HttpRequest, tournament_id: Id, paging: Query[Paging]) -> dict[str, Any]:
    """Get the standings, without ranks and points while the results are withheld from you."""
    visible_tournament(request, tournament_id)
    draw = full_snapshot if sees_results(request.user, tournament_id) else snapshot
    first = draw(tournament_id)
    rows = [*first["rows"]]
    for number in range(2, first["pages"] + 1):
        rows += draw(tournament_id, str(number))["rows"]
    page = page_of_list(rows, paging)
    columns = [str(column["label"]) for column in first["columns"]]
    head = {name: first[name] for name in ("status", "withheld", "by_rank")}
    return {**head, "columns": columns, "items": page.items, "next": page.next}


@get(router, "/tournaments/{tournament_id}/pairings", response=shapes.RoundPage)
def list_pairings(request: HttpRequest, tournament_id: Id, paging: Query[Paging]) -> dict[str, Any]:
    """List the rounds with their encounters; empty while the results are withheld from you."""
    visible_tournament(request, tournament_id)
    sees = sees_results(request.user, tournament_id)
    page = page_of_list(rounds.round_numbers(tournament_id) if sees else [], paging)
    return {"items": rounds.rounds(tournament_id, page.items), "next": page.next}


@get(router, "/tournaments/{tournament_id}/matches", response=match_shapes.MatchPage)
def list_tournament_matches(request: HttpRequest, tournament_id: Id, paging: Query[Paging]) -> dict[str, Any]:
    """List a tournament's matches that you may see, newest first."""
    visible_tournament(request, tournament_id)
    page = page_of_rows(tournaments.matches(tournament_id, tournaments.TournamentMatchFilter(), request.user), paging)
    return {"items": match_cards(page.items), "next": page.next}


@get(router, "/tournaments/{tournament_id}/exports/{table}", media_type="text/csv")
def export_table(
    request: HttpRequest, tournament_id: Id, table: Literal["entries", "matches", "standings", "crosstable"]
) -> HttpResponseBase:
    """Download a table as CSV.

    The organizer can download the table at any time, everyone else once the tournament is finished and its results are
    released.
    """
    return table_response(request, tournament_with_tables(request, tournament_id), table)


@get(router, "/tournaments/{tournament_id}/archive", signed_in=True, media_type="application/zip")
def download_archive(request: SignedInRequest, tournament_id: Id) -> HttpResponseBase:
    """Download the archive of one of your finished tournaments."""
    return archive_response(request, tournament_with_archive(request, tournament_id))


def _tournament_json(detail: tournaments.TournamentDetail) -> dict[str, Any]:
    card = shapes.TournamentLine.from_orm(detail.card).model_dump()
    names = (
        *("format", "settings", "limits", "entry_policy", "entries_per_person", "withheld", "end_reason"),
        *("record_retention", "record_days"),
    )
    return {**card, **{name: getattr(detail, name) for name in names}, "description": detail.shown_description}
