"""Match workload for the workers page: running, waiting and finished matches, and their mean duration."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Avg, BooleanField, Case, Count, DurationField, ExpressionWrapper, F, When
from django.urls import reverse
from django.utils.translation import gettext as _

from arena.matches.failures import flagged_bots
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.queries import match_names
from arena.matches.services import QUEUES
from arena.matches.visibility import PUBLIC
from arena.platform.workers.operator_panels import PanelSource
from arena.platform.workers.work import Backlog, RunningJob, WorkSource


def running_jobs() -> list[RunningJob]:
    """Return running matches; details are omitted for matches that are not visible to everyone."""
    running = Match.objects.filter(status=MatchStatus.RUNNING).order_by("pk")
    rows = list(
        running.annotate(public=Case(When(PUBLIC, then=True), default=False, output_field=BooleanField())).values_list(
            "pk", "worker", "purpose", "game", "started_at", "public"
        )
    )
    names = match_names([pk for pk, *_rest, public in rows if public])
    return [
        RunningJob(
            worker=worker,
            what=names[pk] if public else _("A restricted match"),
            url=reverse("match", args=[pk]) if public else "",
            kind=QUEUES[Purpose(purpose)],
            game=game,
            since=started_at,
        )
        for pk, worker, purpose, game, started_at, public in rows
    ]


def backlog(since: datetime) -> list[Backlog]:
    """Return two rows for each queue and game: waiting matches, and matches finished since the given time.

    Runs two queries.
    """
    waiting = Match.objects.filter(status=MatchStatus.QUEUED).values_list("purpose", "game").annotate(n=Count("pk"))
    took = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
    done = (
        Match.objects.filter(status=MatchStatus.FINISHED, finished_at__gte=since)
        .values_list("purpose", "game")
        .annotate(n=Count("pk"), mean=Avg(took))
    )
    found = [Backlog(QUEUES[Purpose(purpose)], game, waiting=n) for purpose, game, n in waiting.order_by()]
    found += [
        Backlog(QUEUES[Purpose(purpose)], game, done=n, seconds=_total_seconds(mean))
        for purpose, game, n, mean in done.order_by()
    ]
    return found


def _total_seconds(mean: timedelta | None) -> float | None:
    return None if mean is None else mean.total_seconds()


SOURCE = WorkSource(running_jobs, backlog)
OPERATOR_PANEL = PanelSource("matches/flagged_bots.html", lambda now: flagged_bots(now=now))
