"""Facts for the bot authors' guide, read from the code that enforces them."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from django.conf import settings
from django.utils.functional import Promise

from arena.core.referee.spec import MatchLimits
from arena.core.sandbox.config import Mode
from arena.core.sandbox.isolation.scratch_folder import MAX_WRITTEN
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.uploads.package import MAX_ARCHIVE_BYTES, MAX_FILES, MAX_SOURCE_BYTES, MAX_UNPACKED_BYTES
from arena.games.bot_packages import script_example, starter
from arena.games.localized_messages import FAULT_LABELS, FAULT_MEANINGS
from arena.games.registry import GAMES
from arena.games.site import GameSite, ScriptDialect
from arena.games.sites import SITES
from arena.games.templatetags.games import within_turn
from arena.ui.code_texts import translated_source


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A row of the table of faults."""

    kind: str
    label: str | Promise
    meaning: str | Promise


@dataclass(frozen=True, slots=True)
class ScriptExample:
    """The source of a script written for another site; ``anchor``: the prefix of each line's HTML id."""

    title: str | Promise
    anchor: str
    source: str


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A game's part of the guide.

    ``templates``: candidates; the first that exists is used; ``opponent``: a quick house bot.
    """

    name: str
    anchor: str
    templates: tuple[str, ...]
    starter: str
    opponent: str
    dialects: tuple[ScriptDialect, ...]
    scripts: tuple[ScriptExample, ...]


@dataclass(frozen=True, slots=True)
class GuideFacts:
    """The facts for the guide. The name of a field that contains a size ends with the unit."""

    python: str
    limits: MatchLimits
    first_move_seconds: float  # in the upload check, a slower first move is reported
    memory_mb: int
    log_kb: int
    tmp_mb: int
    tmp_files: int
    written_files: int  # open for writing at once, if the bot has no /tmp
    own_tmp: bool  # whether a bot has its own /tmp
    threads: int
    source_mb: int
    archive_mb: int
    unpacked_mb: int
    files: int
    faults: tuple[FaultRow, ...]
    games: tuple[GameFacts, ...]


def guide_facts(game: str = "") -> GuideFacts:
    """Return the facts for bots of a game, in the game's own terms; "" stands for any game."""
    jail, megabyte = JailLimits(), 1024 * 1024
    mode = Mode(settings.SANDBOX_MODE).effective_mode
    return GuideFacts(
        python=platform.python_version(),
        limits=MatchLimits(),
        first_move_seconds=settings.CHECK_FIRST_MOVE_SECONDS,
        memory_mb=jail.memory_mb,
        log_kb=jail.log_bytes // 1024,
        tmp_mb=jail.tmp_mb,
        tmp_files=jail.tmp_files,
        written_files=MAX_WRITTEN,
        own_tmp=mode is Mode.NAMESPACES,
        threads=jail.threads,
        source_mb=MAX_SOURCE_BYTES // megabyte,
        archive_mb=MAX_ARCHIVE_BYTES // megabyte,
        unpacked_mb=MAX_UNPACKED_BYTES // megabyte,
        files=MAX_FILES,
        faults=tuple(
            FaultRow(kind, FAULT_LABELS[kind], meaning % {"within": within_turn(game)})
            for kind, meaning in FAULT_MEANINGS.items()
        ),
        games=tuple(_game_facts(name, site) for name, site in SITES.items()),
    )


def _game_facts(name: str, site: GameSite) -> GameFacts:
    scripts = (
        ScriptExample(one.example_title, f"{one.name}-", translated_source(script_example(name, one.example)))
        for one in site.dialects
        if one.example
    )
    return GameFacts(
        name=name,
        anchor=name.replace("_", "-"),
        templates=(f"{name}/guide.html", "games/guide.html"),
        starter=translated_source(starter(name)),
        opponent=GAMES[name].trial.opponent,
        dialects=site.dialects,
        scripts=tuple(scripts),
    )


@dataclass(frozen=True, slots=True, order=True)
class Library:
    """A distribution: its package name, version and one-line summary."""

    name: str
    version: str
    summary: str


def libraries(folder: Path) -> list[Library]:
    """Return every distribution in the folder, sorted by name; empty if the folder does not exist."""
    return sorted(
        Library(found.metadata["Name"], found.version, found.metadata["Summary"] or "")
        for found in distributions(path=[str(folder)])
    )
