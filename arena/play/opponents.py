"""Games that people can play, and their opponents: house bots, and students' bots whose authors allow it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.db.models import Q, QuerySet

from arena.accounts.permissions import Person
from arena.games.bot_packages import bots_folder
from arena.games.site import HumanPlay
from arena.games.sites import SITES
from arena.submissions.bot_texts import shown_description
from arena.submissions.models import Bot
from arena.submissions.queries import BotRow
from arena.ui.localized import localized_name

MAX_STUDENT_BOTS: Final = 500


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot that can play now; ``level``: the level of a house bot, counting from 1; None for bots without one."""

    id: int
    submission: int
    name: str
    owner: str
    description: str
    level: int | None
    is_house: bool


@dataclass(frozen=True, slots=True)
class Opponents:
    """The available opponents.

    ``levels``, the main choice: graded house bots, or all house bots in a game without levels.
    """

    levels: tuple[Opponent, ...]
    house: tuple[Opponent, ...]
    students: tuple[Opponent, ...]


def games_for_people() -> list[str]:
    """Return the games that people play move by move."""
    return [name for name, site in SITES.items() if site.people]


def games_played_elsewhere() -> dict[str, str]:
    """Map each game that has its own page for human players to the URL name of that page."""
    return {name: site.played_at for name, site in SITES.items() if site.played_at}


def people_settings(game: str) -> HumanPlay | None:
    """Return how people play a game; None if they cannot, or if the site does not have the game."""
    return SITES[game].people if game in SITES else None


def has_levels(game: str) -> bool:
    """Return whether a game has graded house bots, even before they have passed their upload checks."""
    return (bots_folder(game) / "house" / "levels").is_dir()


def game_of_opponent(bot_id: str) -> str:
    """Return the game of the bot with this id, which was read from a URL.

    Return "" if the bot does not exist, or if people cannot play its game.
    """
    if not (bot_id.isascii() and bot_id.isdigit() and len(bot_id) < 19):
        return ""
    found = Bot.objects.filter(pk=bot_id).values_list("game", flat=True).first()
    return found if found and people_settings(found) else ""


def opponents(game: str, *, for_guest: bool) -> Opponents:
    """Return the opponents available to the visitor; guests get no students' bots. Runs one query."""
    rows = _available_bots(game, for_guest=for_guest).select_related("owner")
    found = [_opponent(bot) for bot in rows.order_by("level", "name", "pk")[: MAX_STUDENT_BOTS + 100]]
    house = tuple(one for one in found if one.is_house)
    first = tuple(one for one in house if one.level is not None) if has_levels(game) else house
    return Opponents(
        levels=first,
        house=tuple(one for one in house if one not in first),
        students=tuple(one for one in found if not one.is_house),
    )


def opponents_by_id(game: str, bot_ids: Collection[int], *, for_guest: bool) -> dict[int, Opponent]:
    """Return, by id, the bots among ``bot_ids`` that people can play against. Runs one query."""
    rows = _available_bots(game, for_guest=for_guest).select_related("owner").filter(pk__in=bot_ids)
    return {bot.pk: _opponent(bot) for bot in rows}


def challengeable_bot(bot: BotRow, reader: Person) -> int | None:
    """Return the bot's id if people may play against it, otherwise None. ``reader`` is ignored. Runs no query."""
    is_ready = bot.active_number is not None and not bot.retired
    people = people_settings(bot.game)
    has_opponents = people is not None and max(people.player_counts) > 1
    return bot.id if is_ready and has_opponents and (bot.is_house or bot.plays_people) else None


def _available_bots(game: str, *, for_guest: bool) -> QuerySet[Bot]:
    rows = Bot.objects.filter(game=game, retired=False).exclude(active=None)
    return rows.filter(is_house=True) if for_guest else rows.filter(Q(is_house=True) | Q(plays_people=True))


def _opponent(bot: Bot) -> Opponent:
    return Opponent(
        id=bot.pk,
        submission=bot.active_id or 0,
        name=localized_name(bot),
        owner=bot.owner.username,
        description=shown_description(bot),
        level=bot.level,
        is_house=bot.is_house,
    )
