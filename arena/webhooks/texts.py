"""Messages about receivers and deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from arena.webhooks.sending.client import Failure
from arena.webhooks.sending.targets import UrlProblem

FAILURES: Final[Mapping[Failure, Promise]] = {
    Failure.URL: gettext_lazy("This arena no longer permits this URL"),
    Failure.NAME: gettext_lazy("The host name could not be resolved"),
    Failure.ADDRESS: gettext_lazy("The host name resolves to an address that is not public"),
    Failure.CONNECTION: gettext_lazy("The connection failed"),
    Failure.TLS: gettext_lazy("The TLS handshake failed: check the certificate"),
    Failure.TIMEOUT: gettext_lazy("The receiver did not respond in time"),
    Failure.RESPONSE: gettext_lazy("The response was not HTTP"),
    Failure.REDIRECT: gettext_lazy("Redirects are not followed"),
    Failure.STATUS: gettext_lazy("The receiver responded with an error"),
}


def url_problem(problem: UrlProblem) -> str:
    """Describe what is wrong with a URL, and what to enter instead."""
    ports = pgettext("between names", ", ").join(str(port) for port in sorted(settings.WEBHOOK_PORTS))
    return {
        UrlProblem.INVALID: _("This is not a valid URL. Enter one such as https://example.org/hook."),
        UrlProblem.SCHEME: _("Only HTTPS is permitted. Enter a URL that begins with https://."),
        UrlProblem.CREDENTIALS: _("A username or password in the URL is not permitted. Verify the signature instead."),
        UrlProblem.HOST: _(
            "This arena does not permit webhooks to this host. Enter another URL, or ask staff to permit the host."
        ),
        UrlProblem.PORT: _("This port is not permitted. Use one of: %(ports)s.") % {"ports": ports},
        UrlProblem.ADDRESS: _("This address is not public. Enter a URL that is reachable from the internet."),
    }[problem]
