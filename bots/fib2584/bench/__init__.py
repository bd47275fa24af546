"""2584's benchmarks for ``python -m bench``: the speed and memory of the exact solver."""

from bench.benchmark import Benchmark
from bench.games import GameBench

BENCH = GameBench(benchmarks={"fib2584_solving": Benchmark("bots.fib2584.bench.solving:run", 150)})
