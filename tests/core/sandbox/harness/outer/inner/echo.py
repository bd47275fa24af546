"""A harness that greets and then sends every message back."""

import os


def main(channel: int, bot_dir: str) -> None:
    os.write(channel, bot_dir.encode())
    while message := os.read(channel, 262_144):
        os.write(channel, message)
