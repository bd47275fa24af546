"""Recheck a person's WebSockets when their account or session changes.

Signals are used because Django's own admin, forms and sessions also change these rows. Sockets are rechecked when an
account is suspended or deleted, when it gets a new role or password (a new password ends all other sessions), and when
a session ends.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.models import Session
from django.db.models.signals import post_delete, post_save

from arena.accounts.models import User
from arena.platform.live.revocation import revoke


def connect_signals() -> None:
    """Connect the signals; called once, when the apps are ready."""
    post_save.connect(_on_user_saved, sender=User, dispatch_uid="arena.accounts.sockets")
    post_delete.connect(_on_user_deleted, sender=User, dispatch_uid="arena.accounts.sockets")
    post_delete.connect(_on_session_deleted, sender=Session, dispatch_uid="arena.accounts.sockets")


def _on_user_saved(instance: User, *, created: bool, update_fields: frozenset[str] | None = None, **_: Any) -> None:
    if not created and update_fields != frozenset({"last_login"}):
        revoke(people=[instance.pk])


def _on_user_deleted(instance: User, **_: Any) -> None:
    revoke(people=[instance.pk])


def _on_session_deleted(instance: Session, **_: Any) -> None:
    revoke(sessions=[instance.session_key])
