"""Live events of version tests: they announce a change, and the page then reloads its parts.

Invariant: an event gets its number from a counter in the test's row, and is sent after its change is committed.
"""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.db.models import F

from arena.accounts.permissions import Action, Person, may
from arena.platform.live.publisher import publish
from arena.version_tests.models import VersionTest

TOPIC = "version-tests"


def publish_change(test_id: int) -> None:
    """Assign a number to an event and send it; must be called in the transaction of the change."""
    VersionTest.objects.filter(pk=test_id).update(event_seq=F("event_seq") + 1)
    seq, status = VersionTest.objects.values_list("event_seq", "status").get(pk=test_id)
    event = {"type": "changed", "status": status}
    transaction.on_commit(partial(publish, f"{TOPIC}/{test_id}", seq, event), robust=True)


def newest_event_number(test_id: int) -> int:
    return VersionTest.objects.filter(pk=test_id).values_list("event_seq", flat=True).first() or 0


def may_watch(reader: Person, test_id: int) -> bool:
    owner = VersionTest.objects.filter(pk=test_id).values_list("bot__owner_id", flat=True).first()
    return owner is not None and may(reader, Action.SEE_VERSION_TEST, owner)
