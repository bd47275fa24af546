"""What readers call the faults of bots."""

from django.utils.translation import gettext_lazy as _

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
