"""Stack dumps in a log show the bot's frames, not those of the arena."""

from __future__ import annotations

import pytest

from arena.core.referee.diagnosis import log_text, output_between
from arena.core.referee.stack_dumps import remove_harness_frames

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


def test_stack_dump_requested_by_the_arena_is_removed() -> None:
    assert remove_harness_frames(f"thinking\n{ASKED_FOR}done\n") == "thinking\ndone\n"
    assert log_text(f"a\n{ASKED_FOR}b\n{ASKED_FOR}".encode()) == "a\nb\n"
    log = f"a\n{ASKED_FOR}b\n".encode()
    assert output_between(log, 2, None) == "b\n"


def test_stack_dump_of_a_timeout_thread_is_removed() -> None:
    dump = 'Timeout (0:00:09)!\nThread 0x00007f1c3b7fe740 (most recent call first):\n  File "/x/main.py", line 3 in f\n'
    assert remove_harness_frames(f"a\n{dump}b\n") == "a\nb\n"


def test_crash_keeps_the_frames_of_the_bot() -> None:
    shown = remove_harness_frames(CRASH)
    assert shown.startswith("Fatal Python error: Segmentation fault\n")
    assert '  File "deep/search.py", line 3 in search\n  File "/libs/0/numpy/core.py", line 9 in dot\n\nExt' in shown
    assert "arena" not in shown
    assert "harness" not in shown


def test_printed_traceback_loses_arena_frames_with_their_source_lines() -> None:
    assert remove_harness_frames(PRINTED) == (
        'caught\nTraceback (most recent call last):\n  File "main.py", line 3, in get_move\n    raise ValueError\n'
        "ValueError\nbye\n"
    )


def test_other_lines_are_unchanged() -> None:
    text = 'Stack (most recent call first): me\n  indented\n  File "x.txt"\n\nend'
    assert remove_harness_frames(text) == text


@pytest.mark.parametrize(
    "folder",
    [
        "/bot",  # in namespaces
        "/tmp/arena-bots-x1y2/tmpab12cd34",  # created by the sandbox without namespaces
        "/srv/arena/var/scratch/tmpab12cd34/bot",  # created by a worker
        "/tmp/bot-ab12cd34",  # created by the command line
        "/tmp/bot-ab12cd34/bot-ef56gh78",  # inside a scratch folder
    ],
)
def test_bot_file_is_shown_relative_to_the_bots_folder(folder: str) -> None:
    crash = f'Current thread 0x1 (most recent call first):\n  File "{folder}/deep/bot/main.py", line 3 in f\n'
    assert 'File "deep/bot/main.py", line 3 in f' in remove_harness_frames(crash)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/root/.pyenv/versions/3.11.7/lib/python3.11/threading.py", "threading.py"),
        ("/usr/lib/python3.11/json/decoder.py", "json/decoder.py"),
        ("/srv/arena/.venv/lib/python3.11/site-packages/numpy/core.py", "numpy/core.py"),
        ("/usr/lib/python3/dist-packages/numpy/core.py", "numpy/core.py"),
    ],
)
def test_library_is_shown_without_its_installation_path(path: str, shown: str) -> None:
    printed_by_a_thread = f'Traceback (most recent call last):\n  File "{path}", line 1045, in run\n    self.run()\n'
    assert remove_harness_frames(printed_by_a_thread) == printed_by_a_thread.replace(path, shown)


@pytest.mark.parametrize("ours", ["/srv/arena/core/sandbox/forking/main.py", "/srv/bots/sdk/harness.py", "<arena>"])
def test_fork_server_command_is_removed_but_code_executed_by_a_bot_is_kept(ours: str) -> None:
    start, executed = '  File "<string>", line 1', '  File "<string>", line 1, in <module>\n'
    own = '  File "/bot/main.py", line 3, in f\n'
    stack = f'{start}, in <module>\n  File "{ours}", line 7, in run\n    run()\n{own}{executed}'
    assert remove_harness_frames(stack) == own.replace("/bot/", "") + executed
    head = "Current thread 0x1 (most recent call first):\n"
    crash = f'{head}{own}  File "{ours}", line 7 in run\n{start} in <module>\n\nend'
    assert remove_harness_frames(crash) == head + own.replace("/bot/", "") + "\nend"
