from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.dataset.world import World, add_hidden_things, public_world


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """The folder in which versions are published."""
    settings.DATASET_DIR = tmp_path / "datasets"
    return tmp_path / "datasets"


@pytest.fixture
def world(db: None) -> World:
    return public_world()


@pytest.fixture
def secretive(world: World) -> World:
    add_hidden_things(world)
    return world
