"""Start the site in order: code, data, broker, seed content, then everything else simultaneously."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping

from arena.platform.supervisor import broker, children
from arena.platform.supervisor.loop import Loop
from arena.platform.supervisor.options import Options, StartupError
from arena.platform.supervisor.output import Output
from arena.platform.supervisor.prepare import Preparation
from arena.platform.supervisor.processes import ChildSpec

READY_SECONDS = 60.0  # the broker may take long to load a large append-only file
NAME_WIDTH = 18
# Valkey's warnings about the machine do not belong in the terminal; its log file has them.
SILENT = frozenset({"broker"})


class Site:
    """The arena on this machine."""

    def __init__(self, options: Options, inherited: Mapping[str, str], say: Callable[[str], None]) -> None:
        self._options, self._say = options, say
        self._variables = children.environment(options, inherited)

    def run(self) -> None:
        """Run until a stop signal; raises StartupError if the site cannot start. No process is left afterwards."""
        output = Output(self._options.logs, self._say, width=NAME_WIDTH, silent=SILENT)
        Loop(self._options.root, output, self._say).run(self._start)

    def _start(self, loop: Loop) -> None:
        def run(*argv: str) -> int:
            return loop.run_step(ChildSpec("prepare", argv, self._variables, copies=True))

        self._load(loop)
        preparation = Preparation(self._options, say=self._say, run=run)
        preparation.prepare_checkout()
        preparation.check_jail()
        if not self._options.redis_url:
            loop.add(children.broker_child(self._options, self._variables))
            self._wait_until_ready(loop, "broker", lambda: broker.is_responding(broker.socket_path(self._options.var)))
        preparation.seed()
        for spec in children.site_children(self._options, self._variables):
            loop.add(spec)
        self._wait_until_ready(loop, "web server", self._accepts_connections)
        self._say(f"The arena runs at {self._options.address}")
        self._say("To become an organizer, sign up there and run: make organizer USER=name (Ctrl-C stops the arena)")

    def _load(self, loop: Loop) -> None:
        try:
            loop.load(children.CODE, self._variables)
        except Exception as error:
            raise StartupError(
                f"The site's code cannot be loaded: {type(error).__name__}: {error}\nFix the error, then restart."
            ) from error

    def _wait_until_ready(self, loop: Loop, what: str, ready: Callable[[], bool]) -> None:
        sentence = f"The {what} did not respond within {READY_SECONDS:g} s. See the logs in {self._options.logs}."
        loop.wait_until(ready, READY_SECONDS, sentence)

    def _accepts_connections(self) -> bool:
        try:
            socket.create_connection((self._options.reachable_host, self._options.port), timeout=1).close()
        except OSError:
            return False
        return True
