"""What people read about the house bots that need no worker."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# By the name of the strategy, see ``residents``.
RESIDENT_TEXTS: Final[Mapping[str, Promise]] = {
    "last": _("Last: the last golden number again"),
    "last_times_ratio": _("0.618 x last: one step ahead of those who play the last golden number"),
    "mean_of_ten": _("Mean of ten: the mean of the last ten golden numbers"),
    "trend": _("Trend: goes on as the last two golden numbers went"),
    "random": _("Random: anything up to twice the last golden number"),
}
