"""The arena's own bots: modules below HOUSE_BOTS_DIR that enter by everybody's upload path."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from django.conf import settings

from arena.accounts.services import house_account
from arena.games import GAMES
from arena.sandbox.module_package import read_module
from arena.submissions import services
from arena.submissions.models import Bot
from arena.submissions.services import BotDraft, SameContent, Upload, UploadRefused

_DESCRIPTION_LENGTH = 300


def install_house_bots(*, now: datetime) -> list[int]:
    """Upload every house bot that is new or changed; the ids of the submissions made."""
    owner = house_account()
    known = {(bot.game, bot.name): bot for bot in Bot.objects.filter(owner=owner)}
    made = []
    for game, path in modules():
        draft = draft_of(game, path)
        package = read_module(path)
        upload = Upload(package, path.name, sum(len(file.data) for file in package.files))
        bot = known.get((game, draft.name))
        if bot is None:
            made.append(services.create_bot(owner, draft, upload, now=now).pk)
            continue
        services.describe(bot.pk, draft.name, draft.description)
        try:
            made.append(services.submit(bot.pk, upload, now=now).pk)
        except SameContent as same:
            _play_again(bot, same.submission_id)
    return made


def _play_again(bot: Bot, submission_id: int) -> None:
    """The code went back to an earlier version: so does the bot, if that version passed."""
    if bot.active_id not in (None, submission_id):
        with contextlib.suppress(UploadRefused):
            services.activate(submission_id)


def modules() -> Iterator[tuple[str, Path]]:
    """Game and file of every house bot."""
    for game in GAMES:
        for path in sorted((settings.HOUSE_BOTS_DIR / game).glob("*.py")):
            if not path.name.startswith("_"):
                yield game, path


def draft_of(game: str, path: Path) -> BotDraft:
    """Named after its file, described by the first sentence of its docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_bytes())) or ""
    return BotDraft(
        game=game,
        name=path.stem.replace("_", " ").capitalize(),
        description=first_sentence(docstring)[:_DESCRIPTION_LENGTH],
        is_house=True,
    )


def first_sentence(text: str) -> str:
    """Up to the first full stop that a space or the end follows, on one line."""
    line = " ".join(text.split())
    end = re.search(r"[.!?](?=\s|$)", line)
    return line[: end.end()] if end else line
