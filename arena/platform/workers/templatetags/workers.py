"""Template tags for workers, queues and sandboxes, and the notice for games that no worker plays."""

from __future__ import annotations

import re
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from arena.celery import Queue
from arena.core.sandbox.config import Mode
from arena.core.sandbox.machine.probe import CapabilityName
from arena.core.sandbox.machine.remedies import Remedy, WorkerEnvironment
from arena.platform.workers import labels, queries
from arena.platform.workers.queries import ServiceLevel, WorkerState

register = template.Library()


@register.filter
def kind_label(kind: Queue) -> str:
    return str(labels.KINDS[kind])


@register.filter
def state_label(state: WorkerState) -> str:
    return str(labels.STATES[state])


@register.filter
def service_text(service: ServiceLevel) -> str:
    """Return the problem with a queue; "" if it is served."""
    return str(labels.SERVICES[service])


@register.filter
def service_remedy(service: ServiceLevel) -> SafeString:
    """Return what the operator can do to restore the service."""
    return _mark_up_code(str(labels.SERVICE_REMEDIES[service]))


@register.filter
def mode_label(mode: Mode) -> str:
    return str(labels.MODES[mode])


@register.filter
def capability_label(name: str) -> str:
    return str(labels.CAPABILITIES[CapabilityName(name)])


@register.filter
def environment_label(environment: WorkerEnvironment) -> str:
    return str(labels.ENVIRONMENTS[environment])


@register.filter
def remedy_text(remedy: Remedy) -> SafeString:
    """Return the remedy in the reader's language."""
    return _mark_up_code(gettext(remedy.what))


def _mark_up_code(text: str) -> SafeString:
    """Mark up text between backticks as code."""
    parts = re.split(r"`([^`]*)`", text)  # text, code, text, code, ..., text
    drawn = ((format_html("<code>{}</code>", part) if at % 2 else part,) for at, part in enumerate(parts))
    return format_html_join("", "{}", drawn)


@register.inclusion_tag("workers/unserved.html", takes_context=True)
def unserved(context: template.Context, game: str, kind: str) -> dict[str, Any]:
    """Render a notice if no worker accepts this kind of work for a game. Runs one query."""
    found = queries.service_for_game(Queue(kind), game, now=timezone.now())
    return {
        "service": found,
        "game": game,
        "served": found is ServiceLevel.SERVED,
        "is_check": Queue(kind) is Queue.CHECKS,
        "sees_workers": context.get("sees_workers"),
    }
