"""Refusals are shown next to the field concerned, above the form, as a message, or as JSON for scripts."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django import forms
from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.test import RequestFactory

from arena.platform.quota import HourlyUse, limit_reached
from arena.platform.refusal import (
    LIMIT,
    Refused,
    refusal_json,
    refusal_text,
    show_refusal,
    with_browser_status,
    with_refusal_status,
)

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


class NameForm(forms.Form):
    name = forms.CharField()
    people = forms.CharField(required=False)


class Storage(BaseStorage):
    def _get(self, *args: object, **kwargs: object) -> tuple[list[str], bool]:
        return [], True

    def _store(self, messages: list[str], response: HttpResponse, *args: object, **kwargs: object) -> list[str]:
        return []


def create_request() -> HttpRequest:
    request = RequestFactory().post("/")
    request._messages = Storage(request)
    return request


def filled_form() -> NameForm:
    form = NameForm({"name": "ann"})
    assert form.is_valid()
    return form


@pytest.mark.parametrize(
    ("of", "by_view", "shown_at"),
    [("name", None, "name"), (None, None, "__all__"), (None, "people", "people"), ("bot", None, "__all__")],
)
def test_refusal_is_shown_at_its_form_field(of: str | None, by_view: str | None, shown_at: str) -> None:
    form = filled_form()
    show_refusal(create_request(), Refused("Taken.", code="taken", field=of), form, field=by_view)
    assert {field: [error.code for error in errors] for field, errors in form.errors.as_data().items()} == {
        shown_at: ["taken"]
    }


def test_refusal_without_a_form_is_a_message() -> None:
    request = create_request()
    show_refusal(request, Refused("Retired.", code="retired"))
    assert [message.extra_tags for message in get_messages(request)] == ["retired"]


def test_script_learns_when_to_retry() -> None:
    answer = refusal_json(Refused("The arena is still storing the last move.", retry_after=1))
    assert (answer.status_code, answer["Retry-After"]) == (409, "1")
    assert "Retry-After" not in refusal_json(Refused("Refused."))


def test_page_that_shows_a_limit_sets_retry_after() -> None:
    request = create_request()
    show_refusal(request, limit_reached("3 of your scrimmages are still being played.", retry_after=60), filled_form())
    answer = with_refusal_status(request, HttpResponse(status=422))
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")


@pytest.mark.parametrize("status", [200, 302, 422])
def test_other_pages_are_unchanged(status: int) -> None:
    request = create_request()
    assert with_refusal_status(request, HttpResponse(status=status)).status_code == status
    refusal_text(request, Refused("This code no longer works."))
    answer = with_refusal_status(request, HttpResponse(status=status))
    assert (answer.status_code, "Retry-After" in answer) == (status, False)


@pytest.mark.parametrize(
    ("status", "accept", "sent"),
    [
        (422, "text/html,*/*;q=0.8", 200),
        (422, "*/*", 422),
        (422, "", 422),
        (429, "text/html", 429),
    ],
)
def test_invalid_form_causes_no_browser_console_error(status: int, accept: str, sent: int) -> None:
    request = create_request()
    request.META["HTTP_ACCEPT"] = accept
    answer = with_browser_status(request, HttpResponse(status=status))
    assert answer.status_code == sent
    assert answer.get("Vary") == ("Accept" if status == 422 else None)
    assert with_browser_status(request, JsonResponse({}, status=status)).status_code == status


def test_redirect_keeps_its_status() -> None:
    request = create_request()
    show_refusal(request, limit_reached("Wait for one of them to end."))
    assert with_refusal_status(request, HttpResponse(status=302)).status_code == 302


def test_exhausted_hourly_limit_names_the_limit_and_the_time() -> None:
    made = [NOW - timedelta(minutes=minutes) for minutes in (5, 50)]
    use = HourlyUse.from_times(made, 2, now=NOW)
    with pytest.raises(Refused) as refusal:
        use.check("All %(n)s used.", now=NOW)
    assert re.fullmatch(r"All 2 used\. .*\b10\b.*\b12:10 UTC\b.*", refusal.value.message)
    assert (refusal.value.code, refusal.value.status, refusal.value.retry_after) == (LIMIT, 429, 600)


def test_hourly_limit_is_freed_an_hour_after_the_first_use() -> None:
    made = [NOW - timedelta(minutes=minutes) for minutes in (5, 60)]
    HourlyUse.from_times(made, 2, now=NOW).check("All %(n)s used.", now=NOW)
