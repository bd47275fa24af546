"""Scrimmages: unrated matches that a person requests."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.accounts.models import User
from arena.classes.quotas import LimitedWork, limit_of, lock_person
from arena.games.base import SettingsError
from arena.games.localized_messages import translate_message
from arena.games.registry import GAMES
from arena.matches.models import Match, Purpose
from arena.matches.queries import count_unfinished_scrimmages
from arena.matches.services import MatchRequest, create_matches
from arena.platform.quota import HOUR, HourlyUse, limit_reached
from arena.platform.refusal import Refused
from arena.submissions.models import Bot

AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class Scrimmage:
    """A requested scrimmage, with the bots in seat order."""

    game: str
    bots: tuple[int, ...]
    settings: dict[str, object]
    move_seconds: float
    pace_seconds: float


def request_scrimmage(person: User, scrimmage: Scrimmage, *, now: datetime, rng: random.Random) -> int:
    """Create the match and return its id. Raises Refused."""
    game = GAMES[scrimmage.game]
    if not game.min_seats <= len(scrimmage.bots) <= game.max_seats:
        raise Refused(
            ngettext("Choose at least %(n)s bot.", "Choose at least %(n)s bots.", game.min_seats)
            % {"n": game.min_seats},
            code="too_few_bots",
        )
    try:
        chosen = game.settings_json(game.settings(scrimmage.settings))
    except SettingsError as error:
        raise Refused(translate_message(error.message), code=error.message.code) from error
    limits: dict[str, object] = {
        "move_seconds": scrimmage.move_seconds,
        "pace_seconds": scrimmage.pace_seconds,
        "match_seconds": settings.SCRIMMAGE_SECONDS,
    }
    request = MatchRequest(
        game=scrimmage.game,
        settings=chosen,
        limits=limits,
        seed=rng.getrandbits(48),
        purpose=Purpose.SCRIMMAGE,
        submissions=_active_submissions(scrimmage),
        requested_by=person.pk,
    )
    with transaction.atomic():
        _check_quota(lock_person(person.pk), now)
        return create_matches([request])[0]


def hourly_use_of(person: User, *, now: datetime) -> HourlyUse | None:
    """Return how much of the hourly limit has been used; None if there is no limit. Runs two queries."""
    limit = limit_of(person, LimitedWork.SCRIMMAGES)
    if limit is None:
        return None
    rows = Match.objects.filter(requested_by=person, purpose=Purpose.SCRIMMAGE, created_at__gt=now - HOUR)
    newest_first = rows.order_by("-created_at").values_list("created_at", flat=True)
    return HourlyUse.from_times(list(newest_first[:limit]), limit, now=now)


def _check_quota(person: User, now: datetime) -> None:
    use = hourly_use_of(person, now=now)
    if use is None:
        return
    if count_unfinished_scrimmages(person.pk) >= AT_ONCE:
        raise limit_reached(_("%(n)s of your scrimmages are still running. Wait for one to finish.") % {"n": AT_ONCE})
    text = _("You have reached the hourly scrimmage limit (%(n)s).")
    use.check(text, now=now)


def _active_submissions(scrimmage: Scrimmage) -> tuple[int, ...]:
    """Return the ids of the active submissions of a scrimmage's bots, in the same order. Raises Refused."""
    active = dict(
        Bot.objects.filter(pk__in=scrimmage.bots, game=scrimmage.game, retired=False)
        .exclude(active=None)
        .values_list("pk", "active_id")
    )
    missing = [bot for bot in scrimmage.bots if bot not in active]
    if missing:
        raise Refused(
            _("One of these bots has no version that passed its check for this game. Choose another."),
            code="no_version",
        )
    return tuple(active[bot] for bot in scrimmage.bots)
