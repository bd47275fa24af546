"""``python -m bots``: play matches, check a bot and start a new one on this machine."""

import io
import sys

from bots.cli.commands import main

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):  # a bot's name need not be in the terminal's alphabet
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
