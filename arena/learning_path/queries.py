"""Read-only queries: a game's path for a reader, and the rungs that a person has reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.games.sites import SITES
from arena.learning_path.models import ReachedRung
from arena.learning_path.rungs import PASSED_CHECK, boss_names, extra_opponent_names, rung_codes
from arena.matches.models import Match
from arena.matches.visibility import visible
from arena.submissions.bot_texts import shown_description
from arena.submissions.models import Bot
from arena.ui.localized import localized_name


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of a game's learning path.

    ``boss_id`` is None and ``boss`` is "" for the first rung, and if the site lacks the boss. ``match_id``: the match
    in which the rung was reached, if the reader may see it.
    """

    code: str
    number: int
    boss_id: int | None = None
    boss: str = ""
    about: str = ""  # how the boss plays
    can_play: bool = False
    reached_at: datetime | None = None
    match_id: int | None = None
    is_next: bool = False

    @property
    def is_first(self) -> bool:
        return self.code == PASSED_CHECK


@dataclass(frozen=True, slots=True)
class GamePath:
    """The path of a game for one person.

    ``bots``: the person's bots that can play, as (id, name), newest first. ``extra_opponents``: the house bots that
    take part in a challenge besides the boss, as (id, name), except those that cannot play.
    """

    game: str
    rungs: Sequence[Rung]
    bots: Sequence[tuple[int, str]] = ()
    extra_opponents: Sequence[tuple[int, str]] = ()

    @property
    def reached_count(self) -> int:
        return sum(rung.reached_at is not None for rung in self.rungs)

    @property
    def next_rung(self) -> Rung | None:
        return next((rung for rung in self.rungs if rung.is_next), None)


def game_paths(person: Person) -> list[GamePath]:
    """Return the path of every game that has a path. Runs a constant number of queries."""
    reached = _reached_rungs(ReachedRung.objects.filter(person=person.pk), person)
    house = _house_bots()
    own: dict[str, list[tuple[int, str]]] = {}
    if isinstance(person, User):
        rows = Bot.objects.filter(owner=person, retired=False, active__isnull=False).order_by("-active_id")
        for game, pk, name in rows.values_list("game", "pk", "name"):
            own.setdefault(game, []).append((pk, name))
    games = [game for game in SITES if rung_codes(game)]
    return [
        GamePath(game, _rungs_of_game(game, house, reached), own.get(game, ()), _extra_opponents(game, house))
        for game in games
    ]


def game_path(game: str, person: Person) -> GamePath | None:
    return next((path for path in game_paths(person) if path.game == game), None)


def reached_paths(username: str, reader: Person) -> list[GamePath]:
    """Return the paths on which this user has reached at least one rung, for their profile."""
    reached = _reached_rungs(ReachedRung.objects.filter(person__username__iexact=username), reader)
    if not reached:
        return []
    house = _house_bots()
    games = {game for game, _ in reached}
    return [
        GamePath(game, _rungs_of_game(game, house, reached)) for game in SITES if game in games and rung_codes(game)
    ]


def _reached_rungs(reached: QuerySet[ReachedRung], reader: Person) -> dict[tuple[str, str], ReachedRung]:
    """Return the reached rungs by game and code; a rung omits its match if the reader may not see the match.

    Runs one query, and a second one if any rung has been reached.
    """
    rows = {(row.game, row.rung): row for row in reached}
    if not rows:
        return rows
    matches = Match.objects.filter(visible(reader), pk__in={row.match_id for row in rows.values() if row.match_id})
    seen = set(matches.values_list("pk", flat=True))
    for row in rows.values():
        row.match_id = row.match_id if row.match_id in seen else None
    return rows


def _house_bots() -> dict[tuple[str, str], Bot]:
    """Return the bosses and extra opponents that exist on the site, by game and name. Runs one query."""
    names = {name for game in SITES for name in (*boss_names(game), *extra_opponent_names(game))}
    return {(bot.game, bot.name): bot for bot in Bot.objects.filter(is_house=True, name__in=names)}


def _extra_opponents(game: str, house: dict[tuple[str, str], Bot]) -> Sequence[tuple[int, str]]:
    seated = [house.get((game, name)) for name in extra_opponent_names(game)]
    return [(bot.pk, localized_name(bot)) for bot in seated if bot is not None and _can_play(bot)]


def _can_play(bot: Bot) -> bool:
    return bot.active_id is not None and not bot.retired


def _rungs_of_game(
    game: str, house: dict[tuple[str, str], Bot], reached: dict[tuple[str, str], ReachedRung]
) -> Sequence[Rung]:
    bosses = {code: house.get((game, name)) for name, code in boss_names(game).items()}
    found: list[Rung] = []
    awaits_next = True
    for number, code in enumerate(rung_codes(game), start=1):
        boss, done = bosses.get(code), reached.get((game, code))
        found.append(
            Rung(
                code=code,
                number=number,
                boss_id=boss.pk if boss else None,
                boss=localized_name(boss) if boss else "",
                about=shown_description(boss) if boss else "",
                can_play=boss is not None and _can_play(boss),
                reached_at=done.at if done else None,
                match_id=done.match_id if done else None,
                is_next=awaits_next and done is None,
            )
        )
        awaits_next = awaits_next and done is not None
    return found
