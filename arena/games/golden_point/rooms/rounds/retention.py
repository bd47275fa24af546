"""Delete old rounds of rooms 0 and 1, which never end and would grow without bound, and old logs of bots.

Invariants: a round is deleted with all its numbers, never in part; the newest rounds of each room are kept, however
old. Round numbers, players and their indices do not change. All other rooms keep their rounds.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Max, Sum
from django.db.models.functions import Length
from django.utils import timezone

from arena.games.golden_point.rooms.models import BotSeat, Player, Room, RoomRound
from arena.games.golden_point.rooms.rules import ALWAYS_OPEN
from arena.platform.retention import DeletionResult

RETENTION = timedelta(days=30)
# Rounds kept per room, so that its page has content after a holiday. The History operation returns at most this many.
NEWEST = 100
# Number of rounds deleted per transaction: with two hundred players each, they have about twenty thousand numbers.
CHUNK = 100
# Chunks per run. The rest waits for the next run, so that other tasks are not delayed.
MAX_CHUNKS = 100


def delete_expired(now: datetime) -> int:
    """Delete expired rounds and players, in small transactions; return how many rounds were deleted."""
    gone = sum(_delete_rounds(room, now) for room in Room.objects.filter(number__in=ALWAYS_OPEN))
    _delete_visitors(now)
    return gone


def _delete_rounds(room: Room, now: datetime) -> int:
    last = RoomRound.objects.filter(room=room, closed_at__isnull=False).aggregate(last=Max("index"))["last"] or 0
    old = RoomRound.objects.filter(room=room, closed_at__lt=now - RETENTION, index__lte=last - NEWEST)
    gone = 0
    for _ in range(MAX_CHUNKS):
        chunk = list(old.order_by("index").values_list("pk", flat=True)[:CHUNK])
        if not chunk:
            break
        gone += RoomRound.objects.filter(pk__in=chunk).delete()[1].get("rooms.RoomRound", 0)
    return gone


def _delete_visitors(now: datetime) -> None:
    """Delete players who were issued a uid long ago and never played. Their uids remain valid without rows."""
    visitors = Player.objects.filter(
        created_at__lt=now - RETENTION,
        room_players=None,
        created_rooms=None,
        bot_seats=None,
        lobby_entries=None,
        removals=None,
    )
    for _ in range(MAX_CHUNKS):
        chunk = list(visitors.order_by("pk").values_list("pk", flat=True)[: 10 * CHUNK])
        if not chunk:
            return
        Player.objects.filter(pk__in=chunk).delete()


def delete_logs(before: datetime, most: int) -> DeletionResult:
    """Delete the logs of up to ``most`` bots that left their rooms before this time; keep the reason for leaving."""
    due = BotSeat.objects.filter(ended_at__lt=before, log_deleted_at=None).order_by("ended_at")
    rows = BotSeat.objects.filter(pk__in=list(due.values_list("pk", flat=True)[:most]))
    freed = rows.aggregate(n=Sum(Length("log")))["n"] or 0
    return DeletionResult(rows.update(log=b"", log_deleted_at=timezone.now()), freed)
