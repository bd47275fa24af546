"""The retention section of the workers page: what was deleted, when, and how much space was freed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Max, Q, Sum

from arena.matches.models import RetentionPass
from arena.matches.retention import Retention
from arena.platform.workers.operator_panels import PanelSource

_NEWEST: Final = 10


@dataclass(frozen=True, slots=True)
class RetentionPanel:
    """The state of retention, for operators.

    ``before``: a time; the records of all matches that ended before it and are not exempt have been moved or deleted.
    None if no pass has selected matches by time yet.
    """

    days: int | None  # None: records are kept permanently
    move: bool
    moved: int
    deleted: int
    outputs: int  # number of deleted outputs and recomputed turn pages
    freed: int  # freed bytes in the database
    before: datetime | None
    newest: Sequence[RetentionPass]


def retention_panel() -> list[RetentionPanel]:
    """Return a list of one panel, even if no records were moved or deleted."""
    chosen, passes = Retention.from_settings(), RetentionPass.objects
    found = passes.aggregate(
        moved=Sum("matches", filter=Q(is_moved=True)),
        deleted=Sum("matches", filter=Q(is_moved=False)),
        outputs=Sum("outputs"),
        freed=Sum("freed"),
        before=Max("before"),
    )
    return [
        RetentionPanel(
            days=chosen.days,
            move=chosen.move,
            moved=found["moved"] or 0,
            deleted=found["deleted"] or 0,
            outputs=found["outputs"] or 0,
            freed=found["freed"] or 0,
            before=found["before"],
            newest=list(passes.all()[:_NEWEST]),
        )
    ]


OPERATOR_PANEL = PanelSource("matches/retention_panel.html", lambda now: retention_panel(), at_end=True)
