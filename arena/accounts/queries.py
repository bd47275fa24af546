"""Read-only queries about accounts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from arena.accounts.models import HOUSE_USERNAME, Role, User


@dataclass(frozen=True, slots=True)
class PersonCard:
    """A person's public data."""

    id: int
    username: str
    role_label: str
    is_organizer: bool
    is_house: bool
    joined: datetime


def account_name(username: str) -> str:
    """Return the username for display; the house account's name is translated."""
    return _("house") if is_house_account(username) else username


def is_house_account(username: str) -> bool:
    return username == HOUSE_USERNAME


def account(person_id: int) -> User:
    return User.objects.get(pk=person_id)


def person(username: str) -> PersonCard | None:
    user = User.objects.filter(username__iexact=username).first()
    if user is None:
        return None
    return PersonCard(
        id=user.pk,
        username=user.username,
        role_label=user.get_role_display(),
        is_organizer=user.role == Role.ORGANIZER,
        is_house=is_house_account(user.username),
        joined=user.date_joined,
    )
