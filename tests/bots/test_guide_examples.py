"""The examples in the guide show what really happens: values of the state, accepted and rejected answers, and bots."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena.core.sandbox.uploads.package import MAIN, read_package
from arena.games.bot_packages import ExampleBot, example_bots
from arena.games.registry import GAMES
from arena.games.site import AnswerExample
from arena.games.sites import SITES
from arena.pages.state_examples import Member, state_examples
from arena.studio.completions import completions
from tests.bots.example_position import example_position
from tests.bots.state_examples import current_examples, examples_path
from tests.bots.test_tutorials import CLAIMS, house_bot, play

ANSWERS = [(game, one) for game, site in SITES.items() for one in site.answers]
BOTS = [(game, bot) for game in GAMES for bot in example_bots(game)]


@pytest.mark.parametrize("game", GAMES)
def test_examples_of_the_state_are_current(game: str) -> None:
    """``python -m tests.bots.state_examples`` updates them."""
    text = examples_path(game).read_text(encoding="utf-8")
    assert current_examples(game, text) == text


@pytest.mark.parametrize("game", GAMES)
def test_every_member_of_the_state_has_an_example(game: str) -> None:
    classes = completions(game)["classes"].values()
    members = {Member(one["name"], member["name"]) for one in classes for member in one["members"]}
    assert members <= state_examples(game).keys()


@pytest.mark.parametrize(("game", "example"), ANSWERS, ids=lambda one: getattr(one, "code", one))
def test_answer_is_accepted_as_the_guide_says(game: str, example: AnswerExample) -> None:
    position = example_position(game)
    value = eval(example.code, {**position.names, "numpy": np})
    assert (position.rejection(value) is None) is example.accepted


def test_every_game_has_examples() -> None:
    for game in GAMES:
        assert {one.accepted for one in SITES[game].answers} == {True, False}
        assert len(example_bots(game)) > 1


@pytest.mark.parametrize(("game", "bot"), BOTS, ids=lambda one: getattr(one, "name", one))
def test_example_bot_plays_without_a_fault(game: str, bot: ExampleBot, tmp_path: Path) -> None:
    weakest = house_bot(game, SITES[game].bosses[0])
    for number, settings in enumerate(CLAIMS[game].trials):
        source = bot.source.replace("SECONDS = 1 ", "SECONDS = 0.01 ")
        result = play(tmp_path, game, (read_package(source.encode(), MAIN), weakest), settings, number)
        assert not any(result.rejected)
