"""GUIDs that prove their origin: of players and of rounds.

A GUID of ours is random (version 4) but for its last seven bytes, which authenticate the others and what it is for. So
a player can be given one by a request that stores nothing, however often it comes, and be known by it later; and the
round that nobody played, of which no row is left, is told from one that never was. Everybody can read the GUIDs of
rounds: none of them is a player's.

A player's GUID is all that it takes to play in their name. Programs look themselves up by it in lists that everybody
reads, so it cannot be secret; whoever has no need of that appears there under an alias.
"""

from __future__ import annotations

import hmac
import secrets
from enum import Enum
from functools import lru_cache
from uuid import UUID

from django.utils.crypto import salted_hmac

_HEAD = 9  # bytes; version and variant are among them


class Purpose(Enum):
    """What a GUID is for; the value separates the proofs."""

    PLAYER = "arena.games.golden_point.rooms.identity"
    ROUND = "arena.games.golden_point.rooms.identity.round"


def new_guid(purpose: Purpose) -> UUID:
    head = UUID(bytes=secrets.token_bytes(16), version=4).bytes[:_HEAD]
    return UUID(bytes=head + _proof(head, purpose))


def is_ours(guid: UUID, purpose: Purpose) -> bool:
    """Whether ``new_guid`` made it for this purpose, here or at any other process of this installation."""
    return hmac.compare_digest(guid.bytes[_HEAD:], _proof(guid.bytes[:_HEAD], purpose))


@lru_cache(maxsize=10_000)
def alias_of(guid: UUID) -> UUID:
    """What others see in place of a secret GUID: always the same one, from which the secret cannot be computed.

    It gives no right: it is nobody's GUID, and ``is_ours`` denies it.
    """
    digest = salted_hmac("arena.games.golden_point.rooms.identity.alias", guid.bytes, algorithm="sha256").digest()
    return UUID(bytes=digest[:16], version=4)


@lru_cache(maxsize=10_000)
def origin_of(network: str) -> str:
    """What is stored of a client's network, to know it again; "" where it is unknown."""
    return (
        salted_hmac("arena.games.golden_point.rooms.identity.origin", network, algorithm="sha256").hexdigest()
        if network
        else ""
    )


def read_guid(text: str) -> UUID | None:
    """The GUID that ``text`` spells in any of the usual ways, or None."""
    try:
        return UUID(text.strip())
    except ValueError:
        return None


def usual_name(uid: UUID) -> str:
    """What a player without a name is called."""
    return f"Player {uid.hex[:6]}"


def _proof(head: bytes, purpose: Purpose) -> bytes:
    return salted_hmac(purpose.value, head, algorithm="sha256").digest()[: 16 - _HEAD]
