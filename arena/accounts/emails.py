"""Emails about accounts, each in its recipient's language.

An address belongs to an account only once its owner has opened a link sent there. Before that, the account works but
receives only that link and password resets.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from arena.accounts.models import AccountMail, AccountMailKind, User
from arena.platform.refusal import Refused

_SALT: Final = "arena.accounts.letters"
# Several accounts may claim one address, and a single reset must not send its owner an email for each of them.
MAX_ACCOUNTS_PER_ADDRESS: Final = 5


def emails_to_send(mail: AccountMail) -> list[EmailMessage]:
    """Return the emails to send for a queued account email.

    There are none if the address is unknown, or if the person has since been suspended or has changed the address.
    """
    if mail.kind == AccountMailKind.RESET:
        return [_reset_email(person, mail) for person in _accounts_with_address(mail.address)]
    person = mail.person
    if person is None or not person.is_active or person.unconfirmed_email != mail.address:
        return []
    holder = User.objects.filter(email__iexact=mail.address).exclude(pk=person.pk).first()
    return [_confirmation_email(person) if holder is None else _address_in_use_email(person, holder)]


def invalid_link_refusal() -> Refused:
    """Return the refusal for an invalid confirmation link: malformed, expired or for an outdated address."""
    text = _(
        "Each link works for three days, and only for the email address that you entered most recently. "
        "Request a new link in your settings."
    )
    return Refused(text, code="invalid_link")


def read_confirmation_token(token: str) -> tuple[int, str]:
    """Return the person's id and the address in a link's ``token``. Raises Refused if it is invalid or expired."""
    try:
        person, address = signing.loads(token, salt=_SALT, max_age=settings.PASSWORD_RESET_TIMEOUT)
    except signing.BadSignature:
        raise invalid_link_refusal() from None
    return int(person), str(address)


def _accounts_with_address(address: str) -> list[User]:
    """Return the active accounts that have a password and this address, confirmed addresses first.

    At most ``MAX_ACCOUNTS_PER_ADDRESS`` accounts are returned.
    """
    named = User.objects.filter(Q(email__iexact=address) | Q(unconfirmed_email__iexact=address), is_active=True)
    people = [person for person in named.order_by("-email", "pk") if person.has_usable_password()]
    return people[:MAX_ACCOUNTS_PER_ADDRESS]


def _reset_email(person: User, mail: AccountMail) -> EmailMessage:
    arguments = [urlsafe_base64_encode(force_bytes(person.pk)), default_token_generator.make_token(person)]
    context = {"name": person.username, "link": _absolute_url("password_reset_confirm", *arguments)}
    return _render_email("password_reset", mail.address, person.language or mail.language, context)


def _confirmation_email(person: User) -> EmailMessage:
    token = signing.dumps([person.pk, person.unconfirmed_email], salt=_SALT)
    context = {"name": person.username, "link": _absolute_url("confirm_email", token)}
    return _render_email("confirm_email", person.unconfirmed_email, person.language, context)


def _address_in_use_email(person: User, holder: User) -> EmailMessage:
    context = {
        "name": holder.username,
        "new_name": person.username,
        "login": _absolute_url("login"),
        "reset": _absolute_url("password_reset"),
        "settings": _absolute_url("settings"),
    }
    return _render_email("known_email", person.unconfirmed_email, holder.language or person.language, context)


def _absolute_url(view: str, *arguments: str) -> str:
    return settings.SITE_URL + reverse(view, args=arguments)


def _render_email(template: str, address: str, language: str, context: dict[str, str]) -> EmailMessage:
    with translation.override(language or settings.LANGUAGE_CODE):
        subject = render_to_string(f"accounts/{template}_subject.txt", context).strip()
        body = render_to_string(f"accounts/{template}_email.txt", context)
    return EmailMessage(subject=subject, body=body, to=[address], headers={"Auto-Submitted": "auto-generated"})
