"""Seeds what a bot draws from, so that the same seed gives the same moves.

Seeded are ``random``, ``numpy.random`` and every generator that is made without a seed: ``random.Random()``,
``numpy.random.default_rng()``, ``numpy.random.RandomState()``. A seed that the bot gives itself holds as ever.
``os.urandom``, ``secrets``, ``random.SystemRandom`` and ``uuid.uuid4`` stay truly random.
"""

from __future__ import annotations

import functools
import random
import sys
import types
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

_NUMPY = "numpy.random"
_BITS = 256
_WORDS = 8  # of 32 bits
_seed = random.Random.seed


def seed_process(seed: str) -> None:
    """Seed this process; numpy too, now or as soon as it is imported."""
    random.seed(seed)
    _seed_new_generators(_drawing(seed, "random.Random"))
    if _NUMPY in sys.modules:
        _seed_numpy(sys.modules[_NUMPY], seed)
    else:
        sys.meta_path.insert(0, _WhenImported(seed))


def _drawing(seed: str, purpose: str) -> Callable[[int], int]:
    """Gives so many bits at each call; each purpose has a stream of its own."""
    return random.Random(f"{seed} {purpose}").getrandbits  # noqa: S311 - not a secret from the bot


def _seed_new_generators(draw: Callable[[int], int]) -> None:
    """Let ``seed()`` without a seed draw one instead of asking the system, as every new generator does."""

    @functools.wraps(_seed)
    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        _seed(self, draw(_BITS) if a is None else a, version)

    random.Random.seed = seed  # type: ignore[method-assign]
    shared = random.seed.__self__  # type: ignore[attr-defined]
    random.seed = types.MethodType(seed, shared)


def _seed_numpy(numpy_random: Any, seed: str) -> None:
    draw = _drawing(seed, _NUMPY)
    numpy_random.seed([draw(32) for _ in range(_WORDS)])
    # Where numpy draws the entropy of generators that are made without a seed.
    numpy_random.bit_generator.randbits = _drawing(seed, f"{_NUMPY}.default_rng")


class _WhenImported:
    """Seeds numpy right after its import, where the bot is what imports it."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

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
                _seed_numpy(module, self._seed)

            spec.loader.exec_module = execute_and_seed  # type: ignore[method-assign]
        return spec
