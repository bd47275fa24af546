"""Set hourly limits on sign-ups, failed sign-ins and resets per network, and on emails per address.

The defaults let a class of sixty behind one address sign up and sign in within a few minutes, mistakes included. Failed
sign-ins are counted across all names; successful sign-ins are refunded. django-axes limits wrong passwords per name.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext_lazy

from arena.accounts.throttle import Throttle
from arena.platform import client_address
from arena.platform.refusal import Refused

SIGN_UPS: Final = Throttle(
    "sign-ups",
    "SIGNUPS_AN_HOUR",
    gettext_lazy("Your network has reached the hourly limit for sign-ups (%(n)s)."),
)
FAILED_LOGINS: Final = Throttle(
    "failed-logins",
    "FAILED_LOGINS_AN_HOUR",
    ngettext_lazy(
        "%(n)s sign-in attempt from your network failed in the past hour. To protect accounts, sign-in from "
        "this network is paused.",
        "%(n)s sign-in attempts from your network failed in the past hour. To protect accounts, sign-in from "
        "this network is paused.",
        "n",
    ),
)
RESETS: Final = Throttle(
    "resets",
    "PASSWORD_RESETS_AN_HOUR",
    gettext_lazy("Your network has reached the hourly limit for password resets (%(n)s)."),
)
ACCOUNT_MAILS: Final = Throttle(
    "account-mails",
    "ACCOUNT_MAILS_AN_HOUR",
    ngettext_lazy(
        "%(n)s email was requested for this address in the past hour. Check your inbox and spam folder.",
        "%(n)s emails were requested for this address in the past hour. Check your inbox and spam folder.",
        "n",
    ),
)
_COUNTED: Final = "_failed_login_of"  # request attribute with the network whose attempt was counted


def count_sign_up(network: str, address: str, *, now: datetime) -> None:
    """Count a sign-up. Raises Refused, and counts nothing, if the limit has been reached."""
    SIGN_UPS.count_use(network, now=now)
    _count_email(address, now, instead=(SIGN_UPS, network))


def count_reset(network: str, address: str, *, now: datetime) -> None:
    """Count a password reset. Raises Refused, and counts nothing, if the limit has been reached."""
    RESETS.count_use(network, now=now)
    _count_email(address, now, instead=(RESETS, network))


def count_confirmation(person: int, address: str, *, now: datetime) -> None:
    """Count a confirmation email. Raises Refused, and counts nothing, if the person or the address is at the limit."""
    key = f"person:{person}"
    ACCOUNT_MAILS.count_use(key, now=now)
    _count_email(address, now, instead=(ACCOUNT_MAILS, key))


def _count_email(address: str, now: datetime, instead: tuple[Throttle, str]) -> None:
    try:
        ACCOUNT_MAILS.count_use(address, now=now)
    except Refused:
        throttle, key = instead
        throttle.release(key, now=now)
        raise


class LoginLimit:
    """A limit on sign-in attempts, each counted before its password is hashed, on every page that authenticates.

    This is an authentication backend that never authenticates anyone. Raises Refused, which ``refusals`` handles.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        if request is not None:
            network = client_address.network_of_request(request)
            FAILED_LOGINS.count_use(network, now=timezone.now())
            setattr(request, _COUNTED, network)


def refund_login(request: HttpRequest | None) -> None:
    """Refund the attempt that was counted for a successful sign-in."""
    network = getattr(request, _COUNTED, None)
    if network is not None:
        FAILED_LOGINS.release(network, now=timezone.now())
        delattr(request, _COUNTED)
