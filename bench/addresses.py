"""Every address of a site that a browser can look at, and the lists narrowed to what somebody would ask for.

The addresses are those of the URL configuration, so that a new page is measured without being named here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

# One ends the session, one never ends, and one measures the machine.
_LEFT_OUT: Final = frozenset({"logout", "admin:logout", "api-1.0.0:stream_check", "healthz"})


def addresses(places: Mapping[str, Any]) -> dict[str, str]:
    """By its name in the URL configuration, every address that needs no more than ``places``: values by argument."""
    found: dict[str, str] = {}
    for name, arguments in _patterns(get_resolver(), ""):
        if name in _LEFT_OUT or not arguments <= places.keys():
            continue
        try:
            found[name] = reverse(name, kwargs={argument: places[argument] for argument in arguments})
        except NoReverseMatch:  # a value that is none of this page's, such as a person's name for a bot
            continue
    return found


def _patterns(resolver: URLResolver, namespace: str) -> Iterator[tuple[str, set[str]]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _patterns(pattern, inner)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield namespace + pattern.name, set(pattern.pattern.regex.groupindex)
