"""The example recording that the migration adds, for tests that run after the database has been emptied."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from arena.games.golden_point.recordings.models import Recording


@pytest.fixture
def example(db: None) -> None:
    """Add the example recording as the migration does, unless it already exists."""
    migration = import_module("arena.games.golden_point.recordings.migrations.0001_initial")
    if not Recording.objects.filter(code=migration.CODE).exists():
        migration.add(apps, None)  # it does not use the schema editor
