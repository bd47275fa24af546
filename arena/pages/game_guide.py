"""The guide to one game for bot authors: a tutorial and a reference.

Both show code that really runs: the tutorial shows the bots of its steps, and the reference shows the class of the
game's state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser

from arena.accounts.permissions import Person
from arena.games.bot_packages import tutorial_steps
from arena.games.registry import GAMES
from arena.pages.guide import GameFacts, GuideFacts, guide_facts
from arena.studio.completions import completions
from arena.studio.drafts import Workspace, draft_of
from arena.ui.code_texts import translated_source


@dataclass(frozen=True, slots=True)
class TutorialStep:
    """The complete bot of one tutorial step; ``anchor``: prefix of the ids of its lines."""

    number: int
    source: str
    anchor: str


@dataclass(frozen=True, slots=True)
class ClassReference:
    """A class; ``members``: its members in the format of ``completions``; ``about``: the start of its docstring."""

    name: str
    about: str
    members: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class GameGuide:
    """The guide to a game.

    ``own``: the game's part of the general guide. ``templates``: the first one that exists is the tutorial.
    ``classes``: the class of the argument of ``get_move``, then the classes of its members. ``has_draft``: whether the
    reader has a draft of a new bot; opening a tutorial step would replace that draft.
    """

    own: GameFacts
    templates: tuple[str, ...]
    steps: tuple[TutorialStep, ...]
    classes: tuple[ClassReference, ...]
    facts: GuideFacts
    has_draft: bool


def game_guide(game: str, reader: Person) -> GameGuide | None:
    """Return the guide; None if the site does not have the game."""
    if game not in GAMES:
        return None
    facts = guide_facts()
    (own,) = (one for one in facts.games if one.name == game)
    return GameGuide(
        own=own,
        templates=(f"{game}/tutorial.html", "games/tutorial.html"),
        steps=tuple(
            TutorialStep(number, translated_source(source), f"step-{number}-")
            for number, source in enumerate(tutorial_steps(game), start=1)
        ),
        classes=tuple(
            ClassReference(one["name"], one["doc"].split("\n\n")[0], one["members"])
            for one in completions(game)["classes"].values()
        ),
        facts=facts,
        has_draft=not isinstance(reader, AnonymousUser) and draft_of(Workspace(reader, game)) is not None,
    )
