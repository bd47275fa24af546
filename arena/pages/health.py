"""Health check: whether this process can reach the database and the broker."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from django.conf import settings
from django.db import DatabaseError, connection
from redis import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS = 2
Probe = Callable[[], None]


def _probe_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _probe_broker() -> None:
    if not settings.REDIS_URL:
        raise ConnectionError("no broker is configured")
    with Redis.from_url(
        settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
    ) as redis:
        redis.ping()


PROBES: Mapping[str, Probe] = {"database": _probe_database, "broker": _probe_broker}


def probe_dependencies(probes: Mapping[str, Probe] = PROBES) -> dict[str, str]:
    """Return the result of each probe: "ok" or "unreachable"; reasons are logged, not published."""
    found = {}
    for name, probe in probes.items():
        try:
            probe()
        except (DatabaseError, RedisError, OSError) as error:
            logger.warning("%s is unreachable: %s", name, error)
            found[name] = "unreachable"
        else:
            found[name] = "ok"
    return found
