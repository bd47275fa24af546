"""Nicknames in rooms: no player of a room can be taken for another.

A program does not expect its name to be refused: it may be started again, or have the name of somebody in another
class. So whoever joins a room and looks like one of its players gets a number behind the name, there alone. Names that
begin like those of the house are refused everywhere.

Invariant: names are given under the lock on the room; a constraint of the database on their skeletons guards it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from arena.games.golden_point.rooms.models import BotSeat, Player, Room, RoomPlayer, SeatStatus
from arena.games.golden_point.rooms.rounds.built_in_players import NICKNAMES
from arena.games.golden_point.rooms.rules import NAME_LENGTH
from arena.platform.lookalikes import letters_of, looks_like_house, skeleton

_HOUSE = NICKNAMES.values()


@dataclass(frozen=True, slots=True)
class Name:
    """A name with its skeleton."""

    text: str
    skeleton: str


def imitates_house(name: str) -> bool:
    """Whether readers may take the name for that of a house bot."""
    return looks_like_house(name) or letters_of(name) in map(letters_of, _HOUSE)


class NamesInUse:
    """The names that a locked room has given, and those of bots that sit there and have not played yet."""

    def __init__(self, room: Room, *, but: Player | None = None) -> None:
        others = RoomPlayer.objects.filter(room=room)
        if but is not None:
            others = others.exclude(player=but)
        self._skeletons = set(others.values_list("skeleton", flat=True))
        self._expected = dict(_expected(room))

    def give(self, player: Player) -> Name:
        """The player's name in this room, which nobody else is given after it."""
        for number in count(1):
            suffix = f" {number}" if number > 1 else ""
            text = player.nickname[: NAME_LENGTH - len(suffix)].rstrip() + suffix
            name = Name(text, skeleton(text))
            if name.skeleton not in self._skeletons and self._expected.get(name.skeleton, player.pk) == player.pk:
                break
        self._skeletons.add(name.skeleton)
        return name


def rename(room: Room, player: Player) -> None:
    """Call a member of a locked room by the player's present name, or one like it."""
    name = NamesInUse(room, but=player).give(player)
    members = RoomPlayer.objects.filter(room=room, player=player)
    members.update(nickname=name.text, skeleton=name.skeleton)


def _expected(room: Room) -> list[tuple[str, int]]:
    """Skeleton and player of bots that will join with their first submission."""
    sitting = BotSeat.objects.filter(room=room).exclude(status=SeatStatus.ENDED)
    joining = sitting.exclude(player__in=RoomPlayer.objects.filter(room=room).values("player"))
    return [(skeleton(name), pk) for name, pk in joining.values_list("player__nickname", "player")]
