"""Requests that hash passwords wait in a queue outside their views; all other requests pass through."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import get_resolver, reverse

from arena.accounts.admission import BUSY, PASSWORD_VIEWS, PasswordAdmission
from arena.accounts.refusals import RefusalMiddleware


class HangingViews:
    """An ASGI application whose requests hang until ``over`` is set."""

    def __init__(self) -> None:
        self.inside: list[str] = []
        self.refused = 0
        self.over = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope.get(BUSY):
            self.refused += 1
            return
        self.inside.append(scope["path"])
        await self.over.wait()


def start_request(application: Any, path: str, method: str = "POST") -> asyncio.Task[None]:
    async def ask() -> None:
        await application({"type": "http", "method": method, "path": path, "headers": []}, None, None)

    return asyncio.create_task(ask())


async def run_pending_tasks() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_password_requests_beyond_the_queue_are_refused() -> None:
    views = HangingViews()
    admission = PasswordAdmission(views, at_once=2, queue=3)
    people = [start_request(admission, reverse("login")) for _ in range(9)]
    await run_pending_tasks()
    assert (len(views.inside), views.refused) == (2, 4)
    others = [start_request(admission, reverse("home"), "POST"), start_request(admission, reverse("login"), "GET")]
    others.append(start_request(admission, "/no/such/page", "POST"))
    await run_pending_tasks()
    assert len(views.inside) == 5, "nothing else waits"
    views.over.set()
    await asyncio.gather(*people, *others)
    assert (len(views.inside), views.refused) == (8, 4)
    await start_request(admission, reverse("signup"))
    assert views.refused == 4


async def test_cancelled_request_frees_its_place() -> None:
    views = HangingViews()
    admission = PasswordAdmission(views, at_once=1, queue=1)
    inside, waiting = start_request(admission, reverse("login")), start_request(admission, reverse("login"))
    await run_pending_tasks()
    inside.cancel()
    await run_pending_tasks()
    assert len(views.inside) == 2
    views.over.set()
    await waiting


def test_every_password_view_is_listed() -> None:
    """Every password view is listed; an unlisted one would hash in as many threads as there are requests."""
    names = {f"{space}{name}" for space, names in _url_names().items() for name in names}
    assert names >= PASSWORD_VIEWS
    named = {name for name in names if "password" in name or "login" in name or "signup" in name}
    unhashed = {"password_reset", "password_reset_done", "admin:password_change_done"}
    assert named - unhashed <= PASSWORD_VIEWS


def _url_names() -> dict[str, list[str]]:
    resolver = get_resolver()
    _, admin = resolver.namespace_dict["admin"]
    return {
        "": [str(name) for name in resolver.reverse_dict if isinstance(name, str)],
        "admin:": [str(name) for name in admin.reverse_dict if isinstance(name, str)],
    }


@pytest.mark.django_db
def test_request_is_refused_when_the_queue_is_full() -> None:
    def view(request: Any) -> Any:
        raise AssertionError("no view is called")

    request = RequestFactory().post(reverse("login"))
    request.scope = {BUSY: True}  # type: ignore[attr-defined]
    answer = RefusalMiddleware(view)(request)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


@pytest.mark.django_db
def test_refusal_has_a_code_in_json() -> None:
    request = RequestFactory().post(reverse("login"), headers={"Accept": "application/json"})
    request.scope = {BUSY: True}  # type: ignore[attr-defined]
    answer = RefusalMiddleware(HttpResponse)(request)
    assert (answer.status_code, answer["Retry-After"], json.loads(answer.content)["code"]) == (503, "5", "busy")


@pytest.mark.django_db
def test_refusal_page_keeps_the_next_url() -> None:
    """The page's link to the form keeps the next URL, because reloading the page would resubmit the form."""
    request = RequestFactory().post(reverse("login"), {"username": "ada", "next": "/bots/new/?game=reversi"})
    request.scope = {BUSY: True}  # type: ignore[attr-defined]
    answer = RefusalMiddleware(HttpResponse)(request).content.decode()
    assert f'href="{reverse("login")}?next=%2Fbots%2Fnew%2F%3Fgame%3Dreversi"' in answer
