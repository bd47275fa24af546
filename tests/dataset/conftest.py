from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.dataset.public_content import PublicContent, add_hidden_content, create_public_content


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """Return the folder in which versions are published."""
    settings.DATASET_DIR = tmp_path / "datasets"
    return tmp_path / "datasets"


@pytest.fixture
def public_content(db: None) -> PublicContent:
    return create_public_content()


@pytest.fixture
def content_with_hidden_data(public_content: PublicContent) -> PublicContent:
    add_hidden_content(public_content)
    return public_content
