"""The frame in which other sites embed a room."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.games.golden_point.rooms.queries.rooms import room_line
from arena.games.site import Frame


def room_frame(number: int) -> Frame | None:
    line = room_line(number)
    if line is None:
        return None
    title = line.name or _("Room %(number)s") % {"number": number}
    return Frame(reverse("embed-room", args=[number]), title, 640, 900)
