"""Only one supervisor can run per installation."""

import os
from pathlib import Path

import pytest

from arena.platform.supervisor.lock import hold
from arena.platform.supervisor.options import Refusal


def test_second_start_is_refused_with_a_short_message(tmp_path: Path) -> None:
    with (
        hold(tmp_path),
        pytest.raises(Refusal, match=rf" {tmp_path} \(process {os.getpid()}\)"),
        hold(tmp_path),
    ):
        pytest.fail("two held the installation")


def test_next_start_succeeds_after_the_first_ended(tmp_path: Path) -> None:
    for _ in range(2):
        with hold(tmp_path):
            assert (tmp_path / "lock").read_text() == str(os.getpid())


def test_data_folder_is_private(tmp_path: Path) -> None:
    """The folder holds sessions, password hashes, uploads and mail with reset links."""
    with hold(tmp_path / "var"):
        assert (tmp_path / "var").stat().st_mode & 0o077 == 0
