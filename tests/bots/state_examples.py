"""Examples of a game's state, as doctests in ``bots/<game>/examples/state.txt``.

Run ``python -m tests.bots.state_examples`` after changing the state or the examples, to write the current values into
these files.
"""

from __future__ import annotations

import contextlib
import doctest
import io
from pathlib import Path

from arena.games.bot_packages import bots_folder
from arena.games.registry import GAMES
from tests.bots.example_position import example_position


def examples_path(game: str) -> Path:
    return bots_folder(game) / "examples" / "state.txt"


def current_examples(game: str, text: str) -> str:
    """Return the examples with their current values."""
    names, shown = example_position(game).names, []
    for example in doctest.DocTestParser().get_examples(text):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(example.source, "<example>", "single"), names)
        prompt = example.source.rstrip("\n").replace("\n", "\n... ")
        # A blank line would end the value.
        value = "".join(line if line.strip() else "<BLANKLINE>\n" for line in printed.getvalue().splitlines(True))
        shown.append(f">>> {prompt}\n{value}")
    return "\n".join(shown)


if __name__ == "__main__":
    for name in GAMES:
        path = examples_path(name)
        if path.is_file():
            path.write_text(current_examples(name, path.read_text(encoding="utf-8")), encoding="utf-8")
