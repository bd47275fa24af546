"""Scripts read and write replacements for standard input and output."""

from __future__ import annotations

import builtins
import io
import os
import sys

import pytest

from bots.sdk.scripts.streams import KEPT_BYTES, Streams

READS = {
    "input": "input()",
    "readline": "sys.stdin.readline().strip()",
    "iteration": "next(iter(sys.stdin)).strip()",
    "read": "sys.stdin.read().split()[0]",
    "buffer": "sys.stdin.buffer.readline().decode().strip()",
    "open 0": "open(0).readline().strip()",
    "open 0 for bytes": "open(0, 'rb').readline().decode().strip()",
    "/dev/stdin": "open('/dev/stdin').readline().strip()",
    "os.read": "os.read(0, 100).decode().split()[0]",
    "os.fdopen": "os.fdopen(0).readline().strip()",
    "its number": "os.fdopen(sys.stdin.fileno(), 'rb').readline().decode().strip()",
    "another wrapper": "io.TextIOWrapper(sys.stdin.buffer, 'utf-8').readline().strip()",
    "fileinput": "next(iter(__import__('fileinput').input(files=()))).strip()",
}


def run(code: str, text: str, *more: str) -> tuple[str, str]:
    """Run code with the input ``text`` and then ``more``; return its final output and the contents of the log."""
    log, rest = io.StringIO(), iter(more)
    streams = Streams(text, lambda printed: next(rest, None), log)
    with streams.in_place():
        exec(code, {"sys": sys, "os": os, "io": io})
    return streams.printed(), log.getvalue()


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_every_way_to_read_standard_input_works(read: str) -> None:
    assert run(f"print({read})", "first\nsecond\n")[0] == "first\n"


WRITES = [
    "print('ok')",
    "sys.stdout.write('ok\\n')",
    "sys.stdout.buffer.write(b'ok\\n')",
    "open(1, 'w').write('ok\\n')",
    "os.fdopen(sys.stdout.fileno(), 'wb').write(b'ok\\n')",
]


@pytest.mark.parametrize("write", WRITES)
def test_output_is_captured_and_logged_immediately(write: str) -> None:
    assert run(write, "") == ("ok\n", "ok\n")


def test_output_through_another_wrapper_is_captured() -> None:
    code = "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, 'utf-8')\nprint('\u9ed1')\n"
    assert run(code, "")[0] == "\u9ed1\n"


def test_more_input_is_requested_with_the_captured_output() -> None:
    printed_so_far: list[str] = []

    def next_input(printed: str) -> str | None:
        printed_so_far.append(printed)
        return "b\n" if len(printed_so_far) == 1 else None

    streams = Streams("a\n", next_input, io.StringIO())
    with streams.in_place(), pytest.raises(EOFError):
        exec("while True: print(input() * 2)")
    assert printed_so_far == ["aa\n", "bb\n"]


def test_input_in_parts_is_joined() -> None:
    assert run("print(sys.stdin.buffer.read(6).decode())", "ab", "", "cd", "ef")[0] == "abcdef\n"


def test_end_of_input_persists() -> None:
    assert run("print(repr(sys.stdin.read() + sys.stdin.read()))", "x")[0] == "'x'\n"


def test_only_the_tail_of_large_output_is_kept() -> None:
    printed, log = run("for i in range(40): print('x' * 100_000)\nprint('last')", "")
    assert len(printed) <= KEPT_BYTES
    assert printed.endswith("x\nlast\n")
    assert len(log) > 4_000_000


def test_streams_are_restored() -> None:
    before = sys.stdin, sys.stdout, builtins.open, io.open, os.read
    with pytest.raises(ZeroDivisionError):
        run("sys.stdout = None\n1 / 0", "")
    assert (sys.stdin, sys.stdout, builtins.open, io.open, os.read) == before
