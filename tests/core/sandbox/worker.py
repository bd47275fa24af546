"""A worker for tests to kill: it starts bots that ignore signals, reports all process ids and waits."""

from __future__ import annotations

import dataclasses
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from arena.core.sandbox.config import Mode
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.configs import create_config
from tests.core.sandbox.jailed_bots import JailedBot, jailed_bot

BODY = """
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
send('on')
while True: signal.pause()
"""


def family(parent: int) -> Iterator[int]:
    """Yield the ids of all descendants of a process."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = Path(entry, "stat").read_text()
            except OSError:
                continue
            if int(stat.rpartition(")")[2].split()[1]) == parent:
                yield int(entry.name)
                yield from family(int(entry.name))


def main(bots: int, mode: Mode) -> None:
    with ExitStack() as stack:
        config = stack.enter_context(create_config(mode))
        server = stack.enter_context(ForkServer(dataclasses.replace(config, libraries=(), preload=())))
        cells: list[JailedBot] = [stack.enter_context(jailed_bot(server, BODY)) for _ in range(bots)]
        for bot in cells:
            bot.receive()
        assert server.server_id is not None
        print(json.dumps({"server": server.server_id, "all": sorted(family(server.server_id))}), flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    arguments = int(sys.argv[1]), Mode(sys.argv[2])
    if sys.argv[3:] == ["thread"]:
        # A daemon thread, as in a thread pool: only the socket then tells the server that the worker has exited.
        threading.Thread(target=main, args=arguments, daemon=True).start()
        threading.Event().wait()
    main(*arguments)
