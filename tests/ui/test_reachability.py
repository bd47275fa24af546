"""The warning beside a QR code gives advice that works on this site."""

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from arena.ui.reachability import unreachable_warning

LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]


@pytest.mark.parametrize(
    ("allowed", "restart"), [(LOOPBACK, True), ([*LOOPBACK, "192.168.1.7"], False), (["*"], False)]
)
def test_warning_asks_for_a_restart_only_if_no_other_address_would_work(
    settings: Settings, allowed: list[str], restart: bool
) -> None:
    settings.ALLOWED_HOSTS = allowed
    warning = unreachable_warning(RequestFactory().get("/", SERVER_NAME="127.0.0.1", SERVER_PORT="8101"))
    assert ("BIND=0.0.0.0 make up" in warning) is restart
    assert ":8101" in warning


def test_reachable_address_needs_no_warning(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["192.168.1.7"]
    assert unreachable_warning(RequestFactory().get("/", SERVER_NAME="192.168.1.7")) == ""
