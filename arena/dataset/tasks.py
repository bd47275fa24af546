"""Celery tasks for the dataset."""

import logging
from datetime import UTC, timedelta

from django.conf import settings
from django.utils import timezone

from arena.celery import app
from arena.dataset import publishing
from arena.platform.refusal import Refused

logger = logging.getLogger(__name__)

_SETTLED = timedelta(hours=1)  # after midnight, so that late results are included


@app.task(name="arena.dataset.tasks.publish")
def publish() -> None:
    """Publish a version of the dataset if the newest one is old enough."""
    today = (timezone.now() - _SETTLED).astimezone(UTC).date()
    if not settings.DATASET or not publishing.is_due(today, settings.DATASET_DAYS):
        return
    try:
        publishing.publish(today)
    except Refused as reason:
        logger.warning("no dataset: %s", reason)
