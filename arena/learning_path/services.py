"""Challenge a boss: request a scrimmage with the default settings of the scrimmage form."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.games.sites import SITES
from arena.learning_path.queries import game_path
from arena.matches.match_limits import default_move_seconds
from arena.matches.scrimmages import Scrimmage, request_scrimmage
from arena.platform.refusal import NotFound, Refused

_MOVE_SECONDS: Final = 10.0
_PACE_SECONDS: Final = 0.15  # fast, because the author is watching


def challenge(person: User, game: str, code: str, bot_id: int, *, now: datetime, rng: random.Random) -> int:
    """Request a match between the person's bot and the boss; return the match's id.

    The game's extra opponents also play, except for bots that cannot play; seats are drawn at random. Raises NotFound
    if the game has no such boss or the bot is not one of the person's bots that can play, and Refused if the boss
    cannot play or the scrimmage is refused.
    """
    path = game_path(game, person)
    rung = next((rung for rung in path.rungs if rung.code == code and not rung.is_first), None) if path else None
    if path is None or rung is None or bot_id not in dict(path.bots):
        raise NotFound
    if rung.boss_id is None or not rung.can_play:
        raise Refused(_("This opponent cannot play at the moment. Choose another one."), code="opponent_unavailable")
    bots = [bot_id, rung.boss_id, *(pk for pk, _name in path.extra_opponents)]
    rng.shuffle(bots)
    scrimmage = Scrimmage(
        game, tuple(bots), dict(SITES[game].scrimmage), default_move_seconds(game, _MOVE_SECONDS), _PACE_SECONDS
    )
    return request_scrimmage(person, scrimmage, now=now, rng=rng)
