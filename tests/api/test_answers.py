"""Problem details, paging, ETags and rate limits work alike in all operations; a repeated POST has no second effect."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from arena.api.models import IdempotentResponse
from arena.api.problems import Code
from arena.submissions.models import Bot, Submission
from tests.api.caller import ROOT, Caller
from tests.factories import bot, person, submission

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("method", "path", "status", "code", "error"),
    [
        ("get", "/nothing", 404, "unknown_endpoint", None),
        ("get", "/bots/7", 404, "not_found", None),
        ("get", "/me", 401, "unauthorized", None),
        ("delete", "/bots/7", 405, "method_not_allowed", None),
        ("get", "/bots?limit=1000", 422, "invalid_values", ("limit", "max_value")),
        ("get", "/bots?limit=0", 422, "invalid_values", ("limit", "min_value")),
        ("get", "/bots?limit=x", 422, "invalid_values", ("limit", "invalid")),
        ("get", "/bots?cursor=nonsense", 422, "invalid_values", ("cursor", "invalid")),
        # a cursor from a different kind of list
        ("get", "/bots?cursor=YXQ6MQ", 422, "invalid_values", ("cursor", "invalid")),
        ("get", f"/bots/{2**63}", 422, "invalid_values", ("bot_id", "max_value")),
        ("get", "/bots/x", 422, "invalid_values", ("bot_id", "invalid")),
        ("get", "/leaderboards/chess", 404, "not_found", None),
        ("get", f"/leaderboards/{'x' * 33}", 422, "invalid_values", ("game", "max_length")),
        ("get", "/tournaments/1/exports/secrets", 422, "invalid_values", ("table", "invalid_choice")),
    ],
)
def test_every_error_is_a_problem(
    method: str, path: str, status: int, code: str, error: tuple[str, str] | None
) -> None:
    answer = getattr(Client(), method)(f"{ROOT}{path}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    body = answer.json()
    assert body.keys() == {"type", "title", "status", "detail", "code", "errors", "facts"}
    assert (body["status"], body["code"]) == (status, code)
    assert body["detail"]
    assert [(each["field"], each["code"]) for each in body["errors"]] == ([error] if error else [])
    if status == 405:
        assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD"}


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"game": "reversi"}, ("name", "required")),
        ({"name": "A", "game": "reversi", "extra": 1}, ("extra", "unknown_field")),
        ({"name": "A", "game": "reversi", "starts_at": "soon"}, ("starts_at", "invalid")),
        ({"name": "A", "game": "reversi", "invited": ["x"] * 501}, ("invited", "max_length")),
        ({"name": "A", "game": "chess"}, ("game", "invalid_choice")),
        ({"name": "A", "game": "reversi", "format": "chaos"}, ("format", "invalid_choice")),
        ({"name": "A", "game": "reversi", "settings": {"chaos": 1}}, ("settings.chaos", "unknown_field")),
        ("text", ("", "invalid")),
    ],
)
def test_every_invalid_value_has_its_field_and_code(body: Any, error: tuple[str, str]) -> None:
    answer = Caller(person(is_staff=True)).post("/tournaments", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_values")
    assert [(each["field"], each["code"]) for each in answer.json()["errors"]] == [error]


def test_messages_of_invalid_values_are_translated() -> None:
    english, chinese = (
        Client().get(f"{ROOT}/bots?limit=x", headers={"Accept-Language": language}).json()["errors"][0]["message"]
        for language in ("en", "zh-Hans")
    )
    assert english.isascii()
    assert not chinese.isascii()


@pytest.mark.long
def test_openapi_document_lists_every_general_code() -> None:
    document = Client().get(f"{ROOT}/openapi.json").json()["components"]["schemas"]["Problem"]
    for code in Code:
        assert f"`{code}`" in document["properties"]["code"]["description"]


def test_errors_are_in_the_language_of_the_reader() -> None:
    english, chinese = (
        Client().get(f"{ROOT}/bots/7", headers={"Accept-Language": language}).json()["detail"]
        for language in ("en", "zh-Hans")
    )
    assert english != chinese


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"name": NaN}',
        b'"text"',
        b"[]",
        b'{"name": "a\\u0000", "game": "reversi"}',
        b'{"name": "\\ud800"}',
        b"\xff",
    ],
)
def test_body_that_is_not_json_is_refused(body: bytes) -> None:
    caller = Caller(person(is_staff=True))
    answer = caller.client.post(f"{ROOT}/tournaments", body, content_type="application/json", headers=caller.headers)
    assert answer.status_code in (400, 422)
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_server_error_has_problem_details(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a failure of ours")

    monkeypatch.setattr("arena.submissions.queries.bot_row", broken)
    answer = Client(raise_request_exception=False).get(f"{ROOT}/bots/1")
    assert (answer.status_code, answer.json()["code"]) == (500, "server_error")
    assert "failure of ours" not in answer.content.decode()


def test_pages_contain_every_row_once_despite_insertions() -> None:
    made = [bot().pk for _ in range(5)]
    caller, found, cursor = Caller(), [], ""
    while True:
        page = caller.get(f"/bots?limit=2{cursor}").json()
        found += [row["id"] for row in page["items"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
        bot()
    assert found == made[::-1]


def test_unchanged_response_is_not_sent_again() -> None:
    made = bot()
    caller, path = Caller(), f"/bots/{made.pk}"
    first = caller.get(path)
    etag = first.headers["ETag"]
    again = caller.get(path, **{"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert "private" in first.headers["Cache-Control"]
    assert {"Authorization", "Cookie"} <= set(first.headers["Vary"].split(", "))
    Bot.objects.update(description="another")
    assert caller.get(path, **{"If-None-Match": etag}).status_code == 200


def test_requests_are_limited_per_person_and_say_when_to_retry(settings: Settings) -> None:
    settings.API_REQUESTS_AN_HOUR = 3
    caller = Caller(person())
    assert [caller.get("/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = caller.get("/me")
    assert 0 < int(refused.headers["Retry-After"]) <= 1200
    assert refused.json()["code"] == "limit"
    assert Caller(person()).get("/me").status_code == 200


def test_repeated_posts_are_rate_limited(settings: Settings) -> None:
    settings.API_REQUESTS_AN_HOUR = 2
    caller = Caller(person())
    answers = [caller.upload("/bots", key="one", game="reversi", name="One") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert int(answers[2].headers["Retry-After"]) > 0


def test_token_guessing_is_limited_per_network(settings: Settings) -> None:
    settings.API_REQUESTS_AN_HOUR = 2
    wrong = {"Authorization": "Bearer arena_wrong"}
    assert [Client().get(f"{ROOT}/me", headers=wrong).status_code for _ in range(3)] == [401, 401, 429]


def test_limits_of_the_site_apply_to_the_api(settings: Settings) -> None:
    settings.UPLOADS_AN_HOUR = 1
    owner = person()
    caller = Caller(owner)
    assert caller.upload("/bots", game="reversi", name="One").status_code == 201
    refused = caller.upload("/bots", game="reversi", name="Two")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 3000


def test_repeated_post_has_no_second_effect() -> None:
    caller = Caller(person())
    first = caller.upload("/bots", key="upload-1", game="reversi", name="One")
    again = caller.upload("/bots", key="upload-1", game="reversi", name="One")
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json(), again.headers["Location"]) == (first.json(), first.headers["Location"])
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert Submission.objects.count() == 1


def test_idempotency_key_belongs_to_one_request_of_one_person() -> None:
    owner = person()
    caller = Caller(owner)
    caller.upload("/bots", key="k", game="reversi", name="One")
    for other in ({"name": "Two"}, {"name": "One", "source": "# other\n"}):
        refused = caller.upload("/bots", key="k", game="reversi", **other)
        assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    made = Bot.objects.get()
    assert caller.post(f"/bots/{made.pk}/roll-back", Idempotency_Key="k").status_code == 422
    assert Caller(person()).upload("/bots", key="k", game="reversi", name="One").status_code == 201


def test_failed_request_is_executed_when_repeated() -> None:
    owner = person()
    made, caller = bot(owner), Caller(owner)
    path = f"/bots/{made.pk}/roll-back"
    assert caller.post(path, Idempotency_Key="k").status_code == 409
    made.active = submission(made)
    made.save()
    assert caller.post(path, Idempotency_Key="k").status_code == 200
    made.refresh_from_db()
    made.active = made.submissions.get(number=2)
    made.save()
    assert caller.post(path, Idempotency_Key="k").json()["is_active"] is True, "the answer that was given"
    made.refresh_from_db()
    assert made.active.number == 2, "and nothing else happened"


def test_idempotency_key_is_kept_for_a_day() -> None:
    caller = Caller(person())
    caller.upload("/bots", key="k", game="reversi", name="One")
    IdempotentResponse.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    assert caller.upload("/bots", key="k", game="reversi", name="One").json()["code"] == "name_taken"


@pytest.mark.parametrize("key", ["", "x" * 256, "\N{SNOWMAN}".encode().decode("latin-1")])
def test_invalid_idempotency_key_is_refused(key: str) -> None:
    made = bot(person())
    refused = Caller(made.owner).post(f"/bots/{made.pk}/roll-back", Idempotency_Key=key)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_idempotency_key")


def test_token_without_the_scope_gets_no_stored_response() -> None:
    owner = person()
    Caller(owner).upload("/bots", key="k", game="reversi", name="One")
    assert Caller(owner, ["read"]).upload("/bots", key="k", game="reversi", name="One").status_code == 403


@pytest.mark.long
def test_openapi_document_names_every_operation_once() -> None:
    document = Client().get(f"{ROOT}/openapi.json").json()
    names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names)) >= 30
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert method in ("get", "post"), path
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    assert response["content"].keys() == {"application/problem+json"}, (path, status)
    assert json.dumps(document).count('"session": []') == len(names)
