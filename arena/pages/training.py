"""Data for the page about training, read from the games and their files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.core.sandbox.uploads.package import MAX_ARCHIVE_BYTES, MAX_FILES, MAX_UNPACKED_BYTES
from arena.games.bot_packages import package_folder
from arena.games.site import LearningEnvironment, Text
from arena.games.sites import SITES

_PACKAGE: Final = "bots.env"
_MEGABYTE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class TrainingFacts:
    """The data for the page about training.

    ``games``: the games that have an environment; ``game``: the game for which the page shows commands; ``bot``: the
    source code of a trained bot.
    """

    games: tuple[str, ...]
    game: str
    learning: LearningEnvironment
    bot: str
    archive_mb: int = MAX_ARCHIVE_BYTES // _MEGABYTE
    unpacked_mb: int = MAX_UNPACKED_BYTES // _MEGABYTE
    files: int = MAX_FILES


def training_facts(wanted: str) -> TrainingFacts:
    """Return the page's data for the requested game; by default, for a game that is quick to learn."""
    learnings = {name: site.learning for name, site in SITES.items() if site.learning}
    quick = next((name for name, one in learnings.items() if one.compiled), next(iter(learnings)))
    game = wanted if wanted in learnings else quick
    return TrainingFacts(tuple(learnings), game, learnings[game], _read_source("trained_bot.py"))


def q_learners() -> list[tuple[str, Text]]:
    """Return each game whose house bot uses Q-learning, with a description of what the bot learns."""
    return [
        (name, site.learning.q_learner) for name, site in SITES.items() if site.learning and site.learning.q_learner
    ]


def trainer_source() -> str:
    """Return the source of the training script."""
    return _read_source("ppo.py")


def _read_source(file: str) -> str:
    return (package_folder(_PACKAGE) / file).read_text(encoding="utf-8")
