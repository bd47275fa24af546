"""A harness that sends a greeting and then echoes every message."""

import os


def main(channel: int, bot_dir: str) -> None:
    os.write(channel, bot_dir.encode())
    while message := os.read(channel, 262_144):
        os.write(channel, message)
