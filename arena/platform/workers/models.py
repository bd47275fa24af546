"""Registered workers, each a row that its main process keeps fresh.

Invariants: a row is written by its worker alone, but for two columns: ``drain_asked_at``, which an operator sets, and
``refused``, which a process of its pool may set too. A row decides nothing about matches: the leases do.
"""

from django.db import models


class Worker(models.Model):
    """A Celery worker, one main process with its pool."""

    host = models.CharField(max_length=120)
    pid = models.PositiveIntegerField()  # of the main process; also the name of its pool in leases
    queues = models.JSONField(default=list)
    games = models.JSONField(default=list)
    concurrency = models.PositiveSmallIntegerField()
    version = models.CharField(max_length=40)  # of the code that it runs
    started_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField()
    drain_asked_at = models.DateTimeField(null=True)
    draining = models.BooleanField(default=False)  # it ends what it plays and takes nothing more
    sandbox = models.JSONField(null=True)  # a SandboxStatus; None before it looked, and where no bots are run
    refused = models.CharField(max_length=500, blank=True)  # why it runs no bots now, in English

    class Meta:
        ordering = ["host", "pid"]
        constraints = [models.UniqueConstraint(fields=["host", "pid"], name="one_row_a_worker")]

    def __str__(self) -> str:
        return f"{self.host}:{self.pid}"
