"""Cache snapshots of tournaments as text: one per event and process, for any number of readers.

A gap in the events, or a change in a long standings table, makes all viewers request a snapshot at the same time.
"""

from __future__ import annotations

import json
from typing import Final

from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404
from django.utils.translation import get_language

from arena.platform.live.single_flight import single_flight
from arena.tournaments.events.snapshots import full_snapshot, snapshot
from arena.tournaments.models import Tournament

_CACHE_SECONDS: Final = 2  # after that, the end of the tournament is estimated again
_MAX_DIGITS: Final = 4


def snapshot_text(tournament_id: int, page: str, *, full: bool) -> str:
    """Return the snapshot as JSON text. Raises Http404.

    ``page``: the page of the standings to include if they are long; ``full``: whether to include withheld results, for
    readers who may see them.
    """

    def make() -> str:
        shown = full_snapshot(tournament_id, page) if full else snapshot(tournament_id, page)
        return json.dumps(shown, cls=DjangoJSONEncoder)

    row = Tournament.objects.values_list("created_at", "version").filter(pk=tournament_id).first()
    if row is None:
        raise Http404
    if page and not (page.isascii() and page.isdigit() and len(page) <= _MAX_DIGITS):
        return make()  # no page of the site sends such a request
    place = f"{tournament_id}.{row[0].timestamp()}.{row[1]}"
    return single_flight(f"tournaments.snapshot.{place}.{full}.{page}.{get_language()}", make, _CACHE_SECONDS)
