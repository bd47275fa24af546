"""Names that readers see for codes that the pure packages use."""

from django.utils.translation import gettext_lazy as _

GAME_LABELS = {
    "reversi": _("Reversi"),
    "golden_point": _("Golden point"),
}

FAULT_LABELS = {
    "start": _("Did not start"),
    "timeout": _("Out of time"),
    "illegal_move": _("Illegal move"),
    "crash": _("Crashed"),
    "exit": _("Exited"),
    "memory": _("Out of memory"),
    "output": _("Too much output"),
    "bad_message": _("Broken message"),
}
