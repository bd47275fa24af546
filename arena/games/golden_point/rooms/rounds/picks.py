"""Store picks in batches, because two hundred programs may submit as soon as a round opens.

Invariants: a pick is either accepted as a whole, for exactly the round it names, or refused; it never moves to
the next round. A pick has arrived once its request has been read completely, so a busy server does not make it late;
once a round is closed, however, even a pick that arrived in time is refused. In a room with a player limit, the last
pick closes the round in the same transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F

from arena.games.golden_point.rooms.identity import GuidPurpose, default_name, is_issued, read_guid
from arena.games.golden_point.rooms.models import (
    AddressOutcome,
    LobbyEntry,
    Pick,
    Player,
    Removal,
    Room,
    RoomPlayer,
    RoomRound,
)
from arena.games.golden_point.rooms.rounds import binding, limits, transitions
from arena.games.golden_point.rooms.rounds.binding import AddressUse
from arena.games.golden_point.rooms.rounds.nicknames import NamesInUse
from arena.games.golden_point.rooms.rounds.numbers import read_pair
from arena.games.golden_point.rooms.rules import (
    PickContext,
    PlayerKind,
    Refusal,
    RoomState,
    is_valid_token,
    refusal_of_pick,
)
from arena.platform.refusal import Refused


@dataclass(frozen=True, slots=True)
class SentPick:
    """A program's unparsed pick.

    ``seated``: whether one of the arena's bots sent it. ``at``: the time of arrival, None for the current time.
    ``origin``: digest of the sending network (see ``binding``).
    """

    uid: str
    rid: str
    n1: str
    n2: str = ""
    token: str = ""
    seated: bool = False
    at: datetime | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of a pick.

    ``refused``: the refusal, or None if the pick counts; ``room``: the number of the pick's room, if it was found;
    ``closed``: whether a pick in the same batch closed the round.
    """

    refused: Refused | None
    room: int | None = None
    closed: bool = False

    @property
    def refusal(self) -> Refusal | None:
        return Refusal.from_error(self.refused) if self.refused else None


Clock = Callable[[], datetime]


def submit_all(sent_picks: Sequence[SentPick], clock: Clock) -> list[Receipt]:
    """Accept or refuse each pick, in order, in one transaction per round; return the receipts."""
    uids = [read_guid(sent.uid) for sent in sent_picks]
    known = _known_players([uid for uid in uids if uid])
    receipts: dict[int, Receipt] = {}
    of_round: dict[UUID, list[int]] = defaultdict(list)
    for place, (uid, sent) in enumerate(zip(uids, sent_picks, strict=True)):
        rid = read_guid(sent.rid)
        if uid is None or not (uid in known or is_issued(uid, GuidPurpose.PLAYER)):
            receipts[place] = Receipt(Refusal.INVALID_UID.error())
        elif rid is None:
            receipts[place] = Receipt(Refusal.INVALID_ROUND.error())
        else:
            of_round[rid].append(place)
    for rid, places in of_round.items():
        batch = [(uid, sent_picks[place]) for place in places if (uid := uids[place])]
        receipts.update(zip(places, _submit_to_round(rid, batch, known, clock), strict=True))
    return [receipts[place] for place in range(len(sent_picks))]


def _submit_to_round(
    rid: UUID, batch: Sequence[tuple[UUID, SentPick]], known: Mapping[UUID, Player], clock: Clock
) -> list[Receipt]:
    """Accept or refuse the picks for one round. ``known``: the players who already have a row."""
    with transaction.atomic():
        room_pk = RoomRound.objects.filter(guid=rid).values_list("room_id", flat=True).first()
        if room_pk is None:
            return [Receipt(Refusal.INVALID_ROUND.error())] * len(batch)
        now = clock()
        table = _prepare_intake(transitions.locked_room(room_pk), rid, batch, known, now)
        refused = [table.record_pick(uid, sent, min(now, sent.at or now)) for uid, sent in batch]
        if table.picks:
            table.store_picks(now)
        current = table.round
        closed = bool(table.picks) and current is not None and transitions.close_if_complete(table.room, current, now)
    return [Receipt(refusal, table.room.number, closed) for refusal in refused]


@dataclass(slots=True)
class _RoundIntake:
    """The intake of picks for one round of a locked room."""

    room: Room
    round: RoomRound | None  # None if the round with that id is no longer open
    players: dict[UUID, Player]
    seated: dict[UUID, RoomPlayer]
    submitted: set[UUID]
    removed: set[UUID]  # players whom the owner of the room removed
    seats_taken: int
    names: NamesInUse | None = None  # read when somebody joins
    new: list[RoomPlayer] = field(default_factory=list)
    picks: list[Pick] = field(default_factory=list)
    in_use: list[Player] = field(default_factory=list)  # players whose ids were used from their bound addresses
    somebody: bool = False  # whether a person or a program has submitted

    def record_pick(self, uid: UUID, sent: SentPick, now: datetime) -> Refused | None:
        """Record a player's pick and return None, or return the reason for refusing it."""
        try:
            self._check_pick(uid, sent, now)
            if uid not in self.players:
                raise limits.too_many_players_error(sent.origin, now=now)
            pair = read_pair(sent.n1, sent.n2, numbers=self.room.numbers)
            if not sent.seated:
                self._use_id(self.players[uid], sent.origin, now)
        except Refused as refused:
            return refused
        if uid not in self.seated:
            self.seated[uid] = self._add_player(self.players[uid])
        self.submitted.add(uid)
        self.somebody |= not sent.seated
        self.picks.append(Pick(round=self.round, room_player=self.seated[uid], number1=pair[0], number2=pair[1]))
        return None

    def store_picks(self, now: datetime) -> None:
        RoomPlayer.objects.bulk_create(self.new)
        if self.new:
            LobbyEntry.objects.filter(room=self.room, player__in=[each.player_id for each in self.new]).delete()
        Pick.objects.bulk_create(self.picks)
        played = {"played_at": now} if self.somebody else {}
        Room.objects.filter(pk=self.room.pk).update(version=F("version") + 1, **played)
        binding.record_bound_use(self.in_use, now)

    def _add_player(self, player: Player) -> RoomPlayer:
        self.names = self.names or NamesInUse(self.room)
        name = self.names.assign_name(player)
        made = RoomPlayer(
            room=self.room,
            player=player,
            index=self.seats_taken,
            nickname=name.text,
            skeleton=name.skeleton,
            is_renamed=name.is_fixed,
        )
        self.seats_taken += 1
        self.new.append(made)
        return made

    def _use_id(self, player: Player, origin: str, now: datetime) -> None:
        """Record the use of a player's id; if it is in use at another address, warn the room's owner.

        Raises Refused in that case, if the room binds ids to addresses.
        """
        use = binding.classify_use(player, origin, now)
        if use is AddressUse.OWN:
            self.in_use.append(player)
            return
        if use is AddressUse.FOREIGN:
            self._warn_owner(player, AddressOutcome.REFUSED if self.room.binds_ids else AddressOutcome.ALLOWED, now)
            if self.room.binds_ids:
                raise binding.address_refusal(player, now)
            return
        if binding.bind_id(player, origin, now) is AddressUse.MOVES:
            self._warn_owner(player, AddressOutcome.MOVED, now)

    def _warn_owner(self, player: Player, outcome: AddressOutcome, now: datetime) -> None:
        binding.warn_owners(Room.objects.filter(pk=self.room.pk), player, outcome, now)

    def _check_pick(self, uid: UUID, sent: SentPick, now: datetime) -> None:
        current, room = self.round, self.room
        if uid in self.players and (self.players[uid].kind == PlayerKind.BOT) != sent.seated:
            raise Refusal.INVALID_UID.error()
        if current is None:
            raise (Refusal.FINISHED if room.state == RoomState.FINISHED else Refusal.OVER).error()
        standing = PickContext(
            state=RoomState(room.state),
            ends_at=current.ends_at,
            players=self.seats_taken,
            is_player=uid in self.seated,
            has_submitted=uid in self.submitted,
            is_removed=uid in self.removed,
        )
        refusal = refusal_of_pick(room.terms, standing, now)
        if refusal is None and room.token and not _token_fits(uid, sent, room.token):
            refusal = Refusal.WRONG_TOKEN
        if refusal is not None:
            raise refusal.error()


def _prepare_intake(
    room: Room,
    rid: UUID,
    batch: Sequence[tuple[UUID, SentPick]],
    known: Mapping[UUID, Player],
    now: datetime,
) -> _RoundIntake:
    """Return the intake of a round, with all data that it needs; create rows for new players within the limits.

    ``known``: the players who already have a row.
    """
    current = RoomRound.objects.filter(room=room, guid=rid, closed_at=None).first()
    players = {uid: known[uid] for uid, _ in batch if uid in known}
    missing = {uid: sent.origin for uid, sent in batch if uid not in known}
    if current is not None and missing:
        fresh = _new_players(missing, now)
        Player.objects.bulk_create(fresh, ignore_conflicts=True)
        players |= _known_players([player.uid for player in fresh])
    uid_of = {player.pk: uid for uid, player in players.items()}
    seated = {uid_of[each.player_id]: each for each in RoomPlayer.objects.filter(room=room, player__in=uid_of)}
    picks = Pick.objects.filter(round=current) if current else Pick.objects.none()
    submitted = set(picks.values_list("room_player", flat=True))
    removed = Removal.objects.filter(room=room, player__in=uid_of).values_list("player__uid", flat=True)
    return _RoundIntake(
        room=room,
        round=current,
        players=players,
        seated=seated,
        submitted={uid for uid, each in seated.items() if each.pk in submitted},
        removed=set(removed),
        seats_taken=RoomPlayer.objects.filter(room=room).count(),
    )


def _new_players(missing: Mapping[UUID, str], now: datetime) -> list[Player]:
    """Create players with these ids and networks, but fewer if too many come from the same network."""
    left = {origin: limits.players_left(origin, now=now) for origin in set(missing.values())}
    made = []
    for uid, origin in missing.items():
        if left[origin] > 0:
            left[origin] -= 1
            made.append(Player(uid=uid, nickname=default_name(uid), origin=origin, used_at=now, created_at=now))
    return made


def _known_players(uids: Sequence[UUID]) -> dict[UUID, Player]:
    rows: Mapping[UUID, Player] = {player.uid: player for player in Player.objects.filter(uid__in=uids)}
    return dict(rows)


def _token_fits(uid: UUID, sent: SentPick, room_token: str) -> bool:
    """Return whether the token is valid for the round id and the uid, either as sent or in canonical form."""
    return is_valid_token(sent.token, uids=(str(uid), sent.uid), round_id=sent.rid, room_token=room_token)
