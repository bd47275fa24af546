"""The fork server of this worker process; it starts every bot.

Invariants: there is one server per process, never inherited across a fork; it starts with the first bot, and no bot
runs before the self-test has passed.
"""

from __future__ import annotations

import atexit
import logging
import os
from dataclasses import dataclass

from arena.core.sandbox import self_test
from arena.core.sandbox.errors import SandboxError, SandboxFailure
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.platform.workers.jail_settings import sandbox_config
from arena.platform.workers.services import record_refusal
from arena.submissions.store import delete_abandoned_folders

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _StartedServer:
    pid: int
    server: ForkServer


_started: _StartedServer | None = None
_logged_reason = ""  # the newest reason, which is not logged again


def fork_server() -> ForkServer:
    """Return this process's server, after starting and testing it if it is not running.

    Raises SandboxUnavailable if this machine cannot isolate bots, and SandboxFailure if the sandbox fails.
    """
    global _started
    if _started is not None and (_started.pid != os.getpid() or not _started.server.alive):
        close_fork_server()
    if _started is None:
        delete_abandoned_folders()
        server = ForkServer(sandbox_config())
        server.start()
        _require_no_escapes(server)
        _started = _StartedServer(os.getpid(), server)
        atexit.register(close_fork_server)
        logger.info("bots run in mode %s, preloaded: %s", server.mode, ", ".join(server.preloaded) or "nothing")
    return _started.server


def fork_server_if_possible(waiting: str) -> ForkServer | None:
    """Return this process's server (see ``fork_server``), or None if this worker cannot run bots.

    If it cannot, the reason is logged once, and the worker is marked as refusing bots for a while. ``waiting``:
    a description, for the log, of the work that then has to wait for another worker.
    """
    global _logged_reason
    try:
        server = fork_server()
    except SandboxError as error:
        if _logged_reason != str(error):
            _logged_reason = str(error)
            logger.error("%s keeps waiting: %s", waiting, error)
        record_refusal(str(error))
        return None
    _logged_reason = ""
    return server


def close_fork_server() -> None:
    """Close this process's server; if a parent process owns the server, only close this process's handles to it."""
    global _started
    if _started is not None:
        _started.server.close()
        _started = None


def _require_no_escapes(server: ForkServer) -> None:
    escapes = self_test.run_self_test(server)
    if escapes:
        server.close()
        raise SandboxFailure("the self-test escaped from the sandbox: " + "; ".join(map(str, escapes)))
