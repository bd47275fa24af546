"""``python -m arena.platform.supervisor``: run the arena until Ctrl-C.

It is configured through environment variables; see ``options``.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from arena.platform.supervisor import lock
from arena.platform.supervisor.options import StartupError, check_port, from_environment
from arena.platform.supervisor.site import Site


def print_line(line: str) -> None:
    with suppress(OSError):  # a closed terminal or a full disk is no reason to stop the arena
        print(line, flush=True)


def main() -> int:
    try:
        options = from_environment(os.environ)
        with lock.installation_lock(options.var):
            check_port(options.host, options.port)
            Site(options, os.environ, print_line).run()
    except StartupError as refusal:
        print(refusal, file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
