"""The guide states the limits that this arena enforces on bots."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.test import override_settings

from arena.core.referee.faults import FaultKind
from arena.core.sandbox.jail.limits import JailLimits
from arena.games.registry import PACKAGES
from arena.pages.guide import guide_facts


@pytest.mark.parametrize(("mode", "own_tmp"), [("auto", True), ("namespaces", True), ("landlock", False)])
def test_private_tmp_depends_on_the_sandbox_mode(mode: str, own_tmp: bool) -> None:
    with override_settings(SANDBOX_MODE=mode):
        assert (guide_facts().tmp_mb, guide_facts().own_tmp) == (JailLimits().tmp_mb, own_tmp)


def test_guide_explains_every_fault_of_a_bot() -> None:
    assert {one.kind for one in guide_facts().faults} == set(FaultKind) - {FaultKind.RESIGNED}


def test_guide_lists_every_script_dialect() -> None:
    games = guide_facts().games
    listed = {(dialect.name, game.name) for game in games for dialect in game.dialects}
    assert listed == {(name, game) for game, one in PACKAGES.items() for name in import_module(one.sdk).SDK.names}
    assert {script.anchor for game in games for script in game.scripts} == {"botzone-", "codingame-", "golden-lines-"}
    assert all(script.source for game in games for script in game.scripts)
