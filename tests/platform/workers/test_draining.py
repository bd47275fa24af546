from __future__ import annotations

import os
import socket

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arena.platform.workers.draining import POLL_SECONDS, DrainingCheck
from arena.platform.workers.models import Worker
from arena.platform.workers.services import register_worker
from tests.platform.workers.workers import info

pytestmark = pytest.mark.django_db


def test_drain_request_is_noticed_soon_with_few_queries(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    register_worker(info(host=socket.gethostname(), pid=os.getppid()), now=timezone.now())
    time = 0.0
    draining = DrainingCheck(lambda: time)
    assert not draining()
    Worker.objects.update(draining=True)
    with django_assert_num_queries(0):
        assert not draining()
    time = POLL_SECONDS
    assert draining()
    Worker.objects.update(draining=False)
    time += POLL_SECONDS
    assert draining(), "a worker that ends does not come back"
