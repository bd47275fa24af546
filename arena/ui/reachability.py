"""Warnings beside links and QR codes whose address other devices may be unable to open."""

from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.platform.reachability import Reach, classify_host

_TEXTS: Final[Mapping[Reach, str | Promise]] = {
    Reach.OTHERS: "",
    Reach.THIS_MACHINE: _(
        "Other devices cannot open this URL. Open this page at this computer's network address, such as "
        "http://192.168.1.20:%(port)s, and show the code from there."
    ),
    Reach.NEIGHBOURS: _(
        "Phones might be unable to find this computer by name. In that case, open this page at this "
        "computer's network address and show the code from there."
    ),
}
_ONLY_LOCAL: Final = _(
    "Other devices cannot open this URL. Restart the site with BIND=0.0.0.0 make up, then open this page at this "
    "computer's network address, such as http://192.168.1.20:%(port)s, and show the code from there."
)


def unreachable_warning(request: HttpRequest) -> str:
    """Return the warning for the address at which this page is open; "" if there is no problem."""
    reach = classify_host(request.get_host())
    text = _ONLY_LOCAL if reach is Reach.THIS_MACHINE and _serves_only_this_machine() else _TEXTS[reach]
    return str(text) % {"port": request.get_port()}


def _serves_only_this_machine() -> bool:
    """Return whether the site accepts only this machine's own names; it then usually listens on a loopback address."""
    return all(classify_host(host) is Reach.THIS_MACHINE for host in settings.ALLOWED_HOSTS)
