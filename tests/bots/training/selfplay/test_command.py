"""Each command-line error comes with advice on what to change."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from bots.cli.commands import USAGE
from bots.cli.commands import main as bots
from bots.cli.errors import CommandError
from bots.training.selfplay import command
from bots.training.selfplay.command import main
from bots.training.selfplay.job import LearnerJob
from tests.bots.training.selfplay.counting import COUNTING, PLAN


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--minutes", "0"], "invalid_duration"),
        (["--updates", "-1"], "invalid_duration"),
        (["--processes", "0"], "invalid_processes"),
        (["--processes", "3", "--samplers", "2"], "invalid_processes"),
        (["--resume"], "no_run"),
        (["--minibatch", "7"], "invalid_minibatch"),
    ],
)
def test_invalid_options_are_rejected(options: list[str], code: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError) as refused:
        main(COUNTING, ["--run", str(tmp_path), *options], PLAN)
    assert refused.value.code == code


def test_run_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "checkpoint.npz").touch()
    with pytest.raises(CommandError) as refused:
        main(COUNTING, ["--run", str(tmp_path)], PLAN)
    assert refused.value.code == "run_exists"


def test_options_are_converted_to_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[LearnerJob] = []
    monkeypatch.setattr(command, "train", jobs.append)
    main(
        COUNTING, ["--run", str(tmp_path), "--minutes", "2", "--processes", "2", "--samplers", "5", "--seed", "9"], PLAN
    )
    (job,) = jobs
    assert (job.budget.seconds, job.learners, job.samplers, job.plan.seed, job.resume) == (120, 2, 5, 9, False)


@pytest.mark.parametrize("missing", ["jax", "optax"])
def test_missing_libraries_are_reported_with_install_command(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [one for one in sys.modules if one.startswith(("bots.training.selfplay", "bots.suit_pairs.training"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert bots(["train", "suit_pairs", "--minutes", "1"]) == USAGE
    assert re.search(rf"\b{missing}\b.*make training \[library_missing\]", capsys.readouterr().err)


def test_cluster_requires_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    with pytest.raises(CommandError, match=r"\[cluster\]") as refused:
        main(COUNTING, ["--run", str(tmp_path), "--ray", "auto"], PLAN)
    assert refused.value.code == "ray_missing"


def test_evaluation_requires_the_games_libraries(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [one for one in sys.modules if one.startswith(("bots.training.selfplay", "bots.suit_pairs.training"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jax", None)
    assert bots(["evaluate", "suit_pairs", "--json"]) == USAGE
    assert "[library_missing]" in capsys.readouterr().err
