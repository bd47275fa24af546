"""Names and descriptions of the players' strategies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.games.golden_point.evaluation.rules import Rule

NAMES: Final[Mapping[Rule, Promise]] = {
    Rule.FIXED: _("fixed"),
    Rule.LAST: _("last"),
    Rule.LAST_TIMES_RATIO: _("last × 0.618"),
    Rule.MEAN_OF_TEN: _("mean of ten"),
    Rule.TREND: _("trend"),
    Rule.LINE: _("line of five"),
    Rule.REPLY: _("reply"),
    Rule.COUNTER: _("last + own jump"),
    Rule.CALM: _("calm disturber"),
    Rule.SCALED: _("multiple of last"),
    Rule.DISTURBS: _("disturbs"),
    Rule.RANDOM: _("random"),
    Rule.NONE: _("no rule known"),
}

MEANINGS: Final[Mapping[Rule, Promise]] = {
    Rule.FIXED: _("the number it named before"),
    Rule.LAST: _("the last golden number"),
    Rule.LAST_TIMES_RATIO: _("0.618 of the last golden number: what it would be if everybody named the last one"),
    Rule.MEAN_OF_TEN: _("the mean of the last ten golden numbers"),
    Rule.TREND: _("as far on as the last golden number is from the one before"),
    Rule.LINE: _("the straight line through the last five golden numbers, one step on"),
    Rule.REPLY: _("where the others' last numbers lead, together with its own"),
    Rule.COUNTER: _("the last golden number, and what its own other number, above 50, adds to it"),
    Rule.CALM: _("after calm rounds a large number, and where that lifts the golden number; else near the last ones"),
    Rule.SCALED: _("the last golden number times a constant of its own"),
    Rule.DISTURBS: _("a number above 50, which hardly wins and lifts the golden number for everybody"),
    Rule.RANDOM: _("numbers far apart, of which one tells nothing about the next"),
    Rule.NONE: _("no rule here comes within a twentieth of the numbers"),
}
