"""Pages that other sites may embed in a frame; all other pages forbid it."""

from __future__ import annotations

from collections.abc import Callable

from csp.decorators import csp_replace
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

_View = Callable[..., HttpResponseBase]


def allow_framing(view: _View) -> _View:
    """Allow any site to embed the page in a frame.

    Such a page must be rendered for an anonymous visitor and contain no actions, so that an embedding site can neither
    see more than the public can nor trick a reader into triggering an action (clickjacking).
    """
    return xframe_options_exempt(csp_replace({"frame-ancestors": ["*"]})(require_safe(never_cache(view))))
