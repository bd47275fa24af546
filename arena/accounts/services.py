"""Every change of accounts."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from arena.accounts.models import HOUSE_USERNAME, Role, User


class AccountRefused(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """Why an account cannot be made or changed so, in the reader's language."""


class NoSuchPerson(Exception):  # noqa: N818
    """There is no account of that name."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """A name and the password that was made for it: shown once, stored nowhere."""

    username: str
    password: str


def sign_up(*, username: str, email: str, password: str, language: str = "") -> User:
    """A student's account; the form has checked the name, address and password. Raises AccountRefused.

    ``language``: that in which the person reads the site, for mails; "" is the site's own.
    """
    user = User(username=username, email=email, role=Role.STUDENT, language=language)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:  # somebody was faster
        raise AccountRefused(_("This name or address was taken a moment ago. Choose another.")) from error
    return user


def remember_language(user: User, language: str) -> None:
    """Write to the person in this language from now on."""
    if user.language != language:
        User.objects.filter(pk=user.pk).update(language=language)
        user.language = language


def change_email(user_id: int, email: str) -> None:
    """Raises AccountRefused when the address has an account."""
    try:
        with transaction.atomic():
            User.objects.filter(pk=user_id).update(email=email)
    except IntegrityError as error:
        raise AccountRefused(_("There is an account with this email address already.")) from error


def house_account() -> User:
    """The account that owns the arena's own bots; made at the first call. Nobody can sign in to it."""
    user, created = User.objects.get_or_create(username=HOUSE_USERNAME, defaults={"is_active": False})
    if created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def appoint_organizer(username: str) -> None:
    """Make an organizer of an existing account; raises NoSuchPerson."""
    if not User.objects.filter(username__iexact=username, is_active=True).update(role=Role.ORGANIZER):
        raise NoSuchPerson(username)


def create_organizer(username: str) -> Credentials:
    """A new organizer with a random password; raises AccountRefused where the name is taken."""
    password = secrets.token_urlsafe(12)
    user = sign_up(username=username, email="", password=password)
    appoint_organizer(user.username)
    return Credentials(user.username, password)
