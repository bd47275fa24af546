"""Benchmarks that Lanterns adds to ``python -m bench``."""

from bench.benchmark import Benchmark
from bench.games import GameBench

BENCH = GameBench(benchmarks={"lanterns": Benchmark("tests.example_game.lanterns.bots.bench.lighting:run", 5)})
