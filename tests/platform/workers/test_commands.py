from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from arena.platform.workers.models import Worker
from tests.platform.workers.workers import info, status, worker


def command_output(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_status_shows_one_line_per_worker() -> None:
    assert command_output("workers", "status") == "No workers.\n"
    worker(info(pid=1), now=timezone.now())
    worker(info(pid=2, games=("reversi",)), sandbox=status(present=False), now=timezone.now())
    first, second = command_output("workers", "status").splitlines()
    assert first.startswith("alpha:1  ready  4 at once  scrimmages.reversi,")
    assert "runs no bots: user_namespaces is missing" in second


@pytest.mark.django_db
def test_drain_affects_only_named_workers() -> None:
    worker(info(pid=1), now=timezone.now())
    worker(info(pid=2), now=timezone.now())
    assert command_output("workers", "drain", "alpha:2") == "draining: alpha:2\n"
    assert [row.pid for row in Worker.objects.exclude(drain_asked_at=None)] == [2]
    with pytest.raises(CommandError, match="beta"):
        command_output("workers", "drain", "beta")
