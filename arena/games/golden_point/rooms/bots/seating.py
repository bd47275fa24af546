"""Seat bots in rooms, remove them, and wake the workers that run them.

    WAITING --claimed by a worker--> PLAYING --released, or its worker died--> WAITING
    WAITING or PLAYING --a fault, a removal, the end of the room, nobody left to play with--> ENDED

If a bot is removed because of a fault or a failure of the arena, the room's version is incremented, its page names the
bot for a while (``live/serializers``), and the bot's author is notified.

Invariants: a seat is ended exactly once, by a conditional UPDATE; a worker ends only seats whose lease it still holds.
A bot is the same player in all its sessions in a room, and joins like everybody else, with its first pick. The seated
submission is the one that was active when the bot was seated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.accounts.models import User
from arena.celery import Queue
from arena.classes.quotas import lock_person
from arena.core.messages import Message
from arena.core.referee.diagnosis import Diagnosis
from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.models import REMOVED_BY_ARENA, BotSeat, Player, Room, SeatEnd, SeatStatus
from arena.games.golden_point.rooms.rounds.nicknames import imitates_reserved_name
from arena.games.golden_point.rooms.rules import PlayerKind, RoomState
from arena.games.golden_point.rooms.services import RoomCaller
from arena.notifications.kinds import NotificationKind
from arena.notifications.services import notify
from arena.notifications.texts import Context, NotificationText
from arena.platform.jobs.dispatcher import WAKE_INTERVAL, wake_ups_to
from arena.platform.jobs.fair_share import SharedQueue, claim_next, person_party
from arena.platform.jobs.job_kind import JobKind
from arena.platform.jobs.lifecycle import (
    MAX_ATTEMPTS,
    JobQueue,
    Lease,
    end_rows,
    leased_row,
    release,
    store_result,
)
from arena.platform.jobs.stalled import StallDetector
from arena.platform.refusal import Refused
from arena.submissions.models import Bot


def _removal_text(context: Context) -> NotificationText:
    """Return the notification that a bot was removed from a room.

    The context contains the names of the ``bot`` and the ``room`` ("" if it has none), the room's ``number``, and the
    id of the ``seat``.
    """
    room = context["room"] or _("Room %(number)s") % context
    return NotificationText(
        _("%(bot)s was removed from %(room)s") % {"bot": context["bot"], "room": room},
        _("The report shows the reason and the bot's output. Fix the bot, then add it again."),
        reverse("room-seat-report", args=[context["seat"]]),
    )


BOT_REMOVED: Final = NotificationKind(
    "bot_dropped_out", gettext_lazy("Your bot was removed from a room"), _removal_text
)

JOBS = JobQueue(BotSeat, SeatStatus.WAITING, SeatStatus.PLAYING)
_SHARED_QUEUE = SharedQueue(JOBS)
HOST_TASK = "arena.games.golden_point.rooms.tasks.host"
GAME = "golden_point"
# Bots that run on workers; built-in players need no worker.
MAX_SEATS_PER_ROOM = 12
MAX_SEATS_PER_PERSON = 4
# Workers that are busy with rooms find waiting seats without a wake-up; this covers a lost wake-up.
WAKE_BESIDE_OTHERS = timedelta(minutes=5)
_STARTED = Q(room__state=RoomState.RUNNING)


def seat_bot(number: int, bot_id: int, person: User, *, now: datetime) -> int:
    """Seat a bot in a room, and wake a worker if the room is running; return the seat's id. Raises Refused."""
    with transaction.atomic():
        lock_person(person.pk)
        room = Room.objects.select_for_update().get(number=number)
        bot = Bot.objects.filter(pk=bot_id, game=GAME, retired=False).select_related("active").first()
        if bot is None or bot.active is None:
            raise Refused(
                _("This bot has no version that passed its check for this game. Choose another."), code="no_version"
            )
        _check_seating(room, bot, person)
        made = BotSeat.objects.create(
            room=room,
            player=_get_or_create_player(room, bot, now),
            submission=bot.active,
            seated_by=person,
            seated_at=now,
            party=person_party(person.pk),
        )
        if room.state == RoomState.RUNNING:
            transaction.on_commit(partial(wake_workers, [made.pk], now=now))
    return made.pk


def remove_bot(seat_id: int, *, now: datetime) -> bool:
    """Remove a bot at a person's request; its worker drops it at the next refresh.

    Return False if it has already left.
    """
    rows = BotSeat.objects.filter(pk=seat_id).exclude(status=SeatStatus.ENDED)
    return bool(end_rows(rows, status=SeatStatus.ENDED, ended_by=SeatEnd.TAKEN, ended_at=now))


def remove_all_bots(number: int, *, now: datetime) -> int:
    """Remove all bots from a finished room; return their number."""
    rows = BotSeat.objects.filter(room__number=number).exclude(status=SeatStatus.ENDED)
    return end_rows(rows, status=SeatStatus.ENDED, ended_by=SeatEnd.OVER, ended_at=now)


def end_session(
    lease: Lease,
    by: SeatEnd,
    *,
    now: datetime,
    log: bytes,
    diagnosis: Diagnosis | None = None,
    failure: Message | None = None,
) -> bool:
    """End the session under this lease, for the reason ``by``; return False if the lease is lost."""
    with transaction.atomic():
        ended = store_result(
            lease,
            status=SeatStatus.ENDED,
            ended_by=by,
            ended_at=now,
            log=log,
            diagnosis=diagnosis.to_json() if diagnosis else None,
            failure=failure.to_json("message") if failure else None,
        )
        if ended and by in REMOVED_BY_ARENA:
            _publish_removal(lease.pk)
    return ended


def record_failure(lease: Lease, reason: Message, *, now: datetime, log: bytes) -> None:
    """Record a failure of the arena: another attempt follows later, unless this was the seat's last."""
    failures = leased_row(lease).values_list("failures", flat=True).first()
    if failures is not None and failures + 1 >= MAX_ATTEMPTS:
        end_session(lease, SeatEnd.FAILED, now=now, log=log, failure=reason)
        return
    leased_row(lease).update(failures=F("failures") + 1)
    release(lease, counted=True, failure=reason)


def wake_workers(seat_ids: Iterable[int], *, now: datetime) -> None:
    """Wake workers for waiting seats."""
    SEATS.wake(seat_ids, now=now)


def sweep(detector: StallDetector, *, now: datetime) -> None:
    """End seats in finished rooms, requeue seats whose worker died, and end seats that have no attempts left."""
    finished = BotSeat.objects.exclude(status=SeatStatus.ENDED).filter(room__state=RoomState.FINISHED)
    for number in set(finished.values_list("room__number", flat=True)):
        remove_all_bots(number, now=now)
    served = BotSeat.objects.filter(status=SeatStatus.PLAYING).exists()
    SEATS.sweep(detector, now=now, pause=WAKE_BESIDE_OTHERS if served else WAKE_INTERVAL, only=_STARTED)


def claim_next_seat(*, worker: str, now: datetime, but: Collection[int]) -> Lease | None:
    """Claim the next waiting seat that is not in ``but``; return None if no such seat is waiting.

    Seats in rooms that have not started must wait.
    """
    return claim_next(_SHARED_QUEUE, worker=worker, now=now, among=_STARTED & ~Q(pk__in=but))


def _publish_removal(seat_id: int) -> None:
    """Increment the room's version, so that the removal is published, and notify the bot's author."""
    Room.objects.filter(bot_seats=seat_id).update(version=F("version") + 1)
    seat = BotSeat.objects.select_related("room", "submission__bot").get(pk=seat_id)
    bot = seat.submission.bot
    if not bot.is_house:
        context = {"bot": bot.name, "room": seat.room.name, "number": seat.room.number, "seat": seat_id}
        notify(BOT_REMOVED.code, [bot.owner_id], context, event=f"seat/{seat_id}/dropped_out")


SEATS = JobKind(
    JOBS,
    wake_ups_to(HOST_TASK, Queue.HOSTED),
    given_up=lambda now: {"status": SeatStatus.ENDED, "ended_by": SeatEnd.FAILED, "ended_at": now},
    on_given_up=_publish_removal,
)


def _check_seating(room: Room, bot: Bot, person: User) -> None:
    if room.state == RoomState.FINISHED:
        raise Refused(_("This room is closed. Choose another."), code="room_closed")
    if not bot.is_house and imitates_reserved_name(services.clean_name(bot.name)):
        raise Refused(
            _("The name %(bot)s is reserved for the arena's own players. Rename your bot, then add it.")
            % {"bot": bot.name},
            code="house_name",
        )
    sitting = BotSeat.objects.exclude(status=SeatStatus.ENDED)
    if sitting.filter(room=room, submission__bot=bot).exists():
        raise Refused(
            _("%(bot)s is already in this room. Choose another bot.") % {"bot": bot.name}, code="already_seated"
        )
    if sitting.filter(room=room).count() >= MAX_SEATS_PER_ROOM:
        raise Refused(
            _("This room already has %(n)s bots, which is the limit. Choose another room.") % {"n": MAX_SEATS_PER_ROOM},
            code="too_many_bots",
        )
    if not person.is_staff and sitting.filter(seated_by=person).count() >= MAX_SEATS_PER_PERSON:
        raise Refused(
            _("%(n)s of your bots are playing in rooms. Remove one of them first.") % {"n": MAX_SEATS_PER_PERSON},
            code="too_many_own_bots",
        )
    members = room.room_players.count()
    if room.most_players and members >= room.most_players and not _is_member(room, bot):
        raise Refused(_("The room is full. Choose another."), code="room_full")


def _is_member(room: Room, bot: Bot) -> bool:
    return room.room_players.filter(player__bot_seats__submission__bot=bot).exists()


def _get_or_create_player(room: Room, bot: Bot, now: datetime) -> Player:
    """Return the bot's player from earlier sessions in the room, or create one."""
    before = Player.objects.filter(bot_seats__room=room, bot_seats__submission__bot=bot).first()
    return before or services.create_player(bot.name, RoomCaller("", now), PlayerKind.BOT)
