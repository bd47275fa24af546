"""Sign messages according to the Standard Webhooks specification, version 1 (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from typing import Final

SECRET_PREFIX: Final = "whsec_"  # noqa: S105 - how every one begins


def secret_text(key: bytes) -> str:
    """Encode the key as the string that is entered in the receiver's configuration: ``whsec_``, followed by Base64."""
    return SECRET_PREFIX + base64.b64encode(key).decode()


def signed_headers(keys: Sequence[bytes], message_id: str, body: bytes, *, now: datetime) -> dict[str, str]:
    """Return a message's three Standard Webhooks headers.

    There is one signature per key, so that a secret can be rotated without interruption.
    """
    timestamp = str(int(now.timestamp()))
    content = b".".join((message_id.encode(), timestamp.encode(), body))
    signatures = (base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode() for key in keys)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
