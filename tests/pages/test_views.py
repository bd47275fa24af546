"""The home page, the guide, the health endpoint and the error pages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest
from django.test import Client, override_settings
from django.urls import path, reverse

from arena.games.localized_messages import FAULT_LABELS
from arena.pages import health
from arena.pages.guide import libraries
from arena.urls import urlpatterns as site
from tests import factories
from tests.ratings.stored_matches import create_rating

pytestmark = pytest.mark.django_db


def visible_text(address: str, **query: object) -> str:
    response = Client().get(address, query)
    assert response.status_code == 200
    return response.content.decode()


def test_home_page_of_an_empty_site_is_rendered() -> None:
    page = visible_text(reverse("home"))
    assert 'data-empty="none"' in page
    assert "Three steps" in page
    assert f'data-featured="{reverse("home-featured")}"' in page, "pages/home.js asks there when the first match begins"


def test_home_shows_the_leaderboard_leaders() -> None:
    create_rating(1700, "Fox")
    create_rating(1600, "Owl", "golden_point")
    page = visible_text(reverse("home"))
    assert page.index("Leaderboards") < page.index("Fox")
    assert "Owl" in page


def test_featured_matches_are_served_as_json() -> None:
    assert Client().get(reverse("home-featured")).json() == {"matches": {}, "tournament": None}


def test_guide_states_the_real_limits_and_libraries(tmp_path: Path) -> None:
    info = tmp_path / "numpy-9.8.7.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 9.8.7\n")
    with override_settings(BOT_LIBRARIES_DIR=tmp_path):
        page = visible_text(reverse("bot-guide"))
    assert "9.8.7" in page
    assert "512 MiB" in page
    assert str(FAULT_LABELS["timeout"]) in page
    assert "get_legal_actions" in page
    assert libraries(tmp_path / "nowhere") == []


def raise_error() -> None:
    raise ConnectionError("away")


def do_nothing() -> None:
    return None


@pytest.mark.parametrize(("broker", "state"), [(do_nothing, "ok"), (raise_error, "unreachable")])
def test_health_reports_each_dependency(broker: Callable[[], None], state: str) -> None:
    assert health.probe_dependencies({"database": do_nothing, "broker": broker}) == {"database": "ok", "broker": state}


@override_settings(REDIS_URL="")
def test_health_without_a_broker_is_a_failure() -> None:
    response = Client().get(reverse("healthz"))
    assert response.status_code == 503
    assert response.json() == {"database": "ok", "broker": "unreachable"}


def bad(request: HttpRequest) -> None:
    """Raise the error that becomes a 400 page."""
    raise BadRequest


def denied(request: HttpRequest) -> None:
    """Raise the error that becomes a 403 page."""
    raise PermissionDenied


def broken(request: HttpRequest) -> None:
    """Raise an error that becomes a 500 page."""
    raise RuntimeError("broken")


urlpatterns = [*site, path("bad", bad), path("denied", denied), path("broken", broken)]


@override_settings(ROOT_URLCONF=__name__, DEBUG=False)
@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/bad", 400, "bad_request"),
        ("/denied", 403, "forbidden"),
        ("/nowhere", 404, "not_found"),
        ("/broken", 500, "error"),
    ],
)
def test_error_pages_are_rendered(address: str, status: int, code: str) -> None:
    client = Client(raise_request_exception=False)
    response = client.get(address)
    assert response.status_code == status
    assert f'data-empty="{code}"' in response.content.decode()
    signed_in = Client(raise_request_exception=False)
    signed_in.force_login(factories.person())
    assert signed_in.get(address).status_code == status


def test_get_of_a_post_only_url_shows_an_explanation() -> None:
    client = Client()
    client.force_login(factories.person())
    page = client.get(reverse("notification-read-all"))
    assert (page.status_code, page.headers["Allow"]) == (405, "POST")
    assert 'data-empty="not_allowed"' in page.content.decode()
    for_script = client.get(reverse("notification-read-all"), headers={"accept": "application/json"})
    assert (for_script.status_code, for_script.content) == (405, b"")


def test_form_without_csrf_token_is_explained() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post(reverse("login"), {})
    assert response.status_code == 403
    assert 'data-empty="form_expired"' in response.content.decode()
