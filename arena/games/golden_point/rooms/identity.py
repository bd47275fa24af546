"""Self-authenticating GUIDs of players and rounds.

The GUIDs are random (version 4) except for the last seven bytes, which authenticate the others and the purpose. So the
server can issue a player's GUID without storing anything and recognize it later, and it can distinguish the discarded
GUID of an unplayed round, which is no longer stored, from a GUID that never existed. GUIDs of rounds are public, and
no round has the GUID of a player.

Knowing a player's GUID is enough to play as that player. Programs look themselves up by their GUID in public lists, so
the GUID cannot be secret; all other players appear there under an alias.
"""

from __future__ import annotations

import hmac
import secrets
from enum import Enum
from functools import lru_cache
from uuid import UUID

from django.utils.crypto import salted_hmac

_HEAD = 9  # number of random bytes, including version and variant


class GuidPurpose(Enum):
    """The purpose of a GUID, authenticated together with the GUID itself."""

    PLAYER = "arena.games.golden_point.rooms.identity"
    ROUND = "arena.games.golden_point.rooms.identity.round"


def new_guid(purpose: GuidPurpose) -> UUID:
    head = UUID(bytes=secrets.token_bytes(16), version=4).bytes[:_HEAD]
    return UUID(bytes=head + _authentication_code(head, purpose))


def is_issued(guid: UUID, purpose: GuidPurpose) -> bool:
    """Return whether ``new_guid`` created this GUID for this purpose, in any process of this installation."""
    return hmac.compare_digest(guid.bytes[_HEAD:], _authentication_code(guid.bytes[:_HEAD], purpose))


@lru_cache(maxsize=10_000)
def alias_of(guid: UUID) -> UUID:
    """Return the public alias of a secret GUID; the alias is stable and does not reveal the secret.

    The alias grants no access: it is not the GUID of any player, and ``is_issued`` rejects it.
    """
    digest = salted_hmac("arena.games.golden_point.rooms.identity.alias", guid.bytes, algorithm="sha256").digest()
    return UUID(bytes=digest[:16], version=4)


@lru_cache(maxsize=10_000)
def network_digest(network: str) -> str:
    """Return the stored digest that identifies a client's network; "" if it is unknown."""
    return (
        salted_hmac("arena.games.golden_point.rooms.identity.origin", network, algorithm="sha256").hexdigest()
        if network
        else ""
    )


def read_guid(text: str) -> UUID | None:
    """Parse a GUID in any of the usual notations; return None for anything else."""
    try:
        return UUID(text.strip())
    except ValueError:
        return None


def default_name(uid: UUID) -> str:
    """Return the default name of the player with this uid."""
    return f"Player {uid.hex[:6]}"


def _authentication_code(head: bytes, purpose: GuidPurpose) -> bytes:
    return salted_hmac(purpose.value, head, algorithm="sha256").digest()[: 16 - _HEAD]
