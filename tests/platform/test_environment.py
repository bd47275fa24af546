"""The test suite uses its own data folder, whatever the checkout contains."""

from pathlib import Path

from django.conf import settings

from tests.environment import VAR


def test_suite_uses_its_own_data_folder() -> None:
    assert Path(VAR) == settings.VAR_DIR
    assert settings.SUBMISSIONS_DIR.is_relative_to(VAR)
    assert settings.SCRATCH_DIR.is_relative_to(VAR)


def test_pages_need_no_collected_files() -> None:
    assert not settings.STORAGES["staticfiles"]["BACKEND"].startswith("arena.")
