"""What a log shows of stacks: the bot's frames, not ours."""

from __future__ import annotations

import pytest

from arena.core.referee.diagnosis import log_text, printed
from arena.core.referee.stack_dumps import without_our_frames

ASKED_FOR = """Stack (most recent call first):
  File "/bot/main.py", line 3 in search
  File "/bot/main.py", line 9 in get_move
  File "/sdk/bots/sdk/module_bot.py", line 66 in _answer
  File "/sdk/bots/sdk/harness.py", line 129 in _move
  File "<arena>", line 180 in _call_entry
"""
CRASH = """Fatal Python error: Segmentation fault

Current thread 0x00007f1c3b7fe740 (most recent call first):
  File "/bot/deep/search.py", line 3 in search
  File "/libs/0/numpy/core.py", line 9 in dot
  File "/sdk/bots/sdk/harness.py", line 129 in _move
  File "<frozen importlib._bootstrap>", line 228 in _call_with_frames_removed
  File "<arena>", line 180 in _call_entry

Extension modules: numpy
"""
PRINTED = """caught
Traceback (most recent call last):
  File "/tmp/arena-bots-x1/tmpab12/main.py", line 3, in get_move
    raise ValueError
  File "/srv/bots/sdk/board.py", line 3, in legal
    self.moves()
    ^^^^^^^^^^^^
ValueError
bye
"""


def test_a_stack_that_was_asked_for_is_left_out() -> None:
    assert without_our_frames(f"thinking\n{ASKED_FOR}done\n") == "thinking\ndone\n"
    assert log_text(f"a\n{ASKED_FOR}b\n{ASKED_FOR}".encode()) == "a\nb\n"
    log = f"a\n{ASKED_FOR}b\n".encode()
    assert printed(log, 2, None) == "b\n"


def test_a_stack_by_a_thread_is_left_out() -> None:
    dump = 'Timeout (0:00:09)!\nThread 0x00007f1c3b7fe740 (most recent call first):\n  File "/x/main.py", line 3 in f\n'
    assert without_our_frames(f"a\n{dump}b\n") == "a\nb\n"


def test_a_crash_keeps_the_frames_of_the_bot() -> None:
    shown = without_our_frames(CRASH)
    assert shown.startswith("Fatal Python error: Segmentation fault\n")
    assert '  File "deep/search.py", line 3 in search\n  File "/libs/0/numpy/core.py", line 9 in dot\n\nExt' in shown
    assert "arena" not in shown
    assert "harness" not in shown


def test_a_traceback_that_the_bot_printed_loses_our_frames_with_their_lines() -> None:
    assert without_our_frames(PRINTED) == (
        'caught\nTraceback (most recent call last):\n  File "main.py", line 3, in get_move\n    raise ValueError\n'
        "ValueError\nbye\n"
    )


def test_other_lines_stay_as_they_are() -> None:
    text = 'Stack (most recent call first): me\n  indented\n  File "x.txt"\n\nend'
    assert without_our_frames(text) == text


@pytest.mark.parametrize(
    "folder",
    [
        "/bot",  # in namespaces
        "/tmp/arena-bots-x1y2/tmpab12cd34",  # lent by a worker that is root
        "/srv/arena/var/scratch/tmpab12cd34/bot",  # a worker's own
        "/tmp/bot-ab12cd34",  # the command line's
    ],
)
def test_a_file_of_the_bot_is_shown_by_its_path_in_the_bots_folder(folder: str) -> None:
    crash = f'Current thread 0x1 (most recent call first):\n  File "{folder}/deep/bot/main.py", line 3 in f\n'
    assert 'File "deep/bot/main.py", line 3 in f' in without_our_frames(crash)
