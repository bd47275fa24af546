"""The guide states the limits that this arena enforces on bots."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.test import override_settings

from arena.core.referee.faults import FaultKind
from arena.core.sandbox.jail.limits import JailLimits
from arena.games.registry import GAMES, PACKAGES
from arena.games.templatetags.games import within_turn
from arena.pages.guide import guide_facts


@pytest.mark.parametrize(("mode", "own_tmp"), [("auto", True), ("namespaces", True), ("landlock", False)])
def test_private_tmp_depends_on_the_sandbox_mode(mode: str, own_tmp: bool) -> None:
    with override_settings(SANDBOX_MODE=mode):
        assert (guide_facts().tmp_mb, guide_facts().own_tmp) == (JailLimits().tmp_mb, own_tmp)


def test_guide_explains_every_fault_of_a_bot() -> None:
    assert {one.kind for one in guide_facts().faults} == set(FaultKind) - {FaultKind.RESIGNED}


@pytest.mark.parametrize("game", GAMES)
def test_limit_on_illegal_answers_is_in_the_words_of_the_game(game: str) -> None:
    (meaning,) = (one.meaning for one in guide_facts(game).faults if one.kind == FaultKind.ILLEGAL_MOVE)
    assert within_turn(game) in str(meaning)


def test_guide_lists_every_script_dialect() -> None:
    games = guide_facts().games
    listed = {(dialect.name, game.name) for game in games for dialect in game.dialects}
    assert listed == {(name, game) for game, one in PACKAGES.items() for name in import_module(one.sdk).SDK.names}
    assert {script.anchor for game in games for script in game.scripts} == {"botzone-", "codingame-", "golden-lines-"}
    assert all(script.source for game in games for script in game.scripts)
