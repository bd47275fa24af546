"""Nicknames in rooms: no player of a room can be taken for another.

A program does not expect its name to be refused: it may be started again, or have the name of somebody in another
class. So whoever joins a room and looks like one of its players gets a number behind the name, there alone. Names that
begin like those of the house are refused everywhere.

Invariant: names are given under the lock on the room; a constraint of the database on their skeletons guards it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from django.db.models import QuerySet

from arena.games.golden_point.rooms.models import BotSeat, LobbyEntry, Player, Room, RoomPlayer, SeatStatus
from arena.games.golden_point.rooms.rounds.built_in_players import NICKNAMES
from arena.games.golden_point.rooms.rules import NAME_LENGTH
from arena.platform.lookalikes import letters_of, looks_like_house, skeleton

_HOUSE = NICKNAMES.values()


@dataclass(frozen=True, slots=True)
class Name:
    """A name with its skeleton; ``is_fixed``: the owner of the room chose it."""

    text: str
    skeleton: str
    is_fixed: bool = False


def imitates_house(name: str) -> bool:
    """Whether readers may take the name for that of a house bot."""
    return looks_like_house(name) or letters_of(name) in map(letters_of, _HOUSE)


class NamesInUse:
    """The names that a locked room has given, those of people in its lobby, and those of bots that sit there and have
    not played yet."""

    def __init__(self, room: Room, *, but: Player | None = None) -> None:
        others, lobby = RoomPlayer.objects.filter(room=room), LobbyEntry.objects.filter(room=room)
        if but is not None:
            others, lobby = others.exclude(player=but), lobby.exclude(player=but)
        self._skeletons = set(others.values_list("skeleton", flat=True))
        rows = lobby.values_list("player", "nickname", "skeleton", "is_renamed")
        self._lobby = {player: Name(text, skeleton, fixed) for player, text, skeleton, fixed in rows}
        self._expected = dict(_expected(room)) | {name.skeleton: player for player, name in self._lobby.items()}

    def give(self, player: Player) -> Name:
        """The player's name in this room, which nobody else is given after it: that of the lobby, if there is one."""
        return self._lobby.get(player.pk) or self.unlike_others(player.nickname, player)

    def unlike_others(self, wanted: str, player: Player) -> Name:
        """``wanted``, with a number behind it where it looks like somebody else's name."""
        for number in count(1):
            suffix = f" {number}" if number > 1 else ""
            text = wanted[: NAME_LENGTH - len(suffix)].rstrip() + suffix
            name = Name(text, skeleton(text))
            if name.skeleton not in self._skeletons and self._expected.get(name.skeleton, player.pk) == player.pk:
                break
        self._skeletons.add(name.skeleton)
        return name


def rename(room: Room, player: Player) -> None:
    """Call a member of a locked room, or somebody in its lobby, by the player's present name, or one like it. A name
    that the owner of the room chose stays."""
    name = NamesInUse(room, but=player).give(player)
    for rows in members(room, player):
        rows.filter(is_renamed=False).update(nickname=name.text, skeleton=name.skeleton)


def rename_for_owner(room: Room, player: Player, wanted: str) -> str:
    """Call a member of a locked room, or somebody in its lobby, ``wanted`` from now on, or a name like it; the name."""
    name = NamesInUse(room, but=player).unlike_others(wanted, player)
    for rows in members(room, player):
        rows.update(nickname=name.text, skeleton=name.skeleton, is_renamed=True)
    return name.text


def members(room: Room, player: Player) -> tuple[QuerySet[RoomPlayer], QuerySet[LobbyEntry]]:
    """The player's row in the room and the one in its lobby: at most one of them is there."""
    return (
        RoomPlayer.objects.filter(room=room, player=player),
        LobbyEntry.objects.filter(room=room, player=player),
    )


def _expected(room: Room) -> list[tuple[str, int]]:
    """Skeleton and player of bots that will join with their first submission."""
    sitting = BotSeat.objects.filter(room=room).exclude(status=SeatStatus.ENDED)
    joining = sitting.exclude(player__in=RoomPlayer.objects.filter(room=room).values("player"))
    return [(skeleton(name), pk) for name, pk in joining.values_list("player__nickname", "player")]
