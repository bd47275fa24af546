"""Each worker consumes the queues of its kinds of work and its games, in order of urgency."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import pytest
from celery.beat import Scheduler
from django.core.exceptions import ImproperlyConfigured
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.celery import CONFIGURATION, PER_GAME, UrgencyCycle, app, queue_of, queues_to_consume
from arena.games.registry import GAMES
from arena.matches.models import Purpose
from arena.submissions import check_job
from arena.submissions.models import SubmissionStatus
from tests import factories
from tests.queues import empty_queue
from tests.running_site import ROOT


def test_queue_kind_expands_to_one_queue_per_game() -> None:
    assert queues_to_consume(["matches"], GAMES) == [f"matches.{game}" for game in GAMES]
    assert queues_to_consume(["control", "checks"], ["reversi"]) == ["control", "checks.reversi"]
    assert queues_to_consume(["matches.reversi"], GAMES) == ["matches.reversi"]


def test_worker_without_queue_option_consumes_all_queues_of_its_games() -> None:
    declared = [queue.name for queue in CONFIGURATION["task_queues"]]
    assert queues_to_consume(declared, ["reversi"]) == [
        "control",
        "mail",
        "webhooks",
        "hosted",
        "exports",
        "checks.reversi",
        "scrimmages.reversi",
        "runs.reversi",
        "hints.reversi",
        "duels.reversi",
        "matches.reversi",
        "ladder.reversi",
        "analysis.reversi",
    ]


def test_worker_without_queues_refuses_to_start() -> None:
    with pytest.raises(ImproperlyConfigured, match="WORKER_GAMES=reversi"):
        queues_to_consume(["matches.golden_point"], ["reversi"])


def test_worker_consumes_queues_by_urgency_and_rotates_equals() -> None:
    waited_for = ["checks.reversi", "runs.reversi", "hints.reversi"]
    assert UrgencyCycle(waited_for).consume(3) == ["hints.reversi", "runs.reversi", "checks.reversi"]
    ladders = ["ladder.reversi", "ladder.golden_point"]
    order = UrgencyCycle([ladders[0], "matches.golden_point", "matches.reversi", "hints.reversi", ladders[1]])
    assert order.consume(5) == ["hints.reversi", "matches.golden_point", "matches.reversi", *ladders]
    order.rotate("matches.golden_point")
    assert order.consume(5) == ["hints.reversi", "matches.reversi", "matches.golden_point", *ladders]
    with app.connection_for_read() as connection:
        assert connection.transport_options["queue_order_strategy"] == "arena.celery:UrgencyCycle"


def test_every_queue_of_every_game_is_declared() -> None:
    declared = {queue.name for queue in CONFIGURATION["task_queues"]}
    assert {queue_of(kind, game) for kind in PER_GAME for game in GAMES} <= declared


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize(
    ("purpose", "kind"),
    [("scrimmage", "scrimmages"), ("tournament", "matches"), ("ladder", "ladder"), ("duel", "duels")],
)
@pytest.mark.django_db
def test_match_is_queued_in_the_queue_of_its_game(
    game: str, purpose: str, kind: str, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    empty_queue(f"{kind}.{game}")
    with django_capture_on_commit_callbacks(execute=True):
        factories.queued_match(game=game, purpose=Purpose(purpose))
    assert empty_queue(f"{kind}.{game}") == 1


@pytest.mark.django_db
def test_check_is_queued_in_the_queue_of_its_game() -> None:
    empty_queue("checks.golden_point")
    bot = factories.bot(game="golden_point")
    passed, waiting = factories.submission(bot), factories.submission(bot, SubmissionStatus.WAITING)
    check_job.wake_workers([passed.pk, waiting.pk])
    assert empty_queue("checks.golden_point") == 1


def test_visibility_timeout_exceeds_the_task_time_limit() -> None:
    assert CONFIGURATION["broker_transport_options"]["visibility_timeout"] > CONFIGURATION["task_time_limit"] > 3600


@pytest.mark.parametrize("step", [timedelta(hours=1), timedelta(hours=-1)], ids=str)
def test_beat_schedule_survives_clock_steps(step: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    beat = Scheduler(app, lazy=True)
    beat.setup_schedule()
    before = {name: entry.is_due().next for name, entry in beat.schedule.items()}
    stepped = app.now() + step
    monkeypatch.setattr(app, "now", lambda: stepped)
    for name, entry in beat.schedule.items():
        assert not entry.is_due().is_due, "not at once"
        assert before[name] - 1 < entry.is_due().next <= before[name], "and when it would have been"


# The worker dies after it has forked a pool process and before that process's first step; if the process survives, it
# prints "survived".
SHORT_LIVED = """
import os, time, types
import django
django.setup()
from celery.signals import celeryd_after_setup, worker_process_init
from arena.celery import app
celeryd_after_setup.send(sender="here", instance=types.SimpleNamespace(app=app), conf=app.conf)
worker = os.getpid()
if os.fork():
    os._exit(0)
while os.getppid() == worker:
    time.sleep(0.001)
worker_process_init.send(sender=None)
os.write(1, b"survived")
"""


@pytest.mark.long
def test_pool_process_exits_if_its_worker_dies_immediately() -> None:
    output = subprocess.run([sys.executable, "-c", SHORT_LIVED], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    assert output == b""
