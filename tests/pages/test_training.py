"""The training page documents the environment of every game that has one."""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest
from django.test import Client
from django.urls import reverse

from arena.games.bot_packages import bots_folder
from arena.games.sites import SITES
from arena.pages.training import trainer_source, training_facts
from bots import env
from bots.env.description import load_environment
from tests.pages.training_page import code_blocks, train_page

pytestmark = pytest.mark.django_db


def test_page_lists_games_with_an_environment() -> None:
    assert {name for name, site in SITES.items() if site.learning} == set(env.names())
    assert set(training_facts("").games) == set(env.names())
    usual = training_facts("").learning
    assert usual.compiled  # a game that agents learn quickly
    assert training_facts("no game").learning == usual


@pytest.mark.parametrize("game", env.names())
def test_documented_environment_matches_the_real_one(game: str) -> None:
    learning, one = SITES[game].learning, load_environment(game)
    assert learning is not None
    assert re.match(rf"{one.encoding.SIZE}\b", str(learning.observation))
    actions = env.make(game, **one.short).action_space("player_0")
    if hasattr(actions, "n"):
        assert re.match(rf"{actions.n}\b", str(learning.actions))
    for name in filter(None, (learning.opponent, learning.rival)):
        assert (bots_folder(game) / "house" / f"{name}.py").is_file()


@pytest.mark.long
@pytest.mark.parametrize("game", env.names())
def test_example_code_plays_a_whole_match(game: str) -> None:
    (code,) = code_blocks(train_page(game), "python")
    names: dict[str, object] = {}
    exec(code, names)
    assert not names["table"].agents  # type: ignore[attr-defined]


def test_commands_are_for_the_selected_game() -> None:
    for game in env.names():
        install, train, play, *compiled = code_blocks(train_page(game), "shell")
        assert bool(compiled) == bool(find_spec(f"bots.{game}.training.selfplay"))
        assert "pip install" in install
        assert f"bots.env.ppo {game} --minutes 5" in train
        assert f"bots check {game}.zip --game {game}\n" in play


def test_page_is_translated_and_linked() -> None:
    assert "训练" in train_page("", **{"accept-language": "zh-hans"})
    for name in ("bot-guide", "learn"):
        assert reverse("train-guide") in Client().get(reverse(name)).content.decode()


def test_training_script_can_be_downloaded() -> None:
    response = Client().get(reverse("trainer"))
    assert response["Content-Disposition"] == 'attachment; filename="ppo.py"'
    assert response.content.decode() == trainer_source()
    compile(trainer_source(), "ppo.py", "exec")
