"""A GitHub Actions workflow that submits a bot on every push to the main branch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from bots.cli.errors import CommandError

PATH: Final = Path(".github/workflows/arena.yml")
_TEXT: Final = """\
# Submits the bot to the arena on every push; the job fails if the bot fails its check.
# Repository secret ARENA_TOKEN: a token with the scopes submit and read, from your settings on the site.
# Repository variables ARENA_URL: the address of the site; ARENA_PACKAGE: the package or URL of the arena's commands.
name: arena
on:
  push:
    branches: [main]
permissions:
  contents: read
concurrency: arena
jobs:
  submit:
    runs-on: ubuntu-latest
    env:
      ARENA_URL: ${{{{ vars.ARENA_URL }}}}
      ARENA_TOKEN: ${{{{ secrets.ARENA_TOKEN }}}}
      BOT_FILE: {file}
      BOT_NAME: {name}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install "${{{{ vars.ARENA_PACKAGE }}}}"
      - run: python -m bots check "$BOT_FILE" --game {game}
      - run: python -m bots submit "$BOT_FILE" --name "$BOT_NAME" --game {game}
"""


def workflow_text(game: str, file: str, name: str) -> str:
    """Return the text of the workflow file."""
    return _TEXT.format(game=game, file=json.dumps(file), name=json.dumps(name))  # JSON strings are valid YAML


def write_workflow(game: str, bot: Path) -> Path:
    """Write the workflow file; return its path. Raises CommandError, for example if the file already exists."""
    try:
        PATH.parent.mkdir(parents=True, exist_ok=True)
        with PATH.open("x", encoding="utf-8") as opened:
            opened.write(workflow_text(game, bot.as_posix(), bot.stem))
    except FileExistsError:
        raise CommandError(f"{PATH} already exists. Delete or rename it first.", code="file_exists") from None
    except OSError as error:
        raise CommandError(
            f"Cannot write {PATH}: {error.strerror}. Check the permissions of its folder.", code="not_written"
        ) from None
    return PATH
