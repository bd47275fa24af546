"""Matches: list, record, and the author's private report on a bot's seat."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja import Field, Query, Router

from arena.accounts.permissions import SignedInRequest
from arena.api import reports
from arena.api.operations import get
from arena.api.paging import LARGEST_ID, Id, Paging, page_of_ids
from arena.api.schemas import bots as private
from arena.api.schemas import matches as shapes
from arena.matches import listing, queries
from arena.matches.access import record_data_or_404, report_or_404, require_visible_or_404
from arena.matches.downloads import record_response

router = Router(tags=["Matches"])
SeatIndex = Annotated[int, Field(ge=0, le=32767)]


class MatchFilter(Paging):
    """The filter for the list of matches."""

    game: str = Field("", max_length=32)
    status: str = Field("", max_length=10)
    purpose: str = Field("", max_length=12)
    bot: int | None = Field(None, ge=1, le=LARGEST_ID)
    person: str = Field("", max_length=150, description="A username.")


@get(router, "/matches", response=shapes.MatchPage)
def list_matches(request: HttpRequest, chosen: Query[MatchFilter]) -> dict[str, Any]:
    """List the matches that you may see, newest first."""
    wanted = listing.MatchFilter(chosen.game, chosen.status, chosen.purpose, chosen.bot, chosen.person)
    page = page_of_ids(
        lambda count, before: listing.newest_match_ids(wanted, request.user, count, before=before), chosen
    )
    return {"items": queries.cards_of_ids(page.items), "next": page.next}


@get(router, "/matches/{match_id}", response=shapes.Match)
def get_match(request: HttpRequest, match_id: Id) -> Any:
    """Get a match."""
    require_visible_or_404(request, match_id)
    return queries.match_card(match_id)


@get(router, "/matches/{match_id}/record", media_type="application/json")
def get_record(request: HttpRequest, match_id: Id) -> HttpResponseBase:
    """Get the record of a finished match, in the format that `python -m bots replay` reads."""
    return record_response(request, match_id, record_data_or_404(request, match_id))


@get(router, "/matches/{match_id}/seats/{seat}/report", response=private.Report, signed_in=True)
def get_report(request: SignedInRequest, match_id: Id, seat: SeatIndex) -> dict[str, Any]:
    """Get the log and the faults of your bot in a match."""
    found = report_or_404(request, match_id, seat)
    return {
        "match": match_id,
        "seat": seat,
        "bot": found.line.name,
        "log": found.log_text,
        "faults": reports.faults_json(found.faults, found.log),
    }
