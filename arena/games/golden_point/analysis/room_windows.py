"""Windows over a room's rounds: by default the newest rounds, with links to older and newer ones.

Invariant: however many players a room has, a window has at most ``MAX_SEAT_ROUNDS`` (players times rounds) but at
least one round, so that a page can analyse it while its reader waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.rooms.queries.rooms import RoomRoundRow, player_names, round_history
from arena.games.golden_point.rules import Numbers

SIZES: Final = (20, 50, 100)
MAX_SEAT_ROUNDS: Final = 10_000


@dataclass(frozen=True, slots=True)
class WindowRequest:
    """A request for a number of rounds: those before or after the round with this id or, without an id, the newest."""

    rounds: int = SIZES[-1]
    before: UUID | None = None
    after: UUID | None = None


@dataclass(frozen=True, slots=True)
class RoomWindow:
    """A window on a room: rounds ``first`` to ``last``; both are 0 if the room has no closed rounds.

    ``match``: these rounds in the form of a match. ``older``: id of the first round if there may be rounds before it,
    otherwise None. ``newer``: id of the last round if there may be rounds after it, otherwise None. ``key``: unique to
    these rounds.
    """

    match: GoldenMatch
    first: int
    last: int
    rounds: int
    older: UUID | None
    newer: UUID | None
    key: str


def room_window(number: int, wanted: WindowRequest) -> RoomWindow:
    """Return the requested window, or the newest one if the round in the request has been deleted."""
    played, is_newest = _rounds(number, wanted)
    played = _limit_rounds(played, from_start=wanted.after is not None)
    return RoomWindow(
        match=_match(played),
        first=played[0].index if played else 0,
        last=played[-1].index if played else 0,
        rounds=wanted.rounds,
        older=played[0].guid if played and played[0].index > 1 else None,
        newer=played[-1].guid if played and not is_newest else None,
        key=f"{played[0].guid}-{played[-1].guid}" if played else "",
    )


def _rounds(number: int, wanted: WindowRequest) -> tuple[list[RoomRoundRow], bool]:
    """Return the requested rounds, oldest first, and whether they include the newest one."""
    if wanted.after is not None:
        found = round_history(number, wanted.after, wanted.rounds + 1, newer=True)
        if found:
            return found[: wanted.rounds], len(found) <= wanted.rounds
    if wanted.before is not None:
        found = round_history(number, wanted.before, wanted.rounds, newer=False)
        if found:
            return found[::-1], False
    return (round_history(number, None, wanted.rounds, newer=False) or [])[::-1], True


def _limit_rounds(played: list[RoomRoundRow], *, from_start: bool) -> list[RoomRoundRow]:
    """Keep as many rounds as one report can cover: the first ones if ``from_start``, otherwise the last ones."""
    players = len({each.public_id for one in played for each in one.numbers})
    most = max(MAX_SEAT_ROUNDS // max(players, 1), 1)
    return played[:most] if from_start else played[-most:]


def _match(played: list[RoomRoundRow]) -> GoldenMatch:
    """Return the rounds in the form of a match, with the players in the order in which they first played."""
    seats: dict[UUID, int] = {}
    for one in played:
        for each in one.numbers:
            seats.setdefault(each.public_id, len(seats))
    names = player_names(played)
    rounds = []
    for one in played:
        named: list[Numbers | None] = [None] * len(seats)
        for each in one.numbers:
            named[seats[each.public_id]] = (each.number1, each.number2) if each.number2 else (each.number1,)
        rounds.append((one.index, named))
    return GoldenMatch.from_rounds([names.get(uid, "") for uid in seats], rounds)
