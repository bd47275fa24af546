"""Bots: list, create, upload a version, roll back, get the rating history."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from ninja import Field as Described
from ninja import File, Form, Query, Router, Schema, Status
from ninja.files import UploadedFile

from arena.accounts.permissions import Action, SignedInRequest, may, require
from arena.api.operations import get, post
from arena.api.paging import Id, Paging, page_of_rows
from arena.api.problems import problem_of_forms
from arena.api.schemas import bots as shapes
from arena.ratings.history import rating_history
from arena.submissions import queries, services
from arena.submissions.access import bot_or_404, changeable_bot
from arena.submissions.forms import NewBotForm, UploadForm

router = Router(tags=["Bots"])


class BotFilter(Paging):
    """The filter for the list of bots."""

    game: str = Described("", max_length=32)
    owner: str = Described("", max_length=150, description="A username.")
    text: str = Described("", max_length=100, description="Part of the name, the author's name or the description.")
    retired: bool = Described(False, description="Whether to include retired bots.")


class NewBot(Schema):
    """The fields of a new bot in addition to its file."""

    game: str = Described(max_length=32)
    name: str = Described(max_length=200, description="At most 40 characters; visible to everyone.")
    description: str = Described("", max_length=300)
    plays_people: bool = Described(True, description="Whether people can play against the bot in the browser.")


@get(router, "/bots", response=shapes.BotPage)
def list_bots(request: HttpRequest, chosen: Query[BotFilter]) -> dict[str, Any]:
    """List bots, newest first."""
    wanted = queries.BotFilter(game=chosen.game, owner=chosen.owner, text=chosen.text, retired=chosen.retired)
    page = page_of_rows(queries.bots(wanted), chosen)
    return {"items": queries.bot_rows(page.items), "next": page.next}


@post(router, "/bots", response=shapes.Version, status=201)
def create_bot(
    request: SignedInRequest, response: HttpResponse, bot: Form[NewBot], file: File[UploadedFile]
) -> Status[Any]:
    """Create a bot and start the check of its first version."""
    require(request.user, Action.CREATE_BOT)
    form = NewBotForm(bot.model_dump(), MultiValueDict({"file": [file]}))
    if not form.is_valid():
        raise problem_of_forms(form)
    made = services.create_bot(request.user, form.draft(), form.upload, now=timezone.now())
    return _created_response(response, made.pk)


@get(router, "/bots/{bot_id}", response=shapes.Bot)
def get_bot(request: HttpRequest, bot_id: Id) -> Any:
    """Get a bot."""
    return bot_or_404(bot_id)


@get(router, "/bots/{bot_id}/versions", response=shapes.VersionPage)
def list_versions(request: HttpRequest, bot_id: Id, paging: Query[Paging]) -> dict[str, Any]:
    """List the versions of a bot, newest first."""
    bot = bot_or_404(bot_id)
    page = page_of_rows(queries.versions(bot_id), paging)
    reads = may(request.user, Action.SEE_SOURCE, bot.owner_id)
    lines = [shapes.VersionLine.from_orm(line) for line in queries.version_rows(page.items)]
    return {
        "items": [line if reads else line.model_copy(update={"filename": None}) for line in lines],
        "next": page.next,
    }


@post(router, "/bots/{bot_id}/versions", response=shapes.Version, status=201)
def upload_version(
    request: SignedInRequest, response: HttpResponse, bot_id: Id, file: File[UploadedFile]
) -> Status[Any]:
    """Upload a new version and start its check.

    Files identical to an earlier version are refused with the code `same_content`; `facts` names that version.
    """
    changeable_bot(request, bot_id)
    form = UploadForm({}, MultiValueDict({"file": [file]}))
    if not form.is_valid():
        raise problem_of_forms(form)
    made = services.submit(bot_id, form.upload, now=timezone.now())
    return _created_response(response, made.pk)


@post(router, "/bots/{bot_id}/roll-back", response=shapes.Version)
def roll_back(request: SignedInRequest, bot_id: Id) -> Any:
    """Reactivate the most recent earlier version that passed its check."""
    changeable_bot(request, bot_id)
    return queries.submission(services.roll_back(bot_id).pk)


@get(router, "/bots/{bot_id}/ratings", response=shapes.RatingHistory)
def get_rating_history(request: HttpRequest, bot_id: Id) -> dict[str, Any]:
    """Get the rating history of a bot, version by version."""
    bot_or_404(bot_id)
    points = [
        {
            "day": point.day.isoformat(),
            "version": point.version,
            "value": point.estimate.value,
            "low": point.estimate.lower_bound,
            "high": point.estimate.upper_bound,
            "matches": point.matches,
        }
        for point in rating_history(bot_id)
    ]
    return {"bot": bot_id, "points": points}


def _created_response(response: HttpResponse, version_id: int) -> Status[Any]:
    response["Location"] = f"/api/v1/versions/{version_id}"
    return Status(201, queries.submission(version_id))
