"""2584's benchmarks for ``python -m bench``: the speed and memory of the exact solver."""

from bench.games import GameBench
from bench.part import Part

BENCH = GameBench(parts={"fib2584_solving": Part("bots.fib2584.bench.solving:run", 150)})
