"""Define the processes that make up the arena on one machine."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping

from arena.platform.supervisor import broker
from arena.platform.supervisor.options import Options
from arena.platform.supervisor.processes import ChildSpec, Escalation

# Preloads the code of the web server, the workers and beat, which are started by forking.
CODE = "arena.platform.preload"

# Shutdown may take 5 s: at most 2.8 s for the first stage and 1.2 s for the broker, which stops after its clients.
WEB_END: Escalation = ((0.0, signal.SIGTERM), (2.8, signal.SIGKILL))
# SIGTERM lets a worker finish its tasks, SIGQUIT makes it return them to the queue; interrupted matches are claimed
# again.
WORKER_END: Escalation = ((0.0, signal.SIGTERM), (1.0, signal.SIGQUIT), (2.8, signal.SIGKILL))
BROKER_END: Escalation = ((0.0, signal.SIGTERM), (1.2, signal.SIGKILL))


def environment(options: Options, inherited: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables of all child processes: ``inherited``, and those that ``options`` determine."""
    return {
        **inherited,
        "ALLOWED_HOSTS": options.allowed_hosts,
        "ARENA_VAR": str(options.var),
        "DJANGO_SETTINGS_MODULE": "arena.settings",
        "PYTHONUNBUFFERED": "1",
        # Celery warns against running as root because of pickled messages. Ours are JSON, and bots run in the jail.
        "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        "REDIS_URL": options.redis_url or broker.broker_url(options.var),
        "SITE_URL": inherited.get("SITE_URL") or options.address,
    }


def broker_child(options: Options, variables: Mapping[str, str]) -> ChildSpec:
    return ChildSpec("broker", broker.broker_command(broker.find_server(), options.var), variables, BROKER_END, stage=1)


def site_children(options: Options, variables: Mapping[str, str]) -> list[ChildSpec]:
    """Return the specifications of the site's child processes: the web server, the workers and beat."""
    return [
        ChildSpec("web", _web_command(options), variables, WEB_END, copies=True),
        _worker_spec("control", 1, variables),
        _worker_spec("mail", 1, variables),
        _worker_spec("webhooks", 1, variables),
        _worker_spec("checks,hints", 2, variables),  # a separate queue, so that slow scrimmages do not delay them
        _worker_spec("scrimmages,runs,hints", 2, variables),
        _worker_spec("hosted", 1, variables),  # one process runs the bots of many sessions
        _worker_spec("duels,hints", options.duels, variables),
        _worker_spec("matches,ladder,runs,hints", options.concurrency, variables),
        _worker_spec("analysis,exports", 1, variables),
        ChildSpec("beat", _celery("beat", "--pidfile="), variables, WEB_END, copies=True),
    ]


def _web_command(options: Options) -> tuple[str, ...]:
    flags = {
        "host": options.host,
        "port": str(options.port),
        "ws": "websockets-sansio",  # takes a third of the default's time per message
        "ws-per-message-deflate": "false",
        "ws-max-size": "4096",  # browsers send no messages
        "timeout-graceful-shutdown": "2",
        "lifespan": "on",  # games' services start with the server, not with the first request
        "log-level": "warning",
    }
    arguments = [part for name, value in flags.items() for part in (f"--{name}", value)]
    return (
        sys.executable,
        "-m",
        "uvicorn",
        "arena.asgi:application",
        "--no-server-header",
        "--no-proxy-headers",
        *arguments,
    )


def _worker_spec(queues: str, concurrency: int, variables: Mapping[str, str]) -> ChildSpec:
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    name = queues.partition(",")[0]
    argv = _celery("worker", "-Q", queues, "-n", f"{name}-{os.getpid()}@%h", "-c", str(concurrency), *quiet)
    return ChildSpec(f"worker-{name}", argv, variables, WORKER_END, copies=True)


def _celery(command: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "celery", "-A", "arena.celery", "--quiet", command, "-l", "WARNING", *arguments)
