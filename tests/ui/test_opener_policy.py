"""Cross-Origin-Opener-Policy is sent only to browsers that honour it."""

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

HEADER = "Cross-Origin-Opener-Policy"


@pytest.mark.parametrize(
    ("host", "secure", "sent"),
    [
        ("127.0.0.1:8000", False, True),
        ("localhost:8000", False, True),
        ("192.168.1.20:8000", False, False),
        ("arena.example", False, False),
        ("arena.example", True, True),
    ],
)
def test_opener_policy_depends_on_the_origin(
    client: Client, settings: LazySettings, host: str, secure: bool, sent: bool
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    response = client.get(reverse("javascript-catalog"), secure=secure, headers={"host": host})
    assert response.status_code == 200
    assert response.headers.get(HEADER) == ("same-origin" if sent else None)


def test_hosts_that_the_site_does_not_serve_get_one_refusal(client: Client, settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["arena.example"]
    response = client.get(reverse("javascript-catalog"), headers={"host": "192.168.1.20:8000"})
    assert response.status_code == 400
    assert HEADER not in response.headers
