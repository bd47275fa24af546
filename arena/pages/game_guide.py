"""The guide to one game for bot authors: a tutorial and a reference.

Both show code that really runs: the tutorial shows the bots of its steps; the reference shows the class of the game's
state with values from a match, and complete bots.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from arena.accounts.permissions import Person
from arena.games.base import IntegerSetting
from arena.games.bot_packages import example_bots, tutorial_steps
from arena.games.registry import GAMES, has_tables
from arena.games.site import AnswerExample, Text
from arena.games.sites import SITES
from arena.matches.match_limits import default_move_seconds
from arena.pages.guide import GameFacts, GuideFacts, guide_facts
from arena.pages.state_examples import Member, state_examples
from arena.studio.completions import class_description, completions
from arena.studio.drafts import Workspace, draft_of
from arena.studio.playing import MOVE_SECONDS
from arena.ui.code_texts import translated_source


@dataclass(frozen=True, slots=True)
class TutorialStep:
    """The complete bot of one tutorial step; ``anchor``: prefix of the ids of its lines."""

    number: int
    source: str
    anchor: str


@dataclass(frozen=True, slots=True)
class ExampleListing:
    """A complete bot under its title; ``anchor``: prefix of the ids of its lines."""

    title: str
    source: str
    anchor: str


@dataclass(frozen=True, slots=True)
class MemberReference:
    """A member of a class; ``example``: an interactive session, "" for none."""

    name: str
    signature: str
    doc: str
    example: str


@dataclass(frozen=True, slots=True)
class ClassReference:
    """A class; ``about``: its docstring without the descriptions of attributes; ``example``: as for members."""

    name: str
    about: str
    example: str
    members: tuple[MemberReference, ...]


@dataclass(frozen=True, slots=True)
class SettingReference:
    """An integer setting of a match; ``name``: as in ``--set``. ``choices``: the values that have labels."""

    name: str
    label: Text
    default: int
    minimum: int
    maximum: int
    choices: tuple[tuple[int, Text], ...]


@dataclass(frozen=True, slots=True)
class GameLimits:
    """The limits that depend on the game.

    ``continues``: whether a match continues without a bot that commits a fault. ``studio_seconds``: the time for a
    move in the studio; ``tournament_seconds``: the default in tournaments.
    """

    min_seats: int
    max_seats: int
    continues: bool
    studio_seconds: float
    tournament_seconds: float
    settings: tuple[SettingReference, ...]


@dataclass(frozen=True, slots=True)
class GameGuide:
    """The guide to a game.

    ``own``: the game's part of the general guide. ``templates``: the first one that exists is the tutorial.
    ``classes``: the class of the argument of ``get_move``, then the classes of its members. ``answers``: accepted and
    rejected answers in the position that the examples of these classes show. ``has_draft``: whether the reader has a
    draft of a new bot; opening a tutorial step would replace that draft.
    """

    own: GameFacts
    templates: tuple[str, ...]
    steps: tuple[TutorialStep, ...]
    classes: tuple[ClassReference, ...]
    answers: tuple[AnswerExample, ...]
    limits: GameLimits
    examples: tuple[ExampleListing, ...]
    facts: GuideFacts
    has_draft: bool


def game_guide(game: str, reader: Person) -> GameGuide | None:
    """Return the guide; None if the site does not have the game."""
    if game not in GAMES:
        return None
    facts = guide_facts(game)
    (own,) = (one for one in facts.games if one.name == game)
    return GameGuide(
        own=own,
        templates=(f"{game}/tutorial.html", "games/tutorial.html"),
        steps=tuple(
            TutorialStep(number, translated_source(source), f"step-{number}-")
            for number, source in enumerate(tutorial_steps(game), start=1)
        ),
        classes=tuple(_classes(game)),
        answers=SITES[game].answers,
        limits=_limits(game),
        examples=tuple(_examples(game)),
        facts=facts,
        has_draft=not isinstance(reader, AnonymousUser) and draft_of(Workspace(reader, game)) is not None,
    )


def _classes(game: str) -> Iterator[ClassReference]:
    examples = state_examples(game)
    for one in completions(game)["classes"].values():
        members = tuple(
            MemberReference(
                member["name"],
                member["signature"],
                member["doc"],
                examples.get(Member(one["name"], member["name"]), ""),
            )
            for member in one["members"]
        )
        yield ClassReference(one["name"], class_description(one["doc"]), examples.get(Member(one["name"]), ""), members)


def _limits(game: str) -> GameLimits:
    rules, site = GAMES[game], SITES[game]
    settings = (
        SettingReference(one.name, text.label, one.default, one.minimum, one.maximum, tuple(text.choices.items()))
        for one in rules.schema
        if isinstance(one, IntegerSetting) and (text := site.settings.get(one.name))
    )
    return GameLimits(
        min_seats=rules.min_seats,
        max_seats=rules.max_seats,
        continues=has_tables(game),
        studio_seconds=default_move_seconds(game, MOVE_SECONDS),
        tournament_seconds=site.tournament.move_seconds,
        settings=tuple(settings),
    )


def _examples(game: str) -> Iterator[ExampleListing]:
    for bot in example_bots(game):
        source = translated_source(bot.source)
        title = (ast.get_docstring(ast.parse(source)) or bot.name).split("\n")[0].rstrip(".。")
        yield ExampleListing(title, source, f"{bot.name}-")
