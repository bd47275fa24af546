"""Bots with the same seed draw the same random numbers; each bot runs in a separate process, as in a match."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from bots.golden_point.sdk import SDK
from bots.sdk.harness import Session

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
{before}
from bots.sdk.randomness import seed_process
seed_process(sys.argv[2])
import copy, os, pickle, random, secrets, uuid
import numpy as np
from random import Random
class Own(Random):
    pass
class Overriding(Random):
    def seed(self, a=None, version=2):
        super().seed(a, version)
fixed = random.Random(7)
drawn = dict(
    shared=random.random(),
    choice=random.sample(range(1000), 5),
    new=[Random().random(), Own().random(), Overriding().random()],
    legacy=[np.random.random(), int(np.random.randint(1 << 30))],
    generators=[np.random.default_rng().random(), np.random.RandomState().random()],
    spawned=[child.random() for child in np.random.default_rng().spawn(2)],
)
random.seed()
np.random.seed()
drawn["again"] = [random.random(), np.random.random()]
own = dict(
    fixed=[fixed.random(), Random("x").random(), float(np.random.default_rng(5).random())],
    copied=copy.copy(fixed).random() == pickle.loads(pickle.dumps(fixed)).random(),
)
random.seed(3); np.random.seed(3)
own["seeded"] = [random.random(), float(np.random.random())]
system = [os.urandom(4).hex(), secrets.token_hex(4), str(uuid.uuid4()), random.SystemRandom().random()]
print(json.dumps(dict(drawn=drawn, own=own, system=system)))
"""


def draw_numbers(seed: str, before: str = "") -> dict[str, object]:
    command = [sys.executable, "-c", PROGRAM.format(before=before), str(ROOT), seed]
    found: dict[str, object] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def flatten(value: object) -> list[object]:
    if isinstance(value, dict):
        return [one for part in value.values() for one in flatten(part)]
    return [one for part in value for one in flatten(part)] if isinstance(value, list) else [value]


@pytest.mark.long
def test_same_seed_gives_same_numbers_whenever_numpy_is_imported() -> None:
    pytest.importorskip("numpy", reason="numpy is not installed: make develop")
    late, early, other = draw_numbers("5eed"), draw_numbers("5eed", "import numpy.random"), draw_numbers("0ddba11")
    assert late["drawn"] == early["drawn"]
    numbers, others = flatten(late["drawn"]), flatten(other["drawn"])
    assert len(set(map(str, numbers))) == len(numbers), "each draws from a stream or a place of its own"
    assert not set(numbers) & set(others)
    for one in (late, early, other):
        assert one["own"] == late["own"], "a bot's own seeds hold"
    assert not set(flatten(late["system"])) & set(flatten(early["system"])), (
        "the system's randomness is nobody's to predict"
    )


@pytest.mark.long
def test_seeding_by_the_bot_works_as_in_python_and_numpy() -> None:
    numpy = pytest.importorskip("numpy", reason="numpy is not installed: make develop")
    own = draw_numbers("5eed")["own"]
    assert isinstance(own, dict)
    expected = [random.Random(7).random(), random.Random("x").random(), float(numpy.random.default_rng(5).random())]
    assert own["fixed"] == expected
    assert own["copied"] is True
    assert own["seeded"] == [random.Random(3).random(), float(numpy.random.RandomState(3).random())]


def test_shared_process_keeps_its_own_randomness(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("def get_move(state): return 1\n")
    load = {
        "nonce": "n",
        "do": "load",
        "game": SDK.game,
        "seat": 0,
        "seats": 2,
        "settings": {"numbers": 1, "rounds": 3},
        "seed": "5eed",
    }
    load |= {"start_seconds": 1.0, "move_seconds": 1.0}
    before, state = random.Random.seed, random.getstate()
    assert b"done" in Session(str(tmp_path)).handle(json.dumps(load).encode())
    assert random.Random.seed is before
    assert random.getstate() == state
