"""The benchmark of the first paint finds every page that it measures."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from arena.games.golden_point.rooms.services import ensure_permanent_rooms
from arena.matches.services import create_matches
from bench import page_content
from tests.matches.conftest import broker as broker


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
def test_every_measured_page_exists(client: Client) -> None:
    ensure_permanent_rooms(timezone.now())
    statuses = {path: client.get(path).status_code for path in page_content.pages(create_matches).values()}
    assert {path for path, status in statuses.items() if status != HTTPStatus.OK} == set()
