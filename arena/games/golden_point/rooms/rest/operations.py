"""The eleven operations, each a function from parameters to a response body.

They raise Refused for caller errors, which the endpoint turns into a 400.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.identity import GuidPurpose, default_name, new_guid, read_guid
from arena.games.golden_point.rooms.polling.expiring_cache import ExpiringCache
from arena.games.golden_point.rooms.polling.room_cache import JobRunner, RoomCache
from arena.games.golden_point.rooms.polling.snapshots import RoomSnapshot
from arena.games.golden_point.rooms.polling.throttle import MemoryThrottle
from arena.games.golden_point.rooms.queries import rooms
from arena.games.golden_point.rooms.rest import bodies
from arena.games.golden_point.rooms.rest.bodies import Body
from arena.games.golden_point.rooms.rest.catalogue import MAX_HISTORY_ROUNDS
from arena.games.golden_point.rooms.rest.parameters import Parameters, invalid_parameter
from arena.games.golden_point.rooms.rounds.picks import SentPick
from arena.games.golden_point.rooms.rules import PlayerKind, Refusal, RoomTerms
from arena.games.golden_point.rooms.services import NewRoom, RoomCaller

_NO_SUCH_ROUND: Final = "this room has no such round. Use a roundId from History or State"
_TERMS: Final = RoomTerms()  # the defaults of a new room


class Operations:
    """The REST operations as run by one web process.

    ``read``: runs queries outside the cache's own thread; ``ids``: limits how many ids the operation State issues per
    network.
    """

    def __init__(self, cache: RoomCache, read: JobRunner, clock: Callable[[], datetime], ids: MemoryThrottle) -> None:
        self._ids = ids
        self._cache, self._read, self._clock = cache, read, clock
        self._answers: ExpiringCache[tuple[object, ...], bytes] = ExpiringCache(
            capacity=256, seconds=1
        )  # brief, because listed names may change
        self._names: ExpiringCache[UUID, str] = ExpiringCache(capacity=2000, seconds=2)

    # --- Players

    async def new_user(self, parameters: Parameters) -> Body:
        kind = PlayerKind.BROWSER if parameters.integer("secret", 0, 0, 1) else PlayerKind.PROGRAM
        caller = RoomCaller(parameters.origin, self._clock())
        player = await self._read(partial(services.create_player, parameters.text("nickName"), caller, kind))
        return bodies.user(player.uid, player.nickname)

    async def user(self, parameters: Parameters) -> Body:
        uid = read_guid(parameters.text("uid"))
        name = await self._read(partial(rooms.player_name, uid)) if uid else None
        if uid is None or name is None:
            raise Refusal.INVALID_UID.error()
        return bodies.user(uid, name)

    async def nick_name(self, parameters: Parameters) -> Body:
        uid = read_guid(parameters.text("uid"))
        caller = RoomCaller(parameters.origin, self._clock())
        player = await self._read(partial(services.rename, uid, parameters.text("nickName"), caller))
        self._names.drop(player.uid)
        return bodies.user(player.uid, player.nickname)

    # --- Rooms

    async def new_room(self, parameters: Parameters) -> Body:
        terms = RoomTerms(
            numbers=parameters.integer("numbers", _TERMS.numbers),
            seconds=parameters.integer("duration", _TERMS.seconds),
            most_players=parameters.integer("userCount", _TERMS.most_players),
            rounds=parameters.integer("roundCount", _TERMS.rounds),
        )
        by_hand = bool(parameters.integer("manuallyStart", 0, 0, 1))
        creator = parameters.text("uid").strip()
        uid = read_guid(creator)
        if creator and uid is None:
            raise Refusal.INVALID_UID.error()
        wanted = NewRoom(terms, creator=uid, started_by_hand=by_hand, origin=parameters.origin)
        return {"roomId": await self._read(partial(services.create_room, wanted, self._clock()))}

    async def start_game(self, parameters: Parameters) -> Body:
        number = _room_number(parameters)
        uid = read_guid(parameters.text("uid"))
        await self._read(partial(services.start, number, uid, RoomCaller(parameters.origin, self._clock())))
        await self._cache.reload(number)
        return {}

    async def state(self, parameters: Parameters) -> Body:
        room = await self._room(parameters)
        uid = read_guid(parameters.text("uid"))
        name = room.names.get(uid) if uid else None
        if uid is not None and name is None:
            name = await self._player_name(uid)
        if uid is None or name is None:
            if wait := self._ids.count_use(parameters.origin, self._clock()):
                raise Refusal.IDS_OF_NETWORK.error(retry_after=wait)
            uid = new_guid(GuidPurpose.PLAYER)  # valid without a row: nothing is stored for programs that only poll
            name = default_name(uid)
        elif parameters.origin:
            self._cache.record_poll(uid, parameters.origin)
        return bodies.state(room, uid, name, self._clock())

    async def submit(self, parameters: Parameters) -> Body:
        sent = SentPick(
            uid=parameters.text("uid"),
            rid=parameters.text("rid"),
            n1=parameters.text("n1"),
            n2=parameters.text("n2"),
            token=parameters.text("token"),
            at=self._clock(),
            origin=parameters.origin,
        )
        receipt = await self._cache.submit(sent)
        if receipt.refused is not None:
            raise receipt.refused
        return {}

    # --- Past rounds

    async def today_golden_list(self, parameters: Parameters) -> bytes:
        number, most = _room_number(parameters), _round_count(parameters)

        def answer(now: datetime) -> Body:
            return bodies.golden_list(number, rooms.golden_numbers_today(number, most, now))

        return await self._cached_response(number, ("goldens", most), answer)

    async def today_numbers(self, parameters: Parameters) -> bytes:
        room, most = await self._room(parameters), _round_count(parameters)

        def answer(now: datetime) -> Body:
            rows = rooms.today_numbers(room.number, most, now)
            return bodies.number_list(room.number, room.terms.numbers, rows)

        return await self._cached_response(room.number, ("numbers", most), answer)

    async def today_score(self, parameters: Parameters) -> bytes:
        number = _room_number(parameters)

        def answer(now: datetime) -> Body:
            return bodies.score_list(rooms.midnight(now), rooms.today_scores(number, now))

        return await self._cached_response(number, ("scores",), answer)

    async def history(self, parameters: Parameters) -> bytes:
        number = _room_number(parameters)
        round_id = parameters.text("startrid").strip()
        start = read_guid(round_id)
        if round_id and start is None:
            raise invalid_parameter("startrid", _NO_SUCH_ROUND)
        count = min(parameters.integer("count", 10, 0), MAX_HISTORY_ROUNDS)
        newer = bool(parameters.integer("direction", 0, 0, 1))

        def answer(now: datetime) -> Body:
            rounds = rooms.round_history(number, start, count, newer=newer)
            if rounds is None:
                raise invalid_parameter("startrid", _NO_SUCH_ROUND)
            return bodies.history(rounds, rooms.player_names(rounds))

        return await self._cached_response(number, ("history", start, count, newer), answer)

    # --- Shared

    async def _room(self, parameters: Parameters) -> RoomSnapshot:
        room = await self._cache.room(_room_number(parameters))
        if room is None:
            raise Refusal.INVALID_ROOM.error()
        return room

    async def _cached_response(
        self, number: int, what: tuple[object, ...], answer: Callable[[datetime], Body]
    ) -> bytes:
        """Return an encoded response about closed rounds.

        While the same round is open, equal requests within one second share one read.

        ``what``: identifies the request within the room; ``answer``: computes the response's body.

        The id of the open round is read from the database each time, so a client that has seen this id finds all
        earlier rounds in the list.
        """
        now = self._clock()
        current = await self._read(partial(rooms.open_round_id, number))
        if current is None:
            raise Refusal.INVALID_ROOM.error()
        key = (number, current, rooms.local_date(now), *what)
        kept = self._answers.get(key, now)
        if kept is None:
            kept = await self._read(lambda: encode_body(answer(now)))
            self._answers.put(key, kept, now)
        return kept

    async def _player_name(self, uid: UUID) -> str | None:
        """Return the name of a player who polls but is not listed in the room; None if the id is unknown."""
        now = self._clock()
        name = self._names.get(uid, now)
        if name is None and (name := await self._read(partial(rooms.player_name, uid))) is not None:
            self._names.put(uid, name, now)
        return name


def encode_body(body: Body) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _room_number(parameters: Parameters) -> int:
    return parameters.integer("roomid", 0, 0)


def _round_count(parameters: Parameters) -> int | None:
    """Parse the number of rounds; None for all."""
    count = parameters.integer("roundCount", 100, -1)
    return None if count == -1 else count
