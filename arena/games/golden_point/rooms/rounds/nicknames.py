"""Nicknames in rooms: no two players of a room have names that look alike.

Programs do not expect their names to be refused, for example after a restart, or if a person in another class has the
same name. So if a newcomer's name looks like an existing player's, a number is appended to it, in that room only. Names
that resemble the built-in players' names are refused everywhere.

Invariant: names are assigned under the lock on the room; a database constraint on their skeletons enforces uniqueness.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import count

from django.db.models import QuerySet

from arena.games.golden_point.rooms.models import BotSeat, LobbyEntry, Player, Room, RoomPlayer, SeatStatus
from arena.games.golden_point.rooms.rules import NAME_LENGTH
from arena.games.golden_point.rooms.texts import translated_nicknames
from arena.platform.lookalikes import has_reserved_prefix, letters_of, skeleton


@dataclass(frozen=True, slots=True)
class Nickname:
    """A name and its skeleton. ``is_fixed``: whether the owner of the room chose it."""

    text: str
    skeleton: str
    is_fixed: bool = False


def imitates_reserved_name(name: str) -> bool:
    """Return whether the name could be mistaken for a built-in player's name."""
    return has_reserved_prefix(name) or letters_of(name) in _normalized_built_in_names()


@cache
def _normalized_built_in_names() -> frozenset[str]:
    """Return the built-in players' names in every language, letters only."""
    found = translated_nicknames()
    return frozenset(letters_of(name) for english, others in found.items() for name in (english, *others.values()))


class NamesInUse:
    """The names in use in a locked room.

    These are the names of players, of people in the lobby, and of seated bots that have not played yet.
    """

    def __init__(self, room: Room, *, but: Player | None = None) -> None:
        others, lobby = RoomPlayer.objects.filter(room=room), LobbyEntry.objects.filter(room=room)
        if but is not None:
            others, lobby = others.exclude(player=but), lobby.exclude(player=but)
        self._skeletons = set(others.values_list("skeleton", flat=True))
        rows = lobby.values_list("player", "nickname", "skeleton", "is_renamed")
        self._lobby = {player: Nickname(text, skeleton, fixed) for player, text, skeleton, fixed in rows}
        self._expected = dict(_names_of_expected_bots(room)) | {
            name.skeleton: player for player, name in self._lobby.items()
        }

    def assign_name(self, player: Player) -> Nickname:
        """Assign the player's unique name in this room: their lobby name, or a new one if they are not in the lobby."""
        return self._lobby.get(player.pk) or self.make_unique(player.nickname, player)

    def make_unique(self, wanted: str, player: Player) -> Nickname:
        """Return ``wanted``, with a number appended if it looks like another player's name."""
        for number in count(1):
            suffix = f" {number}" if number > 1 else ""
            text = wanted[: NAME_LENGTH - len(suffix)].rstrip() + suffix
            name = Nickname(text, skeleton(text))
            if name.skeleton not in self._skeletons and self._expected.get(name.skeleton, player.pk) == player.pk:
                break
        self._skeletons.add(name.skeleton)
        return name


def rename(room: Room, player: Player) -> None:
    """Rename a member of a locked room or of its lobby to the player's current name, or a similar one if it is taken.

    A name that the owner of the room chose is kept.
    """
    name = NamesInUse(room, but=player).assign_name(player)
    for rows in member_rows(room, player):
        rows.filter(is_renamed=False).update(nickname=name.text, skeleton=name.skeleton)


def rename_for_owner(room: Room, player: Player, wanted: str) -> str:
    """Rename a member of a locked room or of its lobby to ``wanted`` or a similar free name; return the new name."""
    name = NamesInUse(room, but=player).make_unique(wanted, player)
    for rows in member_rows(room, player):
        rows.update(nickname=name.text, skeleton=name.skeleton, is_renamed=True)
    return name.text


def member_rows(room: Room, player: Player) -> tuple[QuerySet[RoomPlayer], QuerySet[LobbyEntry]]:
    """Return the player's row in the room and their row in its lobby; at most one of the two exists."""
    return (
        RoomPlayer.objects.filter(room=room, player=player),
        LobbyEntry.objects.filter(room=room, player=player),
    )


def _names_of_expected_bots(room: Room) -> list[tuple[str, int]]:
    """Return the name's skeleton and the player's id for each bot that will join with its first pick."""
    sitting = BotSeat.objects.filter(room=room).exclude(status=SeatStatus.ENDED)
    joining = sitting.exclude(player__in=RoomPlayer.objects.filter(room=room).values("player"))
    return [(skeleton(name), pk) for name, pk in joining.values_list("player__nickname", "player")]
