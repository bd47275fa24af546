"""Registered workers, each a row that its main process updates.

Invariants: a row is written only by its worker, except for two columns: ``drain_asked_at``, which operators set, and
``refused``, which pool processes may set too. No decision about matches depends on a row; the leases decide.
"""

from django.db import models


class Worker(models.Model):
    """A Celery worker: a main process and its pool."""

    host = models.CharField(max_length=120)
    pid = models.PositiveIntegerField()  # pid of the main process; also identifies the pool in leases
    queues = models.JSONField(default=list)
    games = models.JSONField(default=list)
    concurrency = models.PositiveSmallIntegerField()
    version = models.CharField(max_length=40)  # version of the running code
    started_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField()
    drain_asked_at = models.DateTimeField(null=True)
    draining = models.BooleanField(default=False)  # whether it finishes its matches and accepts no more
    sandbox = models.JSONField(null=True)  # a SandboxStatus; None before the first check or if it runs no bots
    refused = models.CharField(max_length=500, blank=True)  # why it currently runs no bots, in English

    class Meta:
        ordering = ["host", "pid"]
        constraints = [models.UniqueConstraint(fields=["host", "pid"], name="one_row_a_worker")]

    def __str__(self) -> str:
        return f"{self.host}:{self.pid}"
