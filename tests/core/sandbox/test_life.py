"""The pipe by which a worker learns of the life of a jailed process."""

from __future__ import annotations

import pytest

from arena.core.sandbox.jail.life import LifeReader


def reader(*pieces: bytes) -> LifeReader:
    """Reads these pieces and then nothing more for now; an empty one is the end."""
    left = iter(pieces)

    def read(_fd: int, _size: int) -> bytes:
        for piece in left:
            return piece
        raise BlockingIOError

    return LifeReader(0, read)


TOLD = b"jailed\nended 11 0.250\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_arrive_in_pieces(size: int) -> None:
    life = reader(*(TOLD[at : at + size] for at in range(0, len(TOLD), size)))
    life.read()
    assert (life.jailed, life.ended, life.lost) == (True, (11, 0.25), False)


def test_a_line_that_has_only_begun_says_nothing() -> None:
    life = reader(b"jailed\nended 11 0.2")
    life.read()
    assert (life.jailed, life.ended, life.lost) == (True, None, False)


def test_the_end_of_the_pipe_before_the_end_of_the_process() -> None:
    life = reader(b"jailed\n", b"")
    life.read()
    assert (life.ended, life.lost) == (None, True)


def test_a_failure_to_build_the_jail() -> None:
    life = reader(b"failed OSError: no", b" room\n")
    life.read()
    assert life.failure == "OSError: no room"


def test_nonsense_is_an_error() -> None:
    with pytest.raises(ValueError, match="unpack"):
        reader(b"ended\n").read()
