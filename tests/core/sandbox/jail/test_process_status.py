"""The status of a jailed process reaches its worker through a pipe, in whole lines."""

from __future__ import annotations

import pytest

from arena.core.sandbox.jail.process_status import StatusReader


def reader(*pieces: bytes) -> StatusReader:
    """Create a reader that receives these pieces and then waits for more; an empty piece is the end of the stream."""
    left = iter(pieces)

    def read(_fd: int, _size: int) -> bytes:
        for piece in left:
            return piece
        raise BlockingIOError

    return StatusReader(0, read)


TOLD = b"jailed\nended 11 0.250\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_status_lines_may_arrive_in_pieces(size: int) -> None:
    status = reader(*(TOLD[at : at + size] for at in range(0, len(TOLD), size)))
    status.read()
    assert (status.jailed, status.ended, status.lost) == (True, (11, 0.25), False)


def test_incomplete_line_reports_nothing() -> None:
    status = reader(b"jailed\nended 11 0.2")
    status.read()
    assert (status.jailed, status.ended, status.lost) == (True, None, False)


def test_pipe_closes_before_the_process_ends() -> None:
    status = reader(b"jailed\n", b"")
    status.read()
    assert (status.ended, status.lost) == (None, True)


def test_failure_to_build_the_jail_is_reported() -> None:
    status = reader(b"failed OSError: no", b" room\n")
    status.read()
    assert status.failure == "OSError: no room"


def test_invalid_line_is_an_error() -> None:
    with pytest.raises(ValueError, match="unpack"):
        reader(b"ended\n").read()
