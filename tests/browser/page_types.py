"""The site's page types, which ``test_pages`` audits; ``test_page_types`` finds missing ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tests.browser.content import Content

Address: TypeAlias = "Callable[[Content], str]"


@dataclass(frozen=True, slots=True)
class PageType:
    address: Address
    status: int = 200


EVERYBODYS: dict[str, PageType] = {
    "home": PageType(lambda _: "/"),
    "matches": PageType(lambda _: "/matches/"),
    "matches, none found": PageType(lambda _: "/matches/?status=void"),
    "match of reversi, live": PageType(lambda content: content.live_match("reversi")),
    "match of golden point, live": PageType(lambda content: content.live_match("golden_point")),
    "match of reversi, over": PageType(lambda content: content.over_match["reversi"]),
    "match of reversi, at a turn": PageType(lambda content: f"{content.over_match['reversi']}?at=5"),
    "match of golden point, over": PageType(lambda content: content.over_match["golden_point"]),
    "match of suit pairs, over": PageType(lambda content: content.over_match["suit_pairs"]),
    "match of golden point, one seat's moves": PageType(lambda content: f"{content.over_match['golden_point']}?seat=1"),
    "analysis of a match": PageType(lambda content: f"{content.over_match['reversi']}analysis/"),
    "analysis board": PageType(lambda _: "/reversi/board/?moves=F5D6C3&at=2"),
    "analysis board, no such move": PageType(lambda _: "/reversi/board/?text=f5f5"),
    "match with a fault": PageType(lambda content: content.erring_match),
    "match on the projector": PageType(lambda content: f"{content.over_match['reversi']}?view=projector"),
    "big screen": PageType(lambda _: "/tv/"),
    "big screen over another picture": PageType(
        lambda content: f"/tv/?tournament={content.over['reversi'].split('/')[2]}&overlay=1"
    ),
    "embedded match": PageType(lambda content: f"/embed{content.over_match['reversi']}"),
    "embedded table": PageType(lambda content: f"/embed{content.over['reversi']}"),
    "rooms": PageType(lambda _: "/rooms/"),
    "rooms, none found": PageType(lambda _: "/rooms/?state=finished"),
    "room": PageType(lambda _: "/rooms/1/"),
    "room on the projector": PageType(lambda _: "/rooms/1/?view=projector"),
    "embedded room": PageType(lambda _: "/embed/rooms/1/"),
    "room that is not there": PageType(lambda _: "/rooms/99/", 404),
    "what explains a room": PageType(lambda _: "/analysis/golden-point/rooms/1/"),
    "what explains a match": PageType(lambda content: f"/analysis/golden-point{content.over_match['golden_point']}"),
    "what explains a recording": PageType(lambda _: "/analysis/golden-point/recordings/example/?player=3&x=9&round=2"),
    "recordings": PageType(lambda _: "/recordings/"),
    "recording": PageType(lambda _: "/recordings/example/"),
    "interface of rooms": PageType(lambda _: "/swagger"),
    "match of 2584, live": PageType(lambda content: content.live_match("fib2584")),
    "match of 2584, over": PageType(lambda content: content.over_match["fib2584"]),
    "match of 2584, at a turn": PageType(lambda content: f"{content.over_match['fib2584']}?at=3"),
    "solver of 2584": PageType(lambda _: "/2584/solver/"),
    "solver of 2584, before a drop": PageType(lambda _: "/2584/solver/?after=0-0-0-0-1-2"),
    "solver of 2584, small tiles": PageType(lambda _: "/2584/solver/?before=3-4-5-6-7-8"),
    "solver of 2584, large tiles": PageType(lambda _: "/2584/solver/?before=9-10-11-12-1-2"),
    "solver of 2584, no such tile": PageType(lambda _: "/2584/solver/?before=33-32-31-30-29-28"),
    "learner of 2584": PageType(lambda _: "/2584/learn/"),
    "luck-adjusted scores": PageType(lambda _: "/2584/scores/"),
    "play 2584, a guest": PageType(lambda _: "/play/?game=fib2584"),
    "API": PageType(lambda _: "/api/v1/docs"),
    "tournaments": PageType(lambda _: "/tournaments/"),
    "tournament, live": PageType(lambda content: content.live_tournament),
    "tournament of reversi, over": PageType(lambda content: content.over["reversi"]),
    "tournament of golden point, over": PageType(lambda content: content.over["golden_point"]),
    "score attack of 2584, over": PageType(lambda content: content.over["fib2584"]),
    "tournament, its matches": PageType(lambda content: f"{content.over['reversi']}matches/"),
    "tournament, its rounds": PageType(lambda content: f"{content.over['reversi']}rounds/"),
    "tournament, open": PageType(lambda content: content.open_tournament),
    "leaderboard of reversi": PageType(lambda _: "/leaderboards/reversi/"),
    "leaderboard of golden point": PageType(lambda _: "/leaderboards/golden_point/"),
    "ladder": PageType(lambda _: "/ladder/reversi/"),
    "ladder of 2584": PageType(lambda _: "/ladder/fib2584/"),
    "bots": PageType(lambda _: "/bots/"),
    "search": PageType(lambda _: "/search/?q=c"),
    "learning path": PageType(lambda _: "/path/"),
    "somebody's bot": PageType(lambda content: content.own_bot),
    "somebody's profile": PageType(lambda _: "/people/iris/"),
    "the house's profile": PageType(lambda _: "/people/house/"),
    "class, its link": PageType(lambda content: content.join_link),
    "class, its code": PageType(lambda _: "/classes/join/"),
    "class, a wrong code": PageType(lambda _: "/classes/join/?code=nonsense"),
    "class, no such code": PageType(lambda _: "/classes/join/AAAA-AAAA/", 404),
    "play, a guest": PageType(lambda _: "/play/"),
    "open data": PageType(lambda _: "/data/"),
    "guide": PageType(lambda _: "/guide/"),
    "guide to one game": PageType(lambda _: "/guide/reversi/"),
    "guide to golden point": PageType(lambda _: "/guide/golden_point/"),
    "guide to 2584": PageType(lambda _: "/guide/fib2584/"),
    "guide to suit pairs": PageType(lambda _: "/guide/suit_pairs/"),
    "guide to training": PageType(lambda _: "/guide/train/"),
    "lesson": PageType(lambda _: "/learn/?world=5&played=1221&step=30"),
    "sign up": PageType(lambda _: "/accounts/signup/"),
    "sign in": PageType(lambda content: f"/accounts/login/?next={content.own_bot}"),
    "password reset": PageType(lambda _: "/accounts/password/reset/"),
    "password reset, sent": PageType(lambda _: "/accounts/password/reset/sent/"),
    "not found": PageType(lambda _: "/nowhere/", 404),
}
MEMBERS: dict[str, PageType] = {
    "home, signed in": PageType(lambda _: "/"),
    "learning path, signed in": PageType(lambda _: "/path/"),
    "own bot": PageType(lambda content: content.own_bot),
    "studio": PageType(lambda content: f"{content.own_bot}studio/"),
    "studio, a new bot": PageType(lambda _: "/studio/new/reversi/"),
    "studio, a new bot of golden point": PageType(lambda _: "/studio/new/golden_point/"),
    "tests of versions": PageType(lambda content: f"{content.own_bot}tests/"),
    "own bot, its name": PageType(lambda content: f"{content.own_bot}edit/"),
    "new bot": PageType(lambda _: "/bots/new/"),
    "new version": PageType(lambda content: f"{content.own_bot}submissions/new/"),
    "submission, passed": PageType(lambda content: content.passed),
    "submission, failed": PageType(lambda content: content.failed),
    "submission, passed with an illegal answer": PageType(lambda content: content.erring),
    "match in which one's bot failed": PageType(lambda content: content.erring_match),
    "submission, its match": PageType(lambda content: f"{content.passed}match/"),
    "submission, its source": PageType(lambda content: f"{content.passed}source/"),
    "play": PageType(lambda _: "/play/"),
    "scrimmage": PageType(lambda _: "/scrimmages/new/"),
    "tournament to enter and to organize": PageType(lambda content: content.open_tournament),
    "tournament, new": PageType(lambda _: "/tournaments/new/"),
    "tournament, new, who and when": PageType(lambda _: "/tournaments/new/?game=reversi&preset=class_cup"),
    "tournament, new, of golden point": PageType(lambda _: "/tournaments/new/?game=golden_point"),
    "operations of an open tournament": PageType(lambda content: f"{content.open_tournament}operations/"),
    "operations of a tournament that is over": PageType(lambda content: f"{content.over['reversi']}operations/"),
    "tournament, changed": PageType(lambda content: f"{content.open_tournament}edit/"),
    "workers": PageType(lambda _: "/workers/"),
    "new room": PageType(lambda _: "/rooms/new/"),
    "recurring tournaments": PageType(lambda _: "/tournaments/series/"),
    "new recording": PageType(lambda _: "/recordings/new/"),
    "classes": PageType(lambda _: "/classes/"),
    "class": PageType(lambda content: content.own_class),
    "class, nobody found": PageType(lambda content: f"{content.own_class}?text=nobody"),
    "class, new": PageType(lambda _: "/classes/new/"),
    "class, changed": PageType(lambda content: f"{content.own_class}edit/"),
    "class, its link, in it": PageType(lambda content: content.join_link),
    "notifications": PageType(lambda _: "/notifications/"),
    "notifications, none found": PageType(lambda _: "/notifications/?kind=announcement"),
    "own profile": PageType(lambda _: "/people/iris/"),
    "settings": PageType(lambda _: "/accounts/settings/"),
    "following": PageType(lambda _: "/following/"),
    "webhooks": PageType(lambda _: "/accounts/settings/webhooks/"),
    "tokens": PageType(lambda _: "/accounts/settings/tokens/"),
    "password change": PageType(lambda _: "/accounts/password/change/"),
    "not allowed": PageType(lambda _: "/workers/sandbox/", 403),
}


# Pages that only an operator sees, and pages linked from their emails, with the names of their URLs; ``rows`` creates
# their content.
OPERATORS: dict[str, str] = {
    "password reset, from its email": "password_reset_confirm",
    "email address, to be confirmed": "confirm_email",
    "emails, to be turned off": "unsubscribe",
    "webhook": "webhook",
    "room, its settings": "room-setup",
    "bot that crashed in a room": "room-seat-report",
    "workers' sandboxes": "worker-sandboxes",
    "test of a version": "version-test",
    "match with a person": "duel",
}
