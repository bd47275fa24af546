"""Create content on the site whose pages are measured: matches of all games, and a finished and an open tournament."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from arena.games.registry import GAMES
from bench import fixtures, site
from tests.browser.page_types import EVERYBODYS, FIRST_VISITS

if TYPE_CHECKING:
    from arena.submissions.models import Bot
    from tests.browser.content import Content

ENTRIES = 4


def pages(folder: Path, broker_url: str) -> dict[str, str]:
    """Create content on the site that Django's settings describe; return paths of pages on which a visit can begin.

    There is one path for each type of page, keyed by the name of the type.
    """
    content = _create_content(folder, broker_url)
    return {name: EVERYBODYS[name].address(content) for name in FIRST_VISITS}


def _create_content(folder: Path, broker_url: str) -> Content:
    from django.urls import reverse

    bots = {game: [_create_bot(game) for _ in range(min(2, rules.max_seats))] for game, rules in GAMES.items()}
    matches = _play_matches(bots, folder, broker_url)
    over, waiting = _create_tournaments()
    content = SimpleNamespace(
        own_bot=reverse("bot", args=[next(iter(bots.values()))[0].pk]),
        over_match={game: reverse("match", args=[match]) for game, match in matches.items()},
        over=dict.fromkeys(GAMES, over),
        open_tournament=waiting,
    )
    return cast("Content", content)


def _create_bot(game: str) -> Bot:
    """Create a playable bot from the game's starter."""
    from arena.core.sandbox.uploads.package import read_package
    from arena.submissions import store
    from tests import factories

    source = fixtures.ROOT / "bots" / game / "starter.py"
    package = read_package(source.read_bytes(), "main.py")
    store.store_package(package)
    bot = factories.bot(game=game)
    assert bot.active is not None
    bot.active.sha256 = package.sha256
    bot.active.save()
    return bot


def _play_matches(bots: dict[str, list[Bot]], folder: Path, broker_url: str) -> dict[str, int]:
    from arena.matches.models import Purpose
    from arena.matches.services import MatchRequest, create_matches

    requests = [
        MatchRequest(
            game,
            GAMES[game].settings_json(GAMES[game].settings({})),
            {},
            1,
            Purpose.SCRIMMAGE,
            tuple(bot.active_id or 0 for bot in seated),
        )
        for game, seated in bots.items()
    ]
    with site.running_worker(folder, broker_url, "worker-scrimmages", 1):
        ids = create_matches(requests)
        site.wait_until_finished(ids, 0.05)
    return dict(zip(bots, ids, strict=True))


def _create_tournaments() -> tuple[str, str]:
    """Create a finished tournament and an open one; return the paths of their pages."""
    from django.urls import reverse

    from arena.matches.models import MatchStatus
    from arena.platform.live.testing import MemoryBroker
    from tests.tournaments.harness import TournamentHarness

    stage = TournamentHarness(MemoryBroker(), lambda **_: nullcontext())
    over = stage.start_tournament(ENTRIES)
    while queued := stage.matches(over, MatchStatus.QUEUED):
        for match in queued:
            stage.finish_match(match, [1, 2])
        stage.tick()
    waiting = stage.create_tournament()
    stage.enter_bots(waiting, ENTRIES)
    return reverse("tournament", args=[over.pk]), reverse("tournament", args=[waiting.pk])
