"""A POST with an ``Idempotency-Key`` succeeds at most once and runs outside any transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import RequestFactory

from arena.accounts.models import TokenScope, User
from arena.api.authentication import RequiredAccess
from arena.api.idempotency import ABANDONED_AFTER, idempotent
from arena.api.models import IdempotentResponse
from tests.factories import person

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def post(
    user: User, operation: Callable[[], HttpResponse], body: str = "", *, after: timedelta = timedelta()
) -> HttpResponse:
    """Send a POST with the key "k", to an operation that takes no arguments, once the time ``after`` has passed."""
    decorate = idempotent(RequiredAccess(TokenScope.SUBMIT, signed_in=True), clock=lambda: NOW + after)
    headers = {"Idempotency-Key": "k"}
    request: Any = RequestFactory().post("/x", body, content_type="text/plain", headers=headers)
    request.user, request._dont_enforce_csrf_checks = user, True
    return decorate(lambda _request: operation())(request)


def succeed() -> HttpResponse:
    return HttpResponse(b"made", status=201)


def is_in_progress(response: HttpResponse) -> bool:
    return b'"request_in_progress"' in response.content


@pytest.mark.django_db(transaction=True)
def test_operation_runs_outside_any_transaction() -> None:
    def operation() -> HttpResponse:
        return HttpResponse(str(connection.in_atomic_block))

    assert post(person(), operation).content == b"False"


def test_repeat_of_a_request_in_progress_is_refused_until_it_has_ended() -> None:
    ada, repeats = person(), list[HttpResponse]()

    def operation() -> HttpResponse:
        repeats.append(post(ada, succeed, after=ABANDONED_AFTER))
        repeats.append(post(ada, succeed, "other"))
        return succeed()

    first = post(ada, operation)
    assert [response.status_code for response in repeats] == [409, 422]
    assert is_in_progress(repeats[0])
    assert int(repeats[0]["Retry-After"]) > 0
    again = post(ada, operation)
    assert (again.status_code, again.content, again["Idempotency-Replayed"]) == (201, first.content, "true")
    assert len(repeats) == 2


def test_key_of_a_request_whose_process_died_expires() -> None:
    ada = person()

    def die() -> HttpResponse:
        raise SystemExit

    with pytest.raises(SystemExit):
        post(ada, die)
    assert is_in_progress(post(ada, succeed, after=ABANDONED_AFTER))
    assert post(ada, succeed, after=ABANDONED_AFTER + timedelta(seconds=1)).status_code == 201
    assert post(ada, die, after=ABANDONED_AFTER * 3).status_code == 201


def test_request_that_lost_its_key_does_not_change_the_response_of_its_repeat() -> None:
    ada = person()

    def hang() -> HttpResponse:
        post(ada, succeed, after=ABANDONED_AFTER + timedelta(seconds=1))
        return HttpResponse(status=500)

    assert post(ada, hang).status_code == 500
    assert post(ada, hang, after=ABANDONED_AFTER).content == b"made"


def test_operation_that_raises_releases_its_key() -> None:
    def operation() -> HttpResponse:
        raise ZeroDivisionError

    ada = person()
    with pytest.raises(ZeroDivisionError):
        post(ada, operation)
    assert not IdempotentResponse.objects.exists()
    assert post(ada, succeed).status_code == 201
