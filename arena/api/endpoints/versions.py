"""Versions of your own bots: check, log, activation, files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from ninja import Router

from arena.accounts.permissions import SignedInRequest
from arena.api import reports
from arena.api.operations import get, post
from arena.api.paging import Id
from arena.api.schemas import bots as shapes
from arena.platform.refusal import Refused
from arena.submissions import private_report, queries, services
from arena.submissions.access import changeable_submission, readable_submission, submission_with_files
from arena.submissions.downloads import files_response

router = Router(tags=["Versions"])

STREAM_POLLS: Final = 120  # per stream: the client has to reconnect, so a revoked token loses access
POLL_SECONDS: Final = 0.5


@get(router, "/versions/{version_id}", response=shapes.Version, signed_in=True)
def get_version(request: SignedInRequest, version_id: Id) -> Any:
    """Get a version of your bot."""
    return readable_submission(request, version_id)


@get(router, "/versions/{version_id}/check", response=shapes.Check, signed_in=True)
def get_check(request: SignedInRequest, version_id: Id) -> Any:
    """Get the check of a version: its steps and the bot's faults."""
    return reports.check_json(readable_submission(request, version_id))


@get(
    router,
    "/versions/{version_id}/check/events",
    signed_in=True,
    media_type="text/event-stream",
)
def stream_check(request: SignedInRequest, version_id: Id) -> HttpResponseBase:
    """Stream the check of a version as server-sent events.

    Each `check` event contains the response of `get_check` and is sent whenever it changes; in the last one,
    `finished` is true. The stream ends after a minute: connect again to follow a longer check.
    """
    readable_submission(request, version_id)
    return event_stream(version_id, lambda: asyncio.sleep(POLL_SECONDS))


@post(router, "/versions/{version_id}/check", response=shapes.Version)
def check_again(request: SignedInRequest, version_id: Id) -> Any:
    """Check a failed or void version again."""
    card = changeable_submission(request, version_id)
    if not services.check_again(card.id):
        raise Refused(
            _("Only a check that failed or is void can be rerun. To check other code, upload a new version."),
            code="check_final",
        )
    return queries.submission(version_id)


@post(router, "/versions/{version_id}/activate", response=shapes.Version)
def activate_version(request: SignedInRequest, version_id: Id) -> Any:
    """Activate a version that passed its check."""
    services.activate(changeable_submission(request, version_id).id)
    return queries.submission(version_id)


@get(router, "/versions/{version_id}/log", signed_in=True, media_type="text/plain")
def get_check_log(request: SignedInRequest, version_id: Id) -> HttpResponse:
    """Get the output of the bot during its check."""
    report = private_report.report_of(readable_submission(request, version_id).id)
    return HttpResponse(report.log_text, content_type="text/plain; charset=utf-8")


@get(router, "/versions/{version_id}/download", signed_in=True, media_type="application/octet-stream")
def download_version(request: SignedInRequest, version_id: Id) -> HttpResponseBase:
    """Download the files of a version: a `.py` file, or a `.zip` archive if there are several files."""
    return files_response(submission_with_files(request, version_id))


def event_stream(version_id: int, pause: Callable[[], Awaitable[None]]) -> StreamingHttpResponse:
    """Return a response that streams the events of a version's check; ``pause`` waits between polls of its status."""
    response = StreamingHttpResponse(_check_events(version_id, pause), content_type="text/event-stream")
    response["Cache-Control"], response["X-Accel-Buffering"] = "no-store", "no"
    return response


async def _check_events(version_id: int, pause: Callable[[], Awaitable[None]]) -> AsyncIterator[str]:
    shown = ""
    for _poll in range(STREAM_POLLS):
        found = await sync_to_async(_check_json)(version_id)
        if found is None:
            return
        text = json.dumps(found, ensure_ascii=False)
        if text != shown:
            shown = text
            yield f"event: check\ndata: {text}\n\n"
        if found["finished"]:
            return
        await pause()


def _check_json(version_id: int) -> dict[str, Any] | None:
    card = queries.submission(version_id)
    return None if card is None else shapes.Check(**reports.check_json(card)).model_dump(mode="json")
