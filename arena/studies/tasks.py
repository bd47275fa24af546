"""Celery's doors to the services of studies."""

from django.utils import timezone

from arena.celery import app
from arena.leases.watch import Watch
from arena.leases.workers import worker_name
from arena.studies import analysing, services
from arena.studies.engine_process import house_engine

_watch = Watch(services.LANE)


@app.task(name=services.STUDY_TASK)
def study(study_id: int) -> None:
    """Make one study, if it still waits."""
    analysing.study(study_id, worker=worker_name(), engine=house_engine())


@app.task(name="arena.studies.tasks.sweep")
def sweep() -> None:
    """Wake workers for what lost its own."""
    services.sweep(_watch, now=timezone.now())
