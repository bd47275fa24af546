"""Messages about arena failures outside the sandbox, keyed by code; organizers and authors see them on pages."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Template, gettext_noop, templates_by_code

OUT_OF_MEMORY: Final = Template(
    "failure.out_of_memory", gettext_noop("The machine ran out of memory, and the kernel killed a bot's process.")
)
KILLED_FROM_OUTSIDE: Final = Template(
    "failure.killed", gettext_noop("A bot's process was killed from outside the arena.")
)
TOO_BUSY: Final = Template(
    "failure.too_busy",
    gettext_noop(
        "The machine was too busy: after %(seconds)s s, the bot in seat %(seat)s had received only %(received)s s of "
        "computing time; its limit is %(limit)s s."
    ),
)
FILES_UNREADABLE: Final = Template("failure.files.unreadable", gettext_noop("A bot's stored files cannot be read."))
FILES_DAMAGED: Final = Template("failure.files.damaged", gettext_noop("A bot's stored files are damaged."))
HOUSE_BOT: Final = Template("failure.house_bot", gettext_noop("The house bot used for the check failed: %(sentence)s"))
WORKER_LOST: Final = Template("failure.worker_lost", gettext_noop("The worker process ended or stopped reporting."))
UNKNOWN: Final = Template("failure.unknown", gettext_noop("No reason was recorded."))
INBOX: Final = Template("failure.inbox", gettext_noop("The arena could not receive a person's answers."))
NO_ADVISER: Final = Template("failure.no_adviser", gettext_noop("This game has no house bot that gives hints."))
SYSTEM_ERROR: Final = Template("failure.system", gettext_noop("The operating system reported an error (%(error)s)."))
DEFECT: Final = Template("failure.defect", gettext_noop("The arena's own code failed with %(exception)s."))

FAILURE_MESSAGES: Final = templates_by_code(*(value for value in list(vars().values()) if isinstance(value, Template)))
