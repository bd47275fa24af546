"""The opponents available to a draft or in a scrimmage, with data for choosing between them."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Case, When
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.platform.refusal import Refused
from arena.ratings.queries import ratings_of
from arena.submissions.bot_texts import shown_description
from arena.submissions.house import house_drafts
from arena.submissions.models import Bot
from arena.ui.localized import localized_name, translated_names

MAX_OPPONENTS_OFFERED: Final = 300
# In a game with many seats, more opponents would be slow to play and to watch.
MAX_OPPONENTS_PER_RUN: Final = 8


@dataclass(frozen=True, slots=True)
class StudioOpponent:
    """A bot that can play now.

    ``level``: level of a graded house bot, counted from 1; ``rating``: its rating, if it has one. ``rung``: position of
    a house bot on the game's learning path, easiest first, if it is on the path.
    """

    id: int
    name: str
    owner: str
    description: str
    is_house: bool
    level: int | None
    rating: float | None
    rung: int | None = None


def max_opponents(game: str) -> int:
    """Return the maximum number of opponents in a run of this game."""
    return min(GAMES[game].max_seats - 1, MAX_OPPONENTS_PER_RUN)


def offered_opponents(game: str, chosen: Collection[int] = ()) -> list[StudioOpponent]:
    """Return the opponents: house bots first, easiest first. Runs a constant number of queries.

    ``chosen``: bots that are offered even if there are too many to offer all.
    """
    rows = Bot.objects.filter(game=game, retired=False).exclude(active=None).select_related("owner")
    chosen_first = Case(When(pk__in=chosen, then=0), default=1)
    found = list(rows.order_by(chosen_first, "-is_house", "level", "name", "pk")[:MAX_OPPONENTS_OFFERED])
    ratings = ratings_of([bot.pk for bot in found])
    rungs = {house_drafts(game)[boss].name: rung for rung, boss in enumerate(SITES[game].bosses)}
    lines = [
        StudioOpponent(
            id=bot.pk,
            name=localized_name(bot),
            owner="" if bot.is_house else bot.owner.username,
            description=shown_description(bot),
            is_house=bot.is_house,
            level=bot.level,
            rating=ratings.get(bot.pk),
            rung=rungs.get(bot.name) if bot.is_house else None,
        )
        for bot in found
    ]
    return sorted(lines, key=lambda one: (*_difficulty(one), one.name.casefold(), one.id))


def first_choice(game: str, remembered: Sequence[int], lines: Sequence[StudioOpponent]) -> list[int]:
    """Return the initial choice of opponents.

    These are the ``remembered`` opponents of the last run that are still in ``lines``; if there are none, as many of
    the easiest house bots as there are opponents in an upload check.
    """
    known = {one.id for one in lines}
    chosen = [pk for pk in remembered if pk in known][: max_opponents(game)]
    if chosen:
        return chosen
    easiest = sorted(lines, key=lambda one: (*_difficulty(one), one.rating or math.inf))
    return [one.id for one in easiest][: max(GAMES[game].trial.seats, GAMES[game].min_seats) - 1]


def _difficulty(one: StudioOpponent) -> tuple[float, ...]:
    """Return a sort key: house bots first, as they follow each other on the learning path or in the levels."""
    rung = math.inf if one.rung is None else one.rung
    return (not one.is_house, rung, one.level or math.inf)


def opponents_json(game: str, bot_ids: Collection[int]) -> list[dict[str, object]]:
    """Return the data that a run stores about each chosen opponent, including the submission. Raises Refused."""
    rules = GAMES[game]
    least, most = rules.min_seats - 1, max_opponents(game)
    if len(bot_ids) < least:
        text = ngettext("Choose at least %(n)s opponent.", "Choose at least %(n)s opponents.", least)
        raise Refused(text % {"n": least}, code="too_few_opponents")
    if len(bot_ids) > most:
        text = ngettext("Choose at most %(n)s opponent.", "Choose at most %(n)s opponents.", most)
        raise Refused(text % {"n": most}, code="too_many_opponents")
    rows = Bot.objects.filter(pk__in=bot_ids, game=game, retired=False).exclude(active=None)
    found = {bot.pk: bot for bot in rows.select_related("owner", "active")}
    if len(found) != len(set(bot_ids)):
        raise Refused(
            _("One of these opponents can no longer play. Reload the page and choose another."),
            code="opponent_unavailable",
        )
    return [
        {
            "submission": bot.active.pk,
            "sha256": bot.active.sha256,
            "name": bot.name,
            "names": translated_names(bot),
            "owner": bot.owner.username,
            "url": reverse("bot", args=[bot.pk]),
            "version": bot.active.number,
        }
        for bot in (found[pk] for pk in dict.fromkeys(bot_ids))
        if bot.active is not None
    ]
