"""Check whether a match could outlast its task, which is terminated after ``TASK_SECONDS``.

Such a match would fail three times and become void, so it is refused before it is created.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings as site
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from arena.core.referee.spec import MatchLimits, max_match_seconds, max_move_seconds
from arena.games.base import IntegerSetting
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.ui.localized import sentence_space

_HOUR: Final = 3600


def too_long_error(game: str, settings: Mapping[str, Any], limits: MatchLimits) -> ValidationError | None:
    """Return advice on how to shorten a match that could take too long; None if the match always ends in time.

    The settings must be valid.
    """
    rules = GAMES[game]
    chosen = rules.settings(settings)
    longest = max_match_seconds(rules, chosen, limits)
    if longest <= site.TASK_SECONDS:
        return None
    text = _(
        "With these limits, a match could last %(longest)s hours, but the limit is %(most)s. Allow "
        "at most %(seconds)s s per move."
    )
    params: dict[str, Any] = {
        "longest": math.ceil(longest / _HOUR),
        "most": site.TASK_SECONDS // _HOUR,
        "seconds": math.floor(10 * max_move_seconds(rules, chosen, limits, site.TASK_SECONDS)) / 10,
    }
    if lengthening := _setting_to_reduce(game, settings):
        text = sentence_space().join((text, _("Alternatively, lower “%(setting)s”.")))
        params["setting"] = lengthening
    return ValidationError(text, code="match_too_long", params=params)


def default_move_seconds(game: str, most: float) -> float:
    """Return the seconds per move under the default settings: ``most``, or less if a match could take too long."""
    rules = GAMES[game]
    fitting = math.floor(10 * max_move_seconds(rules, rules.settings({}), MatchLimits(), site.TASK_SECONDS)) / 10
    return min(most, fitting)


def _setting_to_reduce(game: str, settings: Mapping[str, Any]) -> str:
    """Return the label of the first setting that, if reduced, would shorten the match; "" if no setting would."""
    rules = GAMES[game]
    turns = rules.max_turns(rules.settings(settings))
    for setting in rules.schema:
        if isinstance(setting, IntegerSetting):
            shortest = rules.settings({**settings, setting.name: setting.minimum})
            if rules.max_turns(shortest) < turns:
                return str(SITES[game].settings[setting.name].label)
    return ""
