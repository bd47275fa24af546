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
    Rule.LINE: _("linear fit (5)"),
    Rule.REPLY: _("reply"),
    Rule.COUNTER: _("last + own disruption"),
    Rule.CALM: _("occasional disruptor"),
    Rule.SCALED: _("multiple of the last golden number"),
    Rule.DISRUPTS: _("disrupts"),
    Rule.RANDOM: _("random"),
    Rule.NONE: _("no known rule"),
}

MEANINGS: Final[Mapping[Rule, Promise]] = {
    Rule.FIXED: _("its previous number"),
    Rule.LAST: _("the last golden number"),
    Rule.LAST_TIMES_RATIO: _(
        "0.618 times the last golden number: the result if everyone submits the last golden number"
    ),
    Rule.MEAN_OF_TEN: _("the mean of the last ten golden numbers"),
    Rule.TREND: _("the last golden number plus the latest change"),
    Rule.LINE: _("linear extrapolation of the last five golden numbers"),
    Rule.REPLY: _("the golden number that would result from its own numbers and the others' last numbers"),
    Rule.COUNTER: _("the last golden number, raised by the effect of the bot's other number, which is above 50"),
    Rule.CALM: _(
        "after calm rounds, one large number and the golden number it will produce; otherwise numbers near the most "
        "recent golden numbers"
    ),
    Rule.SCALED: _("a constant times the last golden number"),
    Rule.DISRUPTS: _("a number above 50, which rarely wins and raises the golden number for everyone"),
    Rule.RANDOM: _("numbers far apart, without a pattern"),
    Rule.NONE: _("no known rule fits the numbers to within 5 %"),
}
