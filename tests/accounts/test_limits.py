"""Sign-ups, sign-ins and password resets are rate-limited; a class that shares an IP address is not affected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from arena.accounts import limits
from arena.accounts.models import User
from arena.accounts.throttle import Throttle
from tests.factories import person

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse 17"
Visit = Callable[..., Any]


def sign_up(client: Client, name: str, **headers: Any) -> Any:
    data = {"username": name, "email": f"{name}@example.org", "password1": PASSWORD, "password2": PASSWORD}
    return client.post(reverse("signup"), data, **headers)


def log_in(client: Client, name: str, password: str = "wrong", **headers: Any) -> Any:
    return client.post(reverse("login"), {"username": name, "password": password}, **headers)


def assert_refused(response: HttpResponse, throttle: Throttle) -> None:
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert str(throttle.refusal % {"n": throttle.limit}) in response.content.decode()


@pytest.mark.long
def test_class_can_sign_up_and_log_in_from_one_address() -> None:
    for number in range(60):
        assert sign_up(Client(), f"student{number}").status_code == 302
    for number in range(60):
        assert log_in(Client(), f"student{number}").status_code == 200, "everybody mistypes"
        assert log_in(Client(), f"student{number}", PASSWORD).status_code == 302


@pytest.mark.long
def test_signups_from_one_network_are_limited(settings: Settings) -> None:
    settings.SIGNUPS_AN_HOUR = 3
    for number in range(3):
        assert sign_up(Client(), f"person{number}").status_code == 302
    assert sign_up(Client(), "x" * 31).status_code == 422, "a mistake is reported and does not count"
    assert_refused(sign_up(Client(), "late"), limits.SIGN_UPS)
    assert not User.objects.filter(username="late").exists()
    assert sign_up(Client(), "elsewhere", REMOTE_ADDR="192.0.2.9").status_code == 302


def test_failed_logins_with_many_usernames_are_limited(settings: Settings) -> None:
    settings.FAILED_LOGINS_AN_HOUR = 5
    ada = person("ada")
    ada.set_password(PASSWORD)
    ada.save()
    for number in range(5):
        assert log_in(Client(), f"name{number}").status_code == 200
    refused = limits.FAILED_LOGINS
    assert_refused(log_in(Client(), "name5"), refused)
    assert_refused(log_in(Client(), "ada", PASSWORD), refused)
    admin = Client().post(reverse("admin:login"), {"username": "name6", "password": "wrong"})
    assert_refused(admin, refused)
    assert log_in(Client(), "ada", PASSWORD, REMOTE_ADDR="192.0.2.9").status_code == 302


def test_successful_logins_do_not_count(settings: Settings) -> None:
    settings.FAILED_LOGINS_AN_HOUR = 2
    ada = person("ada")
    ada.set_password(PASSWORD)
    ada.save()
    for _ in range(6):
        assert log_in(Client(), "ada", PASSWORD).status_code == 302
    assert log_in(Client(), "bob").status_code == 200
    assert log_in(Client(), "ada", PASSWORD).status_code == 302, "and clear nobody else's failures"
    assert log_in(Client(), "bob").status_code == 200
    assert log_in(Client(), "bob").status_code == 429


def test_ipv6_addresses_of_one_prefix_share_a_limit(settings: Settings) -> None:
    settings.FAILED_LOGINS_AN_HOUR = 2
    answers = [log_in(Client(), f"name{n}", REMOTE_ADDR=f"2001:db8:1:2::{n + 1:x}").status_code for n in range(3)]
    assert answers == [200, 200, 429]


@pytest.mark.long
def test_lockout_of_a_username_covers_the_ipv6_prefix(settings: Settings) -> None:
    for number in range(settings.AXES_FAILURE_LIMIT):
        response = log_in(Client(), "ada", REMOTE_ADDR=f"2001:db8:1:2::{number + 1:x}")
    assert response.status_code == 429
    assert response["Retry-After"] == "600"


def test_reset_mails_to_known_and_unknown_addresses_are_limited(settings: Settings) -> None:
    settings.ACCOUNT_MAILS_AN_HOUR = 2
    person("ada")
    for address in ("ada@example.org", "nobody@example.org"):
        for spelling in (address, address.upper()):
            assert Client().post(reverse("password_reset"), {"email": spelling}).status_code == 302
        refused = Client().post(reverse("password_reset"), {"email": address}, REMOTE_ADDR="192.0.2.9")
        assert_refused(refused, limits.ACCOUNT_MAILS)


def test_reset_mails_requested_from_one_network_are_limited(settings: Settings) -> None:
    settings.PASSWORD_RESETS_AN_HOUR = 3
    for number in range(3):
        assert Client().post(reverse("password_reset"), {"email": f"{number}@example.org"}).status_code == 302
    refused = Client().post(reverse("password_reset"), {"email": "other@example.org"})
    assert_refused(refused, limits.RESETS)


def test_api_clients_get_refusals_as_json(settings: Settings) -> None:
    settings.SIGNUPS_AN_HOUR = 1
    sign_up(Client(), "first")
    refused = sign_up(Client(), "second", HTTP_ACCEPT="application/json")
    assert refused.status_code == 429
    assert str(limits.SIGN_UPS.refusal % {"n": 1}) in refused.json()["error"]
