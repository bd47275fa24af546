"""The rating section of a bot's page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from arena.accounts.permissions import Person
from arena.games.registry import has_tables
from arena.ratings.history import HistoryPoint, history_json, rating_history
from arena.ratings.ladder_pool import LadderStatus, entrants_of, max_bots_per_author
from arena.ratings.queries import LeaderboardRow, row_of_bot
from arena.submissions.models import Bot

_NEWEST: Final = 100  # maximum number of points in the table; the chart shows all of them


@dataclass(frozen=True, slots=True)
class BotRating:
    """The rating of a bot.

    ``row`` is None if the bot is not on the leaderboard; ``newest``: the latest points of its rating history, newest
    first.
    """

    game: str
    row: LeaderboardRow | None
    bots: int
    membership: LadderStatus | None  # None if the bot cannot play on the ladder
    max_bots: int
    is_own: bool
    plays: bool
    points: list[dict[str, Any]]
    newest: list[HistoryPoint]
    has_tables: bool


def rating_of_bot(bot_id: int, reader: Person) -> BotRating | None:
    """Return the bot's rating from public matches; None for an unrated bot that cannot play. Runs five queries."""
    bot = Bot.objects.filter(pk=bot_id).values_list("game", "retired", "active_id", "owner_id").first()
    if bot is None:
        return None
    game, retired, active, owner = bot
    points = rating_history(bot_id)
    plays = active is not None and not retired
    if not points and not plays:
        return None
    row, bots = row_of_bot(bot_id, game)
    return BotRating(
        game=game,
        row=row,
        bots=bots,
        membership=next((one.membership for one in entrants_of(owner, game) if one.bot == bot_id), None),
        max_bots=max_bots_per_author(),
        is_own=reader.pk == owner,
        plays=plays,
        points=history_json(points),
        newest=points[::-1][:_NEWEST],
        has_tables=has_tables(game),
    )
