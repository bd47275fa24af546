"""Fixtures: a fork server in each sandbox mode, and folders with the bots that it runs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.games.bot_packages import sdk_packages
from tests.core.referee.jailed import LIBRARIES, ROOT, MakeBot, bots_in
from tests.core.sandbox.configs import MODE_PARAMS, skip_unless_available
from tests.core.sandbox.pythons import python_for_everybody, readable_by_everybody


@pytest.fixture(scope="module", params=MODE_PARAMS)
def server(request: pytest.FixtureRequest) -> Iterator[ForkServer]:
    mode: Mode = request.param
    skip_unless_available(mode)
    libraries = (LIBRARIES,) if LIBRARIES.is_dir() else ()
    config = SandboxConfig(libraries, ROOT, packages=sdk_packages(), mode=mode)
    if mode is Mode.LANDLOCK:
        if not readable_by_everybody(ROOT / "bots"):
            pytest.skip("an ordinary user cannot read this checkout")
        config = replace(config, python=python_for_everybody() or config.python)
    with ForkServer(config) as started:
        yield started


@pytest.fixture
def bot() -> Iterator[MakeBot]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # without namespaces the bot's user must be able to read it
        yield bots_in(Path(folder))


@pytest.fixture
def crowded_core() -> Iterator[int]:
    """Pin this process to one CPU core that other processes keep busy; yield the core's number."""
    before = os.sched_getaffinity(0)
    core = max(before)
    os.sched_setaffinity(0, {core})  # the neighbours inherit it
    spin = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    # the kernel may divide CPU time between sessions
    neighbours = [subprocess.Popen(spin, start_new_session=True) for _ in range(4)]
    try:
        yield core
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
        os.sched_setaffinity(0, before)
