"""Upload the house bots (modules in the folder ``house`` of each game) like any other bots.

The file ``texts.toml`` in the same folder contains the bots' descriptions in other languages.
"""

from __future__ import annotations

import ast
import contextlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from arena.accounts.services import house_account
from arena.core.sandbox.uploads.module_package import read_module
from arena.games.bot_packages import house_folders
from arena.games.sites import SITES
from arena.platform.refusal import Refused
from arena.submissions import services
from arena.submissions.models import Bot
from arena.submissions.services import BotDraft, Upload
from arena.ui.localized import ENGLISH

_DESCRIPTION_LENGTH = 300


def install_house_bots(*, now: datetime) -> list[int]:
    """Upload all new and changed house bots; return the ids of the new submissions.

    A bot whose file was deleted remains unchanged, and a retired bot remains retired.
    """
    owner = house_account()
    known = {(bot.game, bot.name): bot for bot in Bot.objects.filter(owner=owner)}
    made = []
    for module, upload, draft in _modules_in_check_order():
        game = module.game
        bot = known.get((game, draft.name)) or known.get((game, default_bot_name(module)))
        if bot is None:
            made.append(services.create_bot(owner, draft, upload, now=now).pk)
            continue
        if bot.level != module.level:
            Bot.objects.filter(pk=bot.pk).update(level=module.level)
        services.update_bot(bot.pk, draft.name, draft.description, plays_people=bot.plays_people, texts=draft.texts)
        if bot.retired:
            continue
        try:
            made.append(services.submit(bot.pk, upload, now=now).pk)
        except Refused as refusal:
            if refusal.code != services.SAME_CONTENT:
                raise
            _reactivate(bot, refusal.facts["submission"])
    return made


def _modules_in_check_order() -> list[tuple[HouseModule, Upload, BotDraft]]:
    """Return the house bots in the order in which to check them: demonstrated ones first, difficulty levels last.

    Within each group, smaller bots come first, because the check of a bot with an engine takes a long time.
    """
    found = []
    for module in house_modules():
        package = read_module(module.path, module.top)
        upload = Upload(package, module.path.name, sum(len(file.data) for file in package.files))
        found.append((module, upload, draft_of(module)))
    return sorted(found, key=lambda one: (one[0].level or 0, not _is_demonstrated(one[2]), one[1].size))


def _is_demonstrated(draft: BotDraft) -> bool:
    """Return whether a demonstration tournament of a new installation is waiting for this bot."""
    demonstrations = SITES[draft.game].demonstrations
    return draft.level is None and any(not one.players or draft.name in one.players for one in demonstrations)


def _reactivate(bot: Bot, submission_id: int) -> None:
    """Reactivate an earlier version if the code was reverted to it and that version passed."""
    if bot.active_id not in (None, submission_id):
        with contextlib.suppress(Refused):
            services.activate(submission_id)


@dataclass(frozen=True, slots=True)
class HouseModule:
    """The file of a house bot; ``top``: the folder from which it may import; ``level``: see ``Bot.level``."""

    game: str
    path: Path
    top: Path
    level: int | None = None


def house_modules() -> Iterator[HouseModule]:
    """Yield every house bot.

    Difficulty levels for human players come last, because no other work waits for their checks.
    """
    folders = list(house_folders().items())
    for game, folder in folders:
        for path in sorted(folder.glob("*.py")):
            if not path.name.startswith("_"):
                yield HouseModule(game, path, folder)
    for game, folder in folders:
        for number, name in enumerate(_level_names(folder / "levels" / "__init__.py"), start=1):
            yield HouseModule(game, folder / "levels" / f"{name}.py", folder, number)


def _level_names(listing: Path) -> tuple[str, ...]:
    """Read ``LEVELS`` from a game's levels package without executing it; return () if it is not defined."""
    for node in ast.parse(listing.read_bytes()).body if listing.is_file() else ():
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "LEVELS" and node.value:
            names: tuple[str, ...] = ast.literal_eval(node.value)
            return names
    return ()


def draft_of(module: HouseModule) -> BotDraft:
    """Return the draft of a house bot: its docstring's first sentence is the description, the rest the introduction.

    ``texts.toml`` takes precedence.
    """
    docstring = ast.get_docstring(ast.parse(module.path.read_bytes())) or ""
    texts = _load_texts(module.top / "texts.toml").get(module.path.stem, {})
    english = {"introduction": list(paragraphs(docstring)), **texts.get(ENGLISH, {})}
    return BotDraft(
        game=module.game,
        name=english.get("name") or default_bot_name(module),
        description=first_sentence(docstring)[:_DESCRIPTION_LENGTH],
        is_house=True,
        level=module.level,
        texts={**texts, ENGLISH: english},
    )


@cache
def house_drafts(game: str) -> Mapping[str, BotDraft]:
    """Return the drafts of a game's house bots, keyed by file name."""
    return {module.path.stem: draft_of(module) for module in house_modules() if module.game == game}


def default_bot_name(module: HouseModule) -> str:
    return module.path.stem.replace("_", " ").capitalize()


def _load_texts(file: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Return translations by file and language, from a TOML file of ``[bot]`` tables with ``field.language`` keys."""
    raw = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for bot, fields in raw.items():
        for name, by_language in fields.items():
            for language, text in by_language.items():
                found.setdefault(bot, {}).setdefault(language, {})[name] = text
    return found


def first_sentence(text: str) -> str:
    """Return the text up to the first full stop that is followed by a space or ends the text, on one line."""
    line = " ".join(text.split())
    end = re.search(r"[.!?](?=\s|$)", line)
    return line[: end.end()] if end else line


def paragraphs(docstring: str) -> tuple[str, ...]:
    """Return the paragraphs after the first sentence, each joined into one line."""
    first, *others = [" ".join(part.split()) for part in docstring.split("\n\n")]
    rest = first.removeprefix(first_sentence(first)).strip()
    return tuple(part for part in (rest, *others) if part)
