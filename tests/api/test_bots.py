"""Clients can upload a bot, read its check as JSON and as a stream, and reactivate an earlier version."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import cast

import pytest
from asgiref.sync import sync_to_async

from arena.api.endpoints.versions import event_stream
from arena.submissions.models import Bot, Submission, SubmissionStatus
from tests.api.caller import Caller
from tests.factories import bot, person, submission
from tests.submissions.test_private_report import CRASH, REFUSED, check
from tests.submissions.uploads import WORKING, upload_bot

pytestmark = pytest.mark.django_db


def test_bot_is_created_and_gets_a_second_version() -> None:
    caller = Caller(person("ada"))
    first = caller.upload("/bots", game="reversi", name="Deep", description="Plays well.")
    assert first.status_code == 201
    version = first.json()
    assert first.headers["Location"] == f"/api/v1/versions/{version['id']}"
    assert (version["number"], version["status"], version["filename"]) == (1, "waiting", "main.py")
    made = Bot.objects.get()
    assert (made.name, made.description, made.plays_people) == ("Deep", "Plays well.", True)
    second = caller.upload(f"/bots/{made.pk}/versions", WORKING + "# better\n")
    assert (second.status_code, second.json()["number"]) == (201, 2)
    same = caller.upload(f"/bots/{made.pk}/versions", WORKING)
    assert (same.status_code, same.json()["code"]) == (409, "same_content")
    assert same.json()["facts"] == {"submission": version["id"], "number": 1}


@pytest.mark.parametrize(
    ("fields", "source", "field"),
    [
        ({"game": "chess", "name": "Deep"}, WORKING, "game"),
        ({"game": "reversi", "name": ""}, WORKING, "name"),
        ({"game": "reversi", "name": "x" * 41}, WORKING, "name"),
        ({"name": "Deep"}, WORKING, "game"),
        ({"game": "reversi", "name": "Deep"}, "", "file"),
    ],
)
def test_invalid_upload_names_the_field(fields: dict[str, str], source: str, field: str) -> None:
    answer = Caller(person()).upload("/bots", source, **fields)
    assert answer.status_code == 422
    assert field in {error["field"] for error in answer.json()["errors"]}
    assert not Bot.objects.exists()


def test_missing_file_is_reported() -> None:
    caller = Caller(person())
    answer = caller.client.post("/api/v1/bots", {"game": "reversi", "name": "Deep"}, headers=caller.headers)
    assert [error["field"] for error in answer.json()["errors"]] == ["file"]


def test_failed_check_explains_itself() -> None:
    row = upload_bot(person("ada"))
    check(row, REFUSED, CRASH)
    caller = Caller(row.bot.owner)
    shown = caller.get(f"/versions/{row.pk}/check").json()
    assert (shown["status"], shown["finished"]) == ("failed", True)
    assert "failed" in {step["state"] for step in shown["steps"]}
    refused, crash = shown["faults"]
    assert (refused["lost"], crash["lost"]) == (False, True)
    assert crash["kind"] == "crash"
    assert "KeyError: 3" in crash["message"]
    assert crash["traceback"].startswith("Traceback")
    assert "last words" in crash["printed"]
    assert "last words" in caller.get(f"/versions/{row.pk}/log").content.decode()


def test_only_a_failed_check_can_be_repeated() -> None:
    made = bot(person())
    caller, row = Caller(made.owner), submission(made, SubmissionStatus.FAILED)
    assert caller.post(f"/versions/{row.pk}/check").json()["status"] == "waiting"
    assert caller.post(f"/versions/{made.active_id}/check").status_code == 409


def test_rollback_skips_failed_versions() -> None:
    made = bot(person())
    caller = Caller(made.owner)
    submission(made, SubmissionStatus.FAILED)
    third = submission(made)
    assert caller.post(f"/versions/{third.pk}/activate").json()["is_active"] is True
    assert caller.post(f"/bots/{made.pk}/roll-back").json()["number"] == 1
    assert caller.post(f"/bots/{made.pk}/roll-back").status_code == 409


def test_download_matches_the_upload() -> None:
    row = upload_bot(person("ada"))
    answer = Caller(row.bot.owner).get(f"/versions/{row.pk}/download")
    assert answer.content.decode() == WORKING
    assert answer.headers["Content-Disposition"] == 'attachment; filename="deep-v1.py"'
    assert answer.headers["Content-Type"] == "application/octet-stream"


@pytest.mark.django_db(transaction=True)
async def test_stream_reports_each_change_once_and_ends_with_the_check() -> None:
    row = await sync_to_async(lambda: submission(bot(playable=False), SubmissionStatus.WAITING))()
    changes = iter([{}, {"status": "checking"}, {"status": "passed"}])

    async def pause() -> None:
        if change := next(changes):
            await Submission.objects.filter(pk=row.pk).aupdate(**change)

    stream = cast(AsyncIterator[bytes], event_stream(row.pk, pause).streaming_content)
    events = [piece.decode() async for piece in stream]
    assert all(event.startswith("event: check\ndata: ") and event.endswith("\n\n") for event in events)
    states = [json.loads(event.partition("data: ")[2])["status"] for event in events]
    assert states == ["waiting", "checking", "passed"]
