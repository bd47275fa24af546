"""What readers call the levels of the house; other bots are called what their authors called them."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LEVEL_NAMES: Mapping[str, Promise] = {
    "Beginner": _("Beginner"),
    "Casual": _("Casual"),
    "Club": _("Club player"),
    "Strong": _("Strong"),
    "Master": _("Master"),
}


def level_name(name: str) -> Promise | str:
    return LEVEL_NAMES.get(name, name)
