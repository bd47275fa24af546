"""The output of children keeps flowing even if the log files cannot be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.platform.supervisor.output import Output


def displayed_lines(folder: Path, text: str) -> list[str]:
    """Return the lines shown for a child that prints ``text``."""
    lines: list[str] = []
    output = Output(folder, lines.append, width=3)
    with subprocess.Popen([sys.executable, "-c", f"print({text!r})"], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        output.attach("web", child.stdout)
        while not child.stdout.closed:
            output.pump(1.0)
    return lines


def test_lines_are_shown_and_stored(tmp_path: Path) -> None:
    assert displayed_lines(tmp_path, "one\ntwo") == ["web | one", "web | two"]
    assert (tmp_path / "web.log").read_text() == "one\ntwo\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_full_disk_loses_lines_only_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "web.log").symlink_to("/dev/full")
    assert displayed_lines(tmp_path, "one") == ["web | one"]


def test_unopenable_file_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "web.log").mkdir()
    first, *rest = displayed_lines(tmp_path, "one")
    assert "web.log" in first
    assert rest == ["web | one"]
