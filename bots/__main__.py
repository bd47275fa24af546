"""``python -m bots``: create and check bots, play matches on this machine, and submit bots to an arena."""

import io
import sys
import traceback

from bots.cli.commands import ARENA_FAILED, main

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):  # the terminal may be unable to encode a bot's name
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = main(sys.argv[1:])
    except Exception:  # noqa: BLE001 - our defect; Python's own status 1 would say that the bot failed
        traceback.print_exc()
        status = ARENA_FAILED
    sys.exit(status)
