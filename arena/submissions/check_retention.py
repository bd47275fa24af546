"""Delete the output, trial match and position of old checks; the steps with the verdict and the fault are kept."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Sum
from django.db.models.functions import Coalesce, Length
from django.utils import timezone

from arena.platform.retention import Deleted
from arena.submissions.models import Submission


def delete_outputs(before: datetime, most: int) -> Deleted:
    """Delete the outputs of at most ``most`` checks that ended before a given time."""
    due = Submission.objects.filter(checked_at__lt=before, output_deleted_at=None).order_by("checked_at")
    rows = Submission.objects.filter(pk__in=list(due.values_list("pk", flat=True)[:most]))
    freed = rows.aggregate(n=Sum(Length("log") + Coalesce(Length("record"), 0)))["n"] or 0
    changed = rows.update(log=b"", record=None, position=None, output_deleted_at=timezone.now())
    return Deleted(changed, freed)
