"""House bots' names in other languages, for a room's messages, which reach readers in every language."""

from __future__ import annotations

from django.db.models import Q

from arena.games.golden_point.rooms.models import RoomPlayer
from arena.games.golden_point.rooms.texts import NICKNAMES, translated_nicknames
from arena.ui.localized import names_by_language

_OF_BUILT_IN_PLAYERS = ~Q(strategy="")
_OF_HOUSE_BOTS = Q(player__bot_seats__submission__bot__is_house=True)


def translated_players(number: int) -> dict[str, dict[str, str]]:
    """Return the names of this room's house bots, keyed by their nickname in the room, then by language."""
    rows = RoomPlayer.objects.filter(_OF_BUILT_IN_PLAYERS | _OF_HOUSE_BOTS, room__number=number).order_by("index")
    columns = ("strategy", "nickname", "player__nickname", "player__bot_seats__submission__bot__texts")
    found: dict[str, dict[str, str]] = {}
    for strategy, nickname, name, texts in rows.values_list(*columns):
        suffix = nickname.removeprefix(name) if nickname.startswith(name) else ""
        translated = translated_nicknames()[NICKNAMES[strategy]] if strategy else names_by_language(texts)
        found[nickname] = {language: text + suffix for language, text in translated.items()}
    return found
