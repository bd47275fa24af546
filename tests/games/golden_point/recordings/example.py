"""The recording of the first start, where a test that empties the database came before."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from arena.games.golden_point.recordings.models import Recording


@pytest.fixture
def example(db: None) -> None:
    """Added as the migration adds it."""
    migration = import_module("arena.games.golden_point.recordings.migrations.0001_initial")
    if not Recording.objects.filter(code=migration.CODE).exists():
        migration.add(apps, None)  # it asks nothing of the schema editor
