"""Games and their leaderboards."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Field, Query, Router

from arena.api.operations import get
from arena.api.paging import Paging, page_of_list
from arena.api.schemas import bots as shapes
from arena.api.schemas import matches
from arena.games.registry import GAMES, is_rated
from arena.games.sites import SITES
from arena.ratings import queries

router = Router(tags=["Leaderboards"])
GameName = Annotated[str, Field(max_length=32)]


@get(router, "/games", response=shapes.GameList)
def list_games(request: HttpRequest) -> dict[str, Any]:
    """List the games."""
    return {
        "items": [
            {
                "id": name,
                "name": str(SITES[name].name),
                "is_rated": is_rated(name),
                "min_seats": game.min_seats,
                "max_seats": game.max_seats,
                "trial_settings": dict(game.trial.settings),
            }
            for name, game in GAMES.items()
        ]
    }


@get(router, "/leaderboards/{game}", response=matches.LeaderboardPage)
def get_leaderboard(request: HttpRequest, game: GameName, paging: Query[Paging]) -> dict[str, Any]:
    """Get the leaderboard of a game, best first."""
    if game not in GAMES:
        raise Http404
    page = page_of_list(queries.leaderboard(game), paging)
    return {"items": page.items, "next": page.next}
