"""Stored responses to POST requests that a client may repeat."""

from typing import Final

from django.db import models

IN_PROGRESS: Final = 0  # the status of a request that has no response yet


class IdempotentResponse(models.Model):
    """A POST with an ``Idempotency-Key`` and, once it has succeeded, its response; kept for a day."""

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)  # SHA-256 of method, path and body
    status = models.PositiveSmallIntegerField(default=IN_PROGRESS)
    content_type = models.CharField(max_length=100, blank=True)
    location = models.CharField(max_length=200, blank=True)
    body = models.BinaryField(default=bytes)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="one_response_per_key")]

    def __str__(self) -> str:
        return self.key
