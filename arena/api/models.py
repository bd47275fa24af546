"""Stored responses to POST requests that a client may repeat."""

from django.db import models


class IdempotentResponse(models.Model):
    """The stored response to a POST with an ``Idempotency-Key``; kept for a day."""

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)  # SHA-256 of method, path and body
    status = models.PositiveSmallIntegerField(default=0)
    content_type = models.CharField(max_length=100, blank=True)
    location = models.CharField(max_length=200, blank=True)
    body = models.BinaryField(default=bytes)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="one_response_per_key")]

    def __str__(self) -> str:
        return self.key
