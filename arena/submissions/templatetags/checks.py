"""The steps of a submission's check, including pending ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.core.referee.check_report import CONDITIONAL
from arena.core.referee.messages import PLAYED, SLOW_THINKER, SLOW_THINKER_ONE
from arena.games.localized_messages import translate_stored_message
from arena.games.templatetags.games import turn_count
from arena.submissions.elapsed import seconds_waited

register = template.Library()


@register.filter
def seconds_since(moment: datetime) -> int:
    """Return the time elapsed since ``moment``, rounded to whole seconds."""
    return seconds_waited(moment, timezone.now())


STEP_LABELS = {
    "syntax": _("Valid Python"),
    "import": _("Imports without errors"),
    "player": _("Defines a player class or function"),
    "first_move": _("Makes its first move"),
    "slow_move": _("Answers within the tournament time limit"),
    "match": _("Completes a short match"),
}
_SLOW_THINKER = _("The bot is slow, so the check ended early, after %(turns)s. It found no faults.")
# The messages that count turns, which their templates name by the general word.
_COUNTED_TURNS = {
    PLAYED.code: _("The bot completed a match of %(turns)s."),
    SLOW_THINKER.code: _SLOW_THINKER,
    SLOW_THINKER_ONE.code: _SLOW_THINKER,
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
def all_steps(known: Iterable[Mapping[str, Any]], game: str) -> list[dict[str, Any]]:
    """Return a row for each step in order; steps missing from ``known`` are pending or, if conditional, left out.

    ``game``: the bot's game; messages use its own word for a turn.
    """
    by_name = {step["name"]: step for step in known or ()}
    names = [name for name in STEP_LABELS if name in by_name or name not in CONDITIONAL]
    names += [name for name in by_name if name not in STEP_LABELS]
    return [_step_row(name, by_name.get(name, {}), game) for name in names]


def _step_row(name: str, step: Mapping[str, Any], game: str) -> dict[str, Any]:
    state = step.get("state", "pending")
    return {
        "name": name,
        "label": STEP_LABELS.get(name, name),
        "state": state,
        "state_label": STATE_LABELS.get(state, state),
        "message": _step_message(step, game),
        "seconds": step.get("seconds"),
        "elapsed": step.get("elapsed"),
    }


def _step_message(step: Mapping[str, Any], game: str) -> str:
    """Translate a step's message; if it counts turns, it uses the game's own word for them."""
    counted = _COUNTED_TURNS.get(step.get("code", ""))
    if counted is None:
        return translate_stored_message(step)
    return counted % {"turns": turn_count(game, step["parameters"].get("n", 1))}
