"""Benchmarks that Lanterns adds to ``python -m bench``."""

from bench.games import GameBench
from bench.part import Part

BENCH = GameBench(parts={"lanterns": Part("tests.made_up.lanterns.bots.bench.lighting:run", 5)})
