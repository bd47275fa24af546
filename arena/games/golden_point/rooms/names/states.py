"""What people call the states of a room."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.games.golden_point.rooms.rules import RoomState

STATE_NAMES: Final[Mapping[RoomState, str | Promise]] = {
    RoomState.WAITING: _("Waiting for the start"),
    RoomState.RUNNING: _("Running"),
    RoomState.FINISHED: _("Finished"),
}
