"""The command line and the site permit the same libraries, and bots can import them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.referee.jailed_player import JailedPlayer, jail_limits
from arena.core.referee.spec import MatchLimits
from arena.core.sandbox.config import SandboxConfig
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.games.bot_packages import sdk_packages
from bench import games
from bench.fixtures import BotConversation
from bots.cli.libraries import import_name, permitted_libraries, unknown_imports
from tests.core.sandbox.jailed_bots import LIBRARIES

ROOT = Path(__file__).parents[3]


def test_command_line_lists_the_sites_libraries() -> None:
    locked = (ROOT / "requirements-bots.txt").read_text(encoding="utf-8")
    assert permitted_libraries() == sorted(re.findall(r"^([\w.-]+)==", locked, re.MULTILINE))


def test_pandas_is_permitted_and_recognized_by_its_modules(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import pandas, dateutil, torch\n", encoding="utf-8")
    assert "pandas" in permitted_libraries()
    assert unknown_imports(tmp_path, "reversi", permitted_libraries()) == ["torch"]


@pytest.mark.long
@pytest.mark.sandbox
@pytest.mark.parametrize("library", permitted_libraries())
def test_jailed_bot_imports_the_library_within_its_start_limit(tmp_path: Path, library: str) -> None:
    if not LIBRARIES.is_dir():
        pytest.skip("the libraries are not installed here: make install")
    (tmp_path / "main.py").write_text(
        f"import {import_name(library)}\ndef get_move(state): return 1\n", encoding="utf-8"
    )
    with ForkServer(SandboxConfig((LIBRARIES,), ROOT, packages=sdk_packages())) as server:
        table = replace(games.table_workload(), seats=2)
        conversation = BotConversation(JailedPlayer(server, tmp_path, jail_limits(MatchLimits())), table)
        try:
            conversation.load()
            conversation.construct()
        finally:
            conversation.close()
