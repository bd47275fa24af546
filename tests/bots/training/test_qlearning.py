"""The Q-learning command prints the same steps as the page /learn/."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from arena.core.learning.q_learning import WORKED_SEED, Rates, episode
from arena.pages.learn.address import LearnState
from arena.pages.learn.content import learn_page
from bots.training import qlearning


def printed_lines(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    monkeypatch.setattr("sys.argv", ["qlearning", *arguments])
    qlearning.main()
    return capsys.readouterr().out.splitlines()


def test_steps_equal_those_of_the_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    head, *lines, _ = printed_lines(["--steps", "5"], monkeypatch, capsys)
    log = learn_page(LearnState(world=0, seed=WORKED_SEED, step=5)).watched.log
    assert "Q(A, 1)" in head
    assert len(lines) == len(log) == 5
    for line, lesson in zip(lines, reversed(log), strict=True):
        assert lesson.calculation in line


def test_first_steps_match_the_worked_example(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, *lines, _ = printed_lines(["--steps", "3"], monkeypatch, capsys)
    assert [line.split("= ")[1].split()[0] for line in lines] == ["1.0", "-1.0", "4.09"]
    assert lines[-1].split()[-4:] == ["1.0", "-1.0", "4.09", "0.0"]


def test_episodes_continue_with_learned_values(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, *lines, truth = printed_lines(["--episodes", "30", "--steps", "40", "--exploring", "0.5"], monkeypatch, capsys)
    assert len(lines) == 30
    assert float(lines[-1].split()[-2]) > float(lines[0].split()[-2])
    assert "Q(A, 2) = 133.77" in truth


def test_first_episode_starts_from_zero() -> None:
    ((*taught,),) = qlearning.run_episodes(1, 10, seed=4, rates=Rates())
    assert taught == list(islice(episode(random.Random(4), Rates()), 10))


@pytest.mark.parametrize("wrong", [["--steps", "0"], ["--discount", "1.5"], ["--exploring", "often"]])
def test_invalid_arguments_are_rejected(
    wrong: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        printed_lines(wrong, monkeypatch, capsys)
    assert wrong[0] in capsys.readouterr().err
