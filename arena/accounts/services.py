"""Create, change and confirm accounts."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from arena.accounts import emails, outbox
from arena.accounts.models import HOUSE_USERNAME, Role, User
from arena.platform.refusal import NotFound, Refused


@dataclass(frozen=True, slots=True)
class GeneratedCredentials:
    """A name and its generated password, which is shown once and not stored."""

    username: str
    password: str


def sign_up(*, username: str, email: str, password: str, language: str = "") -> User:
    """Create a student's account; the form has validated the name, address and password. Raises Refused.

    The address only takes effect once the person has confirmed it. Whether another account has the same address
    makes no difference here. ``language``: the person's language, for emails; "" is the site's default.
    """
    user = User(username=username, unconfirmed_email=email, role=Role.STUDENT, language=language)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
            if email:
                outbox.queue_confirmation(user)
    except IntegrityError as error:  # a concurrent request was faster
        raise Refused(_("That name has just been taken. Choose another."), code="name_taken") from error
    return user


def remember_language(user: User, language: str) -> None:
    """Store the language in which emails to the person are written."""
    if user.language != language:
        User.objects.filter(pk=user.pk).update(language=language)
        user.language = language


def change_email(user_id: int, email: str) -> None:
    """Request a change of address. The current address remains valid until the new one is confirmed."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        user.unconfirmed_email = "" if email == user.email else email
        user.save(update_fields=["unconfirmed_email"])
        if user.unconfirmed_email:
            outbox.queue_confirmation(user)


def confirm_email(token: str) -> User:
    """Confirm the address to which the link with this ``token`` was sent. Raises Refused."""
    person, email = emails.read_confirmation_token(token)
    try:
        with transaction.atomic():
            waits = User.objects.filter(pk=person, unconfirmed_email=email, is_active=True)
            changed = waits.update(email=email, unconfirmed_email="")
    except IntegrityError as error:
        raise Refused(
            _("Another account has confirmed this address. Sign in to that account."), code="address_taken"
        ) from error
    user = User.objects.filter(pk=person, email=email, is_active=True).first()
    if user is None or (not changed and user.unconfirmed_email):
        raise emails.invalid_link_refusal()
    return user


def house_account() -> User:
    """Return the account that owns the house bots; the first call creates it. Nobody can sign in to it."""
    user, created = User.objects.get_or_create(username=HOUSE_USERNAME, defaults={"is_active": False})
    if created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def active_account(username: str) -> User:
    """Return the account with this name, ignoring case.

    Raises NotFound if no account has this name or the account is suspended.
    """
    user = User.objects.filter(username__iexact=username, is_active=True).first()
    if user is None:
        raise NotFound
    return user


def appoint_organizer(username: str) -> None:
    """Make an existing account an organizer. Raises NotFound."""
    if not User.objects.filter(username__iexact=username, is_active=True).update(role=Role.ORGANIZER):
        raise NotFound


def create_organizer(username: str) -> GeneratedCredentials:
    """Create an organizer with a random password. Raises Refused if the name is taken."""
    password = secrets.token_urlsafe(12)
    user = sign_up(username=username, email="", password=password)
    appoint_organizer(user.username)
    return GeneratedCredentials(user.username, password)
