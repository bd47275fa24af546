"""``python -m bots``: play matches, check a bot and start a new one on this machine."""

import io
import sys

from bots.cli.commands import main

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):  # the terminal's encoding may not cover a bot's name
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
