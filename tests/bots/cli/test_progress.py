"""The progress bar redraws and clears itself on a terminal, and is hidden elsewhere."""

from __future__ import annotations

import io

from bots.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_bar_overwrites_and_clears_itself() -> None:
    terminal, now = Terminal(), [0.0]
    progress = Progress(terminal, 4, lambda: now[0])
    progress.show(0, "turn 3")
    assert terminal.getvalue() == "\r[........................] 0/4  turn 3"
    now[0] = 30.0
    progress.show(1, "turn 1")
    assert terminal.getvalue().endswith("\r[######..................] 1/4  turn 1  about 1:30 left")
    progress.clear()
    assert terminal.getvalue().endswith(" \r")


def test_progress_bar_is_drawn_at_most_ten_times_a_second() -> None:
    terminal, now = Terminal(), [0.0]
    progress = Progress(terminal, 4, lambda: now[0])
    for number in range(100):
        now[0] = number / 1000
        progress.show(0, f"turn {number}")
    assert terminal.getvalue().count("\r") == 1


def test_progress_bar_is_hidden_without_a_terminal() -> None:
    file, terminal = io.StringIO(), Terminal()
    Progress(file, 4, lambda: 0.0).show(1)
    Progress(terminal, 4, lambda: 0.0, wanted=False).show(1)
    assert file.getvalue() == terminal.getvalue() == ""
