"""Registry of notification kinds: the site's own, and those that the games' apps register at startup."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from arena.notifications.models import Kind
from arena.notifications.texts import TEXTS, Context, NotificationText


@dataclass(frozen=True, slots=True)
class NotificationKind:
    """A kind of notification.

    ``code`` is stored in rows, ``label`` is shown in the settings, ``text`` formats a context.
    """

    code: str
    label: str | Promise
    text: Callable[[Context], NotificationText]


_kinds = {kind.value: NotificationKind(kind.value, kind.label, TEXTS[kind]) for kind in Kind}


def register_kind(kind: NotificationKind) -> None:
    """Add a kind of notification. Raises RuntimeError if its code is taken.

    Call this in ``AppConfig.ready``.
    """
    if kind.code in _kinds:
        raise RuntimeError(f"{kind.code}: a notification of this kind is already registered. Choose another code.")
    _kinds[kind.code] = kind


def registered_kinds() -> Sequence[NotificationKind]:
    """Return all kinds, the site's own kinds first."""
    return tuple(_kinds.values())


def kind_label(code: str) -> str:
    return str(_kinds[code].label)


def notification_text(code: str, context: Context) -> NotificationText:
    return _kinds[code].text(context)
