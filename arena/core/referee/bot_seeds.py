"""Derive bot seeds from the match secret.

A match has one secret, which remains private until the match is over. A key for each seat is derived from the secret,
and a seed for each start of that seat's bot is derived from that key: ``HMAC-SHA256(key, turn)``. A bot that knows its
own seed can compute neither the key of its seat nor anything about another seat. The rules use the match's seed, which
is independent of the secret.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Final

SECRET_BYTES: Final = 16


def new_secret() -> str:
    """Create a secret for a new match: 128 random bits as hexadecimal digits."""
    return secrets.token_hex(SECRET_BYTES)


def public_secret(seed: int) -> str:
    """Return a secret that anybody can derive from ``seed``, for matches in which predicting a bot does no harm."""
    return _derive_seed(b"arena", f"public match {seed}")[: 2 * SECRET_BYTES]


def seat_key(secret: str, seat: int) -> str:
    """Return the key from which one seat's seeds are derived; "" if the match has no secret."""
    return _derive_seed(bytes.fromhex(secret), f"seat {seat}") if secret else ""


def start_seed(key: str, turn: int) -> str:
    """Return the seed of a bot that is started for ``turn`` (counted from 1); "" if there is no key."""
    return _derive_seed(bytes.fromhex(key), f"start for turn {turn}") if key else ""


def _derive_seed(key: bytes, purpose: str) -> str:
    return hmac.digest(key, purpose.encode(), "sha256").hex()
