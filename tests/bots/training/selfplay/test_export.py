"""The bot exported from a run has the expected files, and makes the same decisions as the trained network."""

from __future__ import annotations

import importlib
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.games.suit_pairs.observation import SIZE
from arena.games.suit_pairs.stages import ACTIONS
from bots.training.selfplay.export import write_bot
from bots.training.selfplay.network import evaluate
from bots.training.selfplay.pool import Model
from bots.training.selfplay.run import MODELS, write_models


def model(seed: int, hidden: tuple[int, ...]) -> Model:
    rng = np.random.default_rng(seed)
    widths = [SIZE, *hidden]
    found = {f"w{n}": rng.normal(0, 0.2, shape) for n, shape in enumerate(zip(widths, hidden, strict=False))}
    found |= {f"b{n}": rng.normal(0, 0.2, width) for n, width in enumerate(hidden)}
    for name, width in (("policy", ACTIONS), ("value", 1)):
        found |= {f"{name}_w": rng.normal(0, 0.2, (widths[-1], width)), f"{name}_b": rng.normal(0, 0.2, width)}
    return {name: value.astype(np.float32) for name, value in found.items()}


def player(archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    with zipfile.ZipFile(archive) as file:
        assert sorted(file.namelist()) == ["encoding.py", "main.py", "weights.npz"]
        file.extractall(folder)
    monkeypatch.syspath_prepend(folder)
    for name in ("main", "encoding"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    made = importlib.import_module("main").AIPlayer(0)
    for name in ("main", "encoding"):
        monkeypatch.delitem(sys.modules, name)
    return made


@pytest.mark.long
@pytest.mark.parametrize("hidden", [(16,), (16, 8), (8, 8, 8)])
def test_newest_model_is_exported_as_a_bot(
    hidden: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = model(2, hidden)
    write_models(tmp_path / MODELS, {100: model(1, hidden), 2_000: newest})
    archive = write_bot("suit_pairs", tmp_path)
    assert archive is not None
    bot = player(archive, tmp_path / "bot", monkeypatch)
    seen = np.random.default_rng(3).random((50, SIZE), np.float32)
    expected, _ = evaluate({name: np.asarray(value) for name, value in newest.items()}, seen)  # type: ignore[misc]
    np.testing.assert_allclose(bot.network(seen), expected, rtol=1e-4, atol=1e-5)


def test_run_elsewhere_and_game_without_encoding_export_no_bot(tmp_path: Path) -> None:
    assert write_bot("suit_pairs", tmp_path) is None
    write_models(tmp_path / MODELS, {1: model(1, (8,))})
    assert write_bot("counting", tmp_path) is None
