"""The steps of a submission's check, including pending ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.core.referee.check_report import CONDITIONAL
from arena.games.localized_messages import translate_stored_message
from arena.submissions.elapsed import seconds_waited

register = template.Library()


@register.filter
def seconds_since(moment: datetime) -> int:
    """Return the time elapsed since ``moment``, rounded to whole seconds."""
    return seconds_waited(moment, timezone.now())


STEP_LABELS = {
    "syntax": _("Valid Python"),
    "import": _("Imports without errors"),
    "player": _("Defines a player"),
    "first_move": _("Makes its first move"),
    "slow_move": _("Answers within the tournament time limit"),
    "match": _("Completes a short match"),
}
STATE_LABELS = {
    "pending": _("pending"),
    "running": _("running"),
    "passed": _("passed"),
    "slow": _("takes longer"),
    "failed": _("failed"),
    "skipped": _("skipped"),
}


@register.filter
def all_steps(known: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each step in order; steps missing from ``known`` are pending or, if conditional, left out."""
    by_name = {step["name"]: step for step in known or ()}
    names = [name for name in STEP_LABELS if name in by_name or name not in CONDITIONAL]
    return [_step_row(name, by_name.get(name, {})) for name in (*names, *(n for n in by_name if n not in STEP_LABELS))]


def _step_row(name: str, step: Mapping[str, Any]) -> dict[str, Any]:
    state = step.get("state", "pending")
    return {
        "name": name,
        "label": STEP_LABELS.get(name, name),
        "state": state,
        "state_label": STATE_LABELS.get(state, state),
        "message": translate_stored_message(step),
        "seconds": step.get("seconds"),
        "elapsed": step.get("elapsed"),
    }
