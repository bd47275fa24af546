"""The part of 2584 in ``python -m bench``."""

from bench.games import GameBench
from bench.part import Part

BENCH = GameBench(parts={"fib2584_solving": Part("bots.fib2584.bench.solving:run", 150)})
