"""Display names of room states and built-in players, and refusals in the reader's language."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, override
from django.utils.translation import gettext_lazy as _

from arena.games.golden_point.rooms.rules import Refusal, RoomState
from arena.platform.refusal import Refused
from arena.ui.localized import ENGLISH

STATE_NAMES: Final[Mapping[RoomState, str | Promise]] = {
    RoomState.WAITING: _("Waiting to start"),
    RoomState.RUNNING: _("Running"),
    RoomState.PAUSED: _("Paused"),
    RoomState.FINISHED: _("Finished"),
}

# By strategy name; see ``rounds/built_in_players``.
BUILT_IN_PLAYER_TEXTS: Final[Mapping[str, Promise]] = {
    "last": _("Last: repeats the last golden number"),
    "last_times_ratio": _("0.618 × last: one step ahead of players who repeat the last golden number"),
    "mean_of_ten": _("Mean of ten: the mean of the last ten golden numbers"),
    "trend": _("Trend: continues the latest change in the golden number"),
    "random": _("Random: anything up to twice the last golden number"),
}

# Names of built-in players for programs, by strategy; pages translate them.
NICKNAMES: Final[Mapping[str, str]] = {
    "last": gettext_noop("House: last"),
    "last_times_ratio": gettext_noop("House: 0.618 × last"),
    "mean_of_ten": gettext_noop("House: mean of ten"),
    "trend": gettext_noop("House: trend"),
    "random": gettext_noop("House: random"),
}

_NOT_THEIRS: Final = _("The room was not created with this userId. Use the uid that your program sent to NewRoom.")
_REFUSALS: Final[Mapping[Refusal, Promise]] = {
    Refusal.INVALID_UID: _NOT_THEIRS,
    Refusal.NOT_CREATOR: _NOT_THEIRS,
    Refusal.TOO_MANY_ROOMS: _("The room could not be created. Try again."),
}
_OVER: Final = _("This room is closed. Create a new one.")


@cache
def translated_nicknames() -> Mapping[str, Mapping[str, str]]:
    """Return the nicknames of the built-in players in other languages, by nickname and language."""
    found: dict[str, dict[str, str]] = {nickname: {} for nickname in NICKNAMES.values()}
    for language in (code for code, _name in settings.LANGUAGES if code != ENGLISH):
        with override(language):
            for nickname, translated in found.items():
                translated[language] = gettext(nickname)
    return found


def translated_refusal(refused: Refused) -> Refused:
    """Return the refusal in the reader's language; one that is not listed in ``Refusal`` is returned unchanged."""
    refusal = Refusal.from_error(refused)
    return refused if refusal is None else Refused(str(_REFUSALS.get(refusal, _OVER)), code=refused.code)
