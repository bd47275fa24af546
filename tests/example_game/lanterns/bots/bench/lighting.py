"""Measure how long it takes to create the initial state of a match."""

from __future__ import annotations

import random

from bench.measure import measure_interleaved, timed_subject
from bench.table import Row, Section
from tests.example_game.lanterns.arena.rules import GAME


def run() -> Section:
    settings = GAME.settings({})
    sample = measure_interleaved(
        {"ours": timed_subject(lambda: GAME.initial(settings, 2, random.Random(1)))}, 3, seconds=1
    )["ours"]
    return Section("lanterns", (Row("a match lit", sample),))
