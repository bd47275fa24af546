"""``python -m bots … | head`` ends without an error message."""

from __future__ import annotations

import subprocess
import sys


def test_closed_pipe_is_not_an_error() -> None:
    command = [sys.executable, "-m", "bots", "play", "reversi", "house:random_move", "house:most_discs", "--games", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as playing:
        assert playing.stdout is not None
        assert playing.stderr is not None
        playing.stdout.close()
        errors = playing.stderr.read()
        assert playing.wait() == 141
    assert "failed" not in errors
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors
