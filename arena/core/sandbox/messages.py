"""Messages about failures of the sandbox, keyed by code; pages translate them, logs show English with more details.

They contain no path on the host, because organizers and authors read them.
"""

from __future__ import annotations

import errno
from typing import Final

from arena.core.messages import Template, gettext_noop, templates_by_code

CANNOT_ISOLATE: Final = Template("sandbox.cannot_isolate", gettext_noop("This machine cannot isolate bots."))

SERVER_STARTED: Final = Template(
    "sandbox.server.started", gettext_noop("The sandbox's fork server has already been started.")
)
SERVER_NOT_STARTED: Final = Template(
    "sandbox.server.not_started", gettext_noop("The sandbox's fork server could not be started (%(error)s).")
)
SERVER_NOT_RUNNING: Final = Template(
    "sandbox.server.not_running", gettext_noop("The sandbox's fork server is not running.")
)
SERVER_FOREIGN: Final = Template(
    "sandbox.server.foreign", gettext_noop("The sandbox's fork server belongs to another process.")
)
SERVER_EXITED: Final = Template("sandbox.server.exited", gettext_noop("The sandbox's fork server has exited."))
SERVER_SILENT: Final = Template(
    "sandbox.server.silent", gettext_noop("The sandbox's fork server did not respond in time.")
)

NO_FOLDER: Final = Template("sandbox.files.no_folder", gettext_noop("The folder with the bot's files does not exist."))
SPECIAL_FILE: Final = Template(
    "sandbox.files.special", gettext_noop("The folder with the bot's files contains a link or a special file.")
)
FOLDER_TOO_LARGE: Final = Template(
    "sandbox.files.too_large", gettext_noop("The folder with the bot's files is too large for the sandbox.")
)
FOLDER_UNREADABLE: Final = Template(
    "sandbox.files.unreadable", gettext_noop("The folder with the bot's files could not be read (%(error)s).")
)
FOLDER_NOT_COPIED: Final = Template(
    "sandbox.files.not_copied", gettext_noop("The bot's files could not be copied into the sandbox (%(error)s).")
)
NO_BOT_FOLDERS: Final = Template(
    "sandbox.files.no_bot_folders", gettext_noop("The sandbox could not create the folder for bots (%(error)s).")
)

NOT_STARTED: Final = Template("sandbox.not_started", gettext_noop("A bot's process could not be started (%(error)s)."))
NOT_ISOLATED: Final = Template("sandbox.not_isolated", gettext_noop("The sandbox could not isolate a bot's process."))
ENDED_EARLY: Final = Template(
    "sandbox.ended_early",
    gettext_noop("A bot's process ended with wait status %(status)s while the sandbox was isolating it."),
)
UNIDENTIFIED: Final = Template("sandbox.unidentified", gettext_noop("The kernel did not identify a bot's process."))
REQUEST_TOO_LARGE: Final = Template(
    "sandbox.request.too_large",
    gettext_noop("A message to a bot is %(size)s bytes long; the sandbox's limit is %(limit)s bytes."),
)
NOT_SENT: Final = Template(
    "sandbox.request.not_sent", gettext_noop("A message to a bot could not be sent (%(error)s).")
)
PARTLY_SENT: Final = Template(
    "sandbox.request.partly_sent",
    gettext_noop("The kernel accepted only %(sent)s of the %(size)s bytes of a message to a bot."),
)
NOT_RECEIVED: Final = Template(
    "sandbox.answer.not_received", gettext_noop("A bot's messages could not be received (%(error)s).")
)
NOT_MEASURED: Final = Template(
    "sandbox.time.not_measured", gettext_noop("The time used by a bot's process could not be measured (%(error)s).")
)
STATE_UNKNOWN: Final = Template(
    "sandbox.state.unknown", gettext_noop("The state of a bot's process could not be determined (%(error)s).")
)
ABANDONED: Final = Template(
    "sandbox.abandoned", gettext_noop("The sandbox abandoned a bot's process before confirming that it had ended.")
)
NOT_REMOVED: Final = Template(
    "sandbox.not_removed", gettext_noop("A bot's process was killed, but the kernel has not removed it yet.")
)
SIGNAL_NOT_SENT: Final = Template(
    "sandbox.signal.not_sent", gettext_noop("The signal %(signal)s could not be sent to a bot's process (%(error)s).")
)

SANDBOX_MESSAGES: Final = templates_by_code(*(value for value in list(vars().values()) if isinstance(value, Template)))


def error_name(error: Exception) -> str:
    """Return the name of a system error, such as ENOSPC, or the type of any other exception."""
    number = error.errno if isinstance(error, OSError) else None
    return errno.errorcode.get(number, type(error).__name__) if number else type(error).__name__
