"""Unsubscribe links in emails: signed, without expiry, usable without signing in."""

from __future__ import annotations

from dataclasses import dataclass

from django.core import signing
from django.urls import reverse

from arena.accounts.models import User
from arena.notifications.models import Channel
from arena.notifications.services import mute

_SALT = "arena.notifications.unsubscribe"


@dataclass(frozen=True, slots=True)
class Unsubscription:
    """The recipient and the kind of email encoded in an unsubscribe link."""

    person_id: int
    kind: str


def unsubscribe_path(unsubscription: Unsubscription) -> str:
    token = signing.dumps([unsubscription.person_id, unsubscription.kind], salt=_SALT)
    return reverse("unsubscribe", args=[token])


def unsubscription_of(token: str) -> Unsubscription | None:
    """Return the unsubscribe request that a signed link encodes; None if the signature is invalid."""
    try:
        person_id, kind = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return Unsubscription(person_id, kind)


def mute_emails(unsubscription: Unsubscription) -> None:
    """Turn off this kind of email; do nothing if the account was deleted."""
    if User.objects.filter(pk=unsubscription.person_id).exists():
        mute(unsubscription.person_id, unsubscription.kind, Channel.EMAIL)
