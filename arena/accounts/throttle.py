"""Throttle actions by keys that have no rows to count, such as network and email addresses.

A throttle is a leaky bucket (the generic cell rate algorithm): it permits ``limit`` uses at once, and one more each
time 1/``limit`` of an hour has passed. So a class behind one address can sign up together, but nobody can keep creating
accounts all night.

    SIGN_UPS = Throttle("sign-ups", setting="SIGNUPS_AN_HOUR", refusal=gettext_lazy(
        "Your network has reached the hourly limit for sign-ups (%(n)s)."))

    SIGN_UPS.count_use(client_address.network_of_request(request), now=timezone.now())

``count_use`` counts a use or raises ``Refused``, which a view shows or leaves to ``RefusalMiddleware``. It decides and
counts in one conditional UPDATE, so any number of web processes can share a limit. ``release`` undoes a use, for
example an attempt that turned out to be legitimate. A setting of 0 disables the limit.

The counts are stored in the database, one row per key used in the past hour. Losing Redis does not reset a limit, and
without the database the limited actions are impossible anyway. Keys are stored as digests only. A refusal writes
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import F, Q
from django.utils.crypto import salted_hmac

from arena.accounts.models import ThrottleBucket
from arena.platform.quota import HOUR, HourlyUse, LeakyBucket


@dataclass(frozen=True, slots=True)
class Throttle:
    """An hourly limit per key on one kind of action.

    ``setting``: the name of the setting with the limit. ``refusal``: the lazily translated message, which contains the
    limit as ``%(n)s``.
    """

    name: str
    setting: str
    refusal: Any

    @property
    def limit(self) -> int:
        """Return the number of uses per key per hour; 0 means unlimited."""
        return int(getattr(settings, self.setting))

    def count_use(self, key: str, *, now: datetime) -> None:
        """Count one use of ``key``. Raises Refused, and counts nothing, if the limit has been reached."""
        if not self.limit:
            return
        use = self.current_use(key, now=now)
        if use.is_used_up or not self._count_in_bucket(_digest(self.name, key), now):
            use = self.current_use(key, now=now)  # a concurrent request may have taken the last use
            raise use.refusal(self.refusal, now=now)

    def release(self, key: str, *, now: datetime) -> None:
        """Undo one ``count_use`` of ``key``."""
        if self.limit:
            full = ThrottleBucket.objects.filter(key=_digest(self.name, key), empty_at__gt=now)
            full.update(empty_at=F("empty_at") - self._bucket.interval)

    def current_use(self, key: str, *, now: datetime) -> HourlyUse:
        """Return how much of its limit ``key`` has used. Runs one query."""
        bucket = ThrottleBucket.objects.filter(_nonempty_buckets(now), key=_digest(self.name, key)).first()
        if bucket is None:
            return HourlyUse(0, self.limit, None)
        free_at = self._bucket.free_at(bucket.empty_at)
        used = self._bucket.used(bucket.empty_at, now=now)
        return HourlyUse(used, self.limit, free_at if free_at > now else None)

    @property
    def _bucket(self) -> LeakyBucket:
        return LeakyBucket(self.limit, HOUR)

    def _count_in_bucket(self, digest: str, now: datetime) -> bool:
        bucket, interval = ThrottleBucket.objects.filter(key=digest), self._bucket.interval
        for _ in range(3):  # concurrent requests may create, fill or remove the row
            room = bucket.filter(_nonempty_buckets(now), empty_at__lte=now + HOUR - interval)
            if room.update(empty_at=F("empty_at") + interval):
                return True
            if bucket.exclude(_nonempty_buckets(now)).update(empty_at=now + interval):
                return True
            if not bucket.exists():
                ThrottleBucket.objects.filter(empty_at__lt=now).delete()
                ThrottleBucket.objects.bulk_create([ThrottleBucket(key=digest, empty_at=now)], ignore_conflicts=True)
        return False


def _nonempty_buckets(now: datetime) -> Q:
    """Return a filter for nonempty buckets, including overfull ones, which result from a clock that was set back."""
    return Q(empty_at__gt=now, empty_at__lt=now + 2 * HOUR)


def _digest(name: str, key: str) -> str:
    return salted_hmac("arena.accounts.throttle", f"{name}:{key}", algorithm="sha256").hexdigest()
