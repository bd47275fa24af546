"""Create content on the site whose pages are measured.

The content: a match of each game, a finished and an open tournament, and the house bots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, TypeAlias, cast

from arena.games.registry import GAMES
from bench import fixtures, site
from tests.browser.page_types import EVERYBODYS, FIRST_VISITS

if TYPE_CHECKING:
    from arena.matches.services import MatchRequest
    from arena.submissions.models import Bot
    from tests.browser.content import Content

# Plays matches; returns their ids.
Play: TypeAlias = "Callable[[Sequence[MatchRequest]], list[int]]"

ENTRIES = 4


def pages(play: Play) -> dict[str, str]:
    """Create content on the site that Django's settings describe; return paths of pages on which a visit can begin.

    There is one path for each type of page, keyed by the name of the type.
    """
    content = _create_content(play)
    return {name: EVERYBODYS[name].address(content) for name in FIRST_VISITS}


def play_with_worker(requests: Sequence[MatchRequest], folder: Path, broker_url: str) -> list[int]:
    """Play matches with a worker of the site in ``folder``; return their ids."""
    from arena.matches.services import create_matches

    with site.running_worker(folder, broker_url, "worker-scrimmages", 1):
        ids = create_matches(requests)
        site.wait_until_finished(ids, 0.05)
    return ids


def _create_content(play: Play) -> Content:
    from django.urls import reverse

    bots = {game: [_create_bot(game) for _ in range(min(2, rules.max_seats))] for game, rules in GAMES.items()}
    matches = dict(zip(bots, play(_match_requests(bots)), strict=True))
    over, waiting = _create_tournaments()
    _install_house_bots()
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


def _install_house_bots() -> None:
    """Upload the house bots, and record that their checks have passed."""
    from django.utils import timezone

    from arena.submissions.house import install_house_bots
    from arena.submissions.models import Submission, SubmissionStatus

    for submission in Submission.objects.select_related("bot").filter(pk__in=install_house_bots(now=timezone.now())):
        submission.status = SubmissionStatus.PASSED
        submission.save()
        submission.bot.active = submission
        submission.bot.save()


def _match_requests(bots: dict[str, list[Bot]]) -> list[MatchRequest]:
    from arena.matches.models import Purpose
    from arena.matches.services import MatchRequest

    return [
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
