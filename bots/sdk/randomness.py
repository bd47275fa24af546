"""Seed a bot's randomness, so that the same seed gives the same moves.

This seeds ``random``, ``numpy.random`` and every generator created without a seed: ``random.Random()``,
``numpy.random.default_rng()``, ``numpy.random.RandomState()``. A seed that the bot sets itself works as usual.
``os.urandom``, ``secrets``, ``random.SystemRandom`` and ``uuid.uuid4`` remain truly random.

Seeding adds to every bot's startup time, so objects that only some bots need are created on demand.
"""

from __future__ import annotations

import random
import sys
import types
from collections.abc import Callable, Sequence
from enum import IntEnum
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

_NUMPY = "numpy.random"
_BITS = 256
_seed = random.Random.seed


class _Stream(IntEnum):
    """The random streams, one per consumer; the enum value is added to the seed."""

    RANDOM = 0
    NEW_GENERATORS = 1
    NUMPY = 2
    NEW_NUMPY_GENERATORS = 3


def seed_process(seed: str) -> None:
    """Seed this process from a hexadecimal string; numpy is seeded as well, now or when it is imported."""
    number = int(seed, 16)
    random.seed(number + _Stream.RANDOM)
    _seed_new_generators(_bit_source(number + _Stream.NEW_GENERATORS))
    if _NUMPY in sys.modules:
        _seed_numpy(sys.modules[_NUMPY], number)
    else:
        sys.meta_path.insert(0, _SeedNumpyOnImport(number))


def _bit_source(seed: int) -> Callable[[int], int]:
    """Return a function that draws a given number of random bits from a stream with this seed."""
    stream: random.Random | None = None

    def draw(bits: int) -> int:
        nonlocal stream
        if stream is None:
            stream = random.Random(seed)  # noqa: S311 - not a secret from the bot
        return stream.getrandbits(bits)

    return draw


def _seed_new_generators(draw: Callable[[int], int]) -> None:
    """Seed each new generator, and each call to ``seed()`` without an argument, with bits from ``draw``."""

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        _seed(self, draw(_BITS) if a is None else a, version)

    random.Random.seed = seed  # type: ignore[method-assign]
    shared = random.seed.__self__  # type: ignore[attr-defined]
    random.seed = types.MethodType(seed, shared)


def _seed_numpy(numpy_random: Any, number: int) -> None:
    # Both are Mersenne Twisters. ``numpy.random.seed`` takes twice as long.
    _, (*words, position), _ = random.Random(number + _Stream.NUMPY).getstate()  # noqa: S311
    numpy_random.set_state(("MT19937", words, position))
    # Where numpy gets the entropy for generators created without a seed.
    numpy_random.bit_generator.randbits = _bit_source(number + _Stream.NEW_NUMPY_GENERATORS)


class _SeedNumpyOnImport:
    """An import hook that seeds numpy as soon as the bot imports it."""

    def __init__(self, number: int) -> None:
        self._number = number

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _NUMPY:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_seed(module: types.ModuleType) -> None:
                execute(module)
                _seed_numpy(module, self._number)

            spec.loader.exec_module = execute_and_seed  # type: ignore[method-assign]
        return spec
