"""Celery tasks for analyses."""

from django.utils import timezone

from arena.celery import Queue, app
from arena.games.reversi.analysis import analysis_job, automatic, services
from arena.games.reversi.analysis.engine_process import house_engine
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.workers import worker_name
from arena.platform.workers.queries import processes_for

_detector = StallDetector(services.JOBS)


@app.task(name=services.ANALYSIS_TASK)
def analyse(analysis_id: int) -> None:
    """Run the next analysis in the queue, and then further ones if they are quick.

    ``analysis_id``: the analysis for which the worker was woken.
    """
    analysis_job.analyse(analysis_id, worker=worker_name(), engine=house_engine())


@app.task(name="arena.games.reversi.analysis.tasks.request_automatic")
def request_automatic() -> None:
    """Request the analysis of a key match or a lost match, unless another analysis is unfinished."""
    now = timezone.now()
    if processes_for(Queue.ANALYSIS, now=now):
        automatic.request_next_analysis(now=now)


@app.task(name="arena.games.reversi.analysis.tasks.sweep")
def sweep() -> None:
    """Sweep analyses: requeue those whose worker died, and wake workers for waiting ones."""
    services.sweep(_detector, now=timezone.now())
