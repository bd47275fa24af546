"""Benchmark random Reversi playouts and perft."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib.util import find_spec

from bench.fixtures import scale_sample
from bench.measure import measure_interleaved, timed_subject
from bench.table import Comparison, MissingComparison, Row, Section
from bots.reversi.house.engine.bitboard import iterate_squares, legal_moves, position_after
from bots.reversi.house.engine.playout import play_out
from bots.reversi.sdk.board import Board
from tests.bots.reversi.positions import START

PLAYOUTS = 100
BOARD_PLAYOUTS = 5  # playouts on the bots' board, which is far slower
COMPILED_PLAYOUTS = 20_000
SPIEL_PLAYOUTS = 200
DEPTH, LINES = 6, 8200  # plies from the start, and the published number of lines; see test_bitboard
COMPILED_DEPTH, COMPILED_LINES = 8, 390_216
TURNS = 15
_MISSING = "not installed: make training"


def run() -> Section:
    """Measure the time per playout and per leaf node counted by perft."""
    return Section("Reversi by the thousand", (*_measure_playouts(), *_measure_perft()))


def _measure_playouts() -> tuple[Row, ...]:
    chance = random.Random(1)
    work: dict[str, tuple[Callable[[], object], int]] = {
        "ours": (lambda: [play_out(*START, chance) for _ in range(PLAYOUTS)], PLAYOUTS),
        "rival: drawn from all legal moves, on the same numbers": (
            lambda: _play_repeatedly(PLAYOUTS, lambda: _random_legal_playout(chance)),
            PLAYOUTS,
        ),
        "rival: on the board that bots receive": (
            lambda: _play_repeatedly(BOARD_PLAYOUTS, lambda: _board_playout(chance)),
            BOARD_PLAYOUTS,
        ),
    }
    absent = []
    if find_spec("pyspiel"):
        from bots.reversi.bench.spiel import play_random_match

        work["rival: OpenSpiel, C++ called from Python"] = (
            lambda: _play_repeatedly(SPIEL_PLAYOUTS, lambda: play_random_match(chance)),
            SPIEL_PLAYOUTS,
        )
    else:
        absent.append(MissingComparison("rival: OpenSpiel, C++ called from Python", _MISSING))
    if find_spec("numba"):
        import numpy as np

        from bots.reversi.bench.compiled import play_random_matches

        position = tuple(map(np.uint64, START))
        work["floor: compiled by numba, all in one call"] = (
            lambda: play_random_matches(*position, COMPILED_PLAYOUTS, 1),
            COMPILED_PLAYOUTS,
        )
    else:
        absent.append(MissingComparison("floor: compiled by numba, all in one call", _MISSING))
    return (_row("a random playout, empty squares tried at random", work, absent),)


def _measure_perft() -> tuple[Row, ...]:
    work: dict[str, tuple[Callable[[], object], int]] = {"ours": (lambda: _check_perft(perft, DEPTH, LINES), LINES)}
    absent = []
    if find_spec("pyspiel"):
        from bots.reversi.bench import spiel

        work["rival: OpenSpiel, C++ called from Python"] = (lambda: spiel.checked_perft(DEPTH, LINES), LINES)
    else:
        absent.append(MissingComparison("rival: OpenSpiel, C++ called from Python", _MISSING))
    if find_spec("numba"):
        import numpy as np

        from bots.reversi.bench import compiled

        own, other = map(np.uint64, START)
        work["floor: compiled by numba"] = (
            lambda: _check_perft(lambda *ours: compiled.perft(own, other, ours[2]), COMPILED_DEPTH, COMPILED_LINES),
            COMPILED_LINES,
        )
    else:
        absent.append(MissingComparison("floor: compiled by numba", _MISSING))
    return (_row(f"lines of {DEPTH} moves counted, the last in bulk", work, absent),)


def _row(what: str, work: dict[str, tuple[Callable[[], object], int]], absent: list[MissingComparison]) -> Row:
    """Return the row ``what``: the seconds per item of each function in ``work``; the functions are timed in turn."""
    samples = measure_interleaved({name: timed_subject(do) for name, (do, _) in work.items()}, TURNS, seconds=20)
    each_one = {name: scale_sample(samples[name], 1 / many) for name, (_, many) in work.items()}
    ours = each_one.pop("ours")
    comparisons = tuple(Comparison(f"{name} ({1 / one.median:,.0f}/s)", one) for name, one in each_one.items())
    return Row(f"{what} ({1 / ours.median:,.0f}/s)", ours, comparisons, absent=tuple(absent))


def perft(own: int, other: int, depth: int) -> int:
    """Count the leaf nodes at this depth; a pass counts as a ply, and a final position as a leaf node."""
    legal = legal_moves(own, other)
    if not legal:
        return perft(other, own, depth - 1) if depth > 1 and legal_moves(other, own) else 1
    if depth == 1:
        return legal.bit_count()
    return sum(perft(*position_after(own, other, move), depth - 1) for move in iterate_squares(legal))


def _check_perft(count: Callable[[int, int, int], int], depth: int, expected: int) -> None:
    found = count(*START, depth)
    if found != expected:
        raise RuntimeError(f"{found} lines of {depth} moves, not {expected}")


def _play_repeatedly(count: int, play: Callable[[], None]) -> None:
    for _ in range(count):
        play()


def _random_legal_playout(chance: random.Random) -> None:
    own, other = START
    passed = False
    while True:
        legal = list(iterate_squares(legal_moves(own, other)))
        if legal:
            own, other = position_after(own, other, chance.choice(legal))
        elif passed:
            return
        else:
            own, other = other, own
        passed = not legal


def _board_playout(chance: random.Random) -> None:
    board = Board()
    color, passed = "X", False
    while True:
        legal = list(board.get_legal_actions(color))
        if legal:
            board._move(chance.choice(legal), color)
        elif passed:
            return
        passed = not legal
        color = "O" if color == "X" else "X"
