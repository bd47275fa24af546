"""Webhook signing secrets, derived from the site's SECRET_KEY and a salt, so that the database contains none."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Final

from django.utils.crypto import salted_hmac

from arena.webhooks.models import Webhook
from arena.webhooks.sending.signature import secret_text

OVERLAP: Final = timedelta(hours=24)  # the old secret remains valid for this long after a rotation


def new_salt() -> str:
    return secrets.token_hex(16)


def secret_of(webhook: Webhook) -> str:
    """Return the secret with which the owner configures the receiver."""
    return secret_text(_key(webhook.salt))


def signing_keys(webhook: Webhook, *, now: datetime) -> list[bytes]:
    """Return the current key and, for a day after a rotation, the previous one."""
    keys = [_key(webhook.salt)]
    if webhook.previous_until is not None and webhook.previous_until > now:
        keys.append(_key(webhook.previous_salt))
    return keys


def _key(salt: str) -> bytes:
    return salted_hmac("arena.webhooks.secrets", salt, algorithm="sha256").digest()
