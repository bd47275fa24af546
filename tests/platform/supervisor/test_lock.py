"""Only one supervisor can run per installation."""

import os
from pathlib import Path

import pytest

from arena.platform.supervisor.lock import installation_lock
from arena.platform.supervisor.options import StartupError


def test_second_start_is_refused_with_a_short_message(tmp_path: Path) -> None:
    with (
        installation_lock(tmp_path),
        pytest.raises(StartupError, match=rf" {tmp_path} \(process {os.getpid()}\)"),
        installation_lock(tmp_path),
    ):
        pytest.fail("two held the installation")


def test_next_start_succeeds_after_the_first_ended(tmp_path: Path) -> None:
    for _ in range(2):
        with installation_lock(tmp_path):
            assert (tmp_path / "lock").read_text() == str(os.getpid())


def test_data_folder_is_private(tmp_path: Path) -> None:
    """Other users cannot enter the data folder.

    It contains sessions, password hashes, uploads and mail with reset links.
    """
    with installation_lock(tmp_path / "var"):
        assert (tmp_path / "var").stat().st_mode & 0o077 == 0
