"""Collect the URLs that a browser can open on a site, including filtered lists.

The URLs come from the URL configuration, so that new pages are measured automatically.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

# The first two end the session, the third never ends, and the last one measures the machine.
_LEFT_OUT: Final = frozenset({"logout", "admin:logout", "api-1.0.0:stream_check", "healthz"})


def page_urls(places: Mapping[str, Any]) -> dict[str, str]:
    """Return every URL that needs no arguments other than ``places``, keyed by name."""
    found: dict[str, str] = {}
    for name, arguments in _named_patterns(get_resolver(), ""):
        if name in _LEFT_OUT or not arguments <= places.keys():
            continue
        try:
            found[name] = reverse(name, kwargs={argument: places[argument] for argument in arguments})
        except NoReverseMatch:  # an invalid value for this page, such as a person's name for a bot
            continue
    return found


def _named_patterns(resolver: URLResolver, namespace: str) -> Iterator[tuple[str, set[str]]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _named_patterns(pattern, inner)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield namespace + pattern.name, set(pattern.pattern.regex.groupindex)


def filtered_list_urls(game: str, unplayed: str, bot_id: int, username: str, before: int) -> dict[str, str]:
    """Return, by name, the URLs of lists that are filtered by a common, a rare or an absent value.

    ``unplayed``: a game without matches; ``before``: the id of an old match.
    """
    matches, api = reverse("match-list"), "/api/v1/matches"
    bot, person = f"bot={bot_id}", f"person={username}"
    queries = {
        "half a year ago": f"before={before}",
        "of a game": f"game={game}",
        "of a game without matches": f"game={unplayed}",
        "with status void": "status=void",
        "of the ladder": "purpose=ladder",
        "of tournaments": "purpose=tournament",
        "of a bot": bot,
        "of a bot, with status void": f"{bot}&status=void",
        "of a person": person,
        "of a person, with status running": f"{person}&status=running",
    }
    leaderboard = reverse("leaderboard", args=[game])
    return {
        **{f"matches {what}": f"{matches}?{query}" for what, query in queries.items()},
        **{f"API: matches {what}": f"{api}?{query}" for what, query in queries.items()},
        "leaderboard, last page": f"{leaderboard}?page=9999",
        "leaderboard, search": f"{leaderboard}?text=bot+12",
        "bots, search": reverse("bot-list") + "?text=bot+99",
        "notifications, unread": reverse("notification-list") + "?unread=on",
        "admin: users, a search": reverse("admin:accounts_user_changelist") + "?q=season0-12",
    }
