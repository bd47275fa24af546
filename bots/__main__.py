"""``python -m bots``: play matches, check a bot and start a new one on this machine."""

import sys

from bots.cli.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
