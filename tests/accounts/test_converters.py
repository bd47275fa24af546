"""A URL with an id that no database column can hold is answered with a 404."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import factories

pytestmark = pytest.mark.django_db


@pytest.mark.long
@pytest.mark.parametrize("number", [2**63, 10**20, 10**5000], ids=["2**63", "10**20", "5001 digits"])
@pytest.mark.parametrize(
    "address",
    [
        "/matches/{}/",
        "/matches/{}/snapshot.json",
        "/matches/{}/record.json",
        "/matches/{}/seats/0/log/",
        "/matches/1/seats/{}/log/",
        "/bots/{}/",
        "/submissions/{}/",
        "/submissions/{}/download/",
        "/tournaments/{}/",
    ],
)
def test_out_of_range_id_is_not_found(address: str, number: int, client: Client) -> None:
    client.force_login(factories.person())
    digits = f"1{'0' * 5000}" if number == 10**5000 else str(number)
    assert client.get(address.format(digits)).status_code == 404


@pytest.mark.long
@pytest.mark.parametrize("bot", [2**63, -1, "x"])
def test_filter_by_an_impossible_bot_id_is_ignored(bot: object, client: Client) -> None:
    assert client.get("/matches/", {"bot": str(bot)}).status_code == 200


@pytest.mark.parametrize("address", ["/", "/matches/", "/bots/", "/tournaments/", "/guide/", "/leaderboards/reversi/"])
def test_pages_answer_head_requests(address: str, client: Client) -> None:
    """Pages answer HEAD requests, which link previews and link checkers send before a GET."""
    response = client.head(address)
    assert response.status_code == 200
    assert response.content == b""
