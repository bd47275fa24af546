import time
from pathlib import Path

from arena.core.messages import verbatim_message
from arena.core.plain_text import plain_text
from arena.core.referee.diagnosis import (
    PRINTED_BYTES,
    FaultContext,
    SourceLocation,
    diagnose,
    location_in_log,
    output_between,
)
from arena.core.referee.faults import Fault, FaultKind
from tests.core.message_codes import codes_of

STACK = b"noise\nStack (most recent call first):\n"


def test_text_is_safe_for_a_database_and_a_terminal() -> None:
    assert plain_text("a\0b\x1b[31m\r\nc\td\ud800") == "a\ufffdb\nc\td?"


def test_long_log_is_cut_at_a_whole_line() -> None:
    log = "\n".join(f"line {number} \u68cb" for number in range(4_000)).encode()
    tail = output_between(log, 0, None)
    assert tail.startswith("line ")
    assert tail.endswith("line 3999 \u68cb")
    assert len(tail.encode()) <= PRINTED_BYTES
    assert output_between(b"\xff", 0, None) == "\ufffd"
    assert output_between(b"one\ntwo\nthree\n", 4, 8) == "two\n"


def test_stack_in_the_log_gives_the_place(tmp_path: Path) -> None:
    (tmp_path / "brain").mkdir()
    (tmp_path / "main.py").write_text("import brain\n")
    (tmp_path / "brain" / "search.py").write_text("def search():\n    while True: pass\n")
    log = STACK + b'  File "/lib/random.py", line 3 in choice\n  File "/bot/brain/search.py", line 2 in search\n'
    assert location_in_log(log, tmp_path) == SourceLocation("brain/search.py", 2, "while True: pass")


def test_only_files_of_the_bot_are_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("password")
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "link.py").symlink_to(secret)
    for claimed in (str(secret), "/bot/../secret.py", "/bot/link.py"):
        assert location_in_log(STACK + f'  File "{claimed}", line 1 in f\n'.encode(), folder) is None
    assert location_in_log(STACK, folder) is None
    assert location_in_log(b"", folder) is None


def test_missing_source_line_is_empty(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("x\n")
    log = STACK + b'  File "/bot/main.py", line 999999999 in f\n'
    assert location_in_log(log, tmp_path) == SourceLocation("main.py", 999999999, "")


def test_missing_module_is_explained() -> None:
    fault = Fault(FaultKind.START, verbatim_message("No module named 'torch'"), missing_module="torch.nn")
    message = diagnose(fault, FaultContext(0), ["numpy", "treelib"]).message
    assert list(codes_of(message))[-1] == "start.not_installed.libraries"
    assert "torch" in message.text
    assert "numpy, treelib" in message.text


def test_forged_stack_of_thousands_of_frames_is_read_quickly(tmp_path: Path) -> None:
    """A forged stack of 1500 frames in a megabyte of source is read within two seconds.

    Regression test: reading the file for each frame blocked the referee for minutes.
    """
    (tmp_path / "main.py").write_text("x = 1\n" * 170_000)
    frames = [f'  File "/main.py", line {number} in f\n' for number in range(1, 1500)]
    begun = time.process_time()
    assert location_in_log(STACK + "".join(frames).encode(), tmp_path) == SourceLocation("main.py", 1, "x = 1")
    assert time.process_time() - begun < 2.0
