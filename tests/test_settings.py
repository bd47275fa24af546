"""Invalid settings fail loudly: production has no guessed values, and no typo falls back to a default."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PRODUCTION = {
    "ARENA_ENV": "production",
    "SECRET_KEY": "x" * 60,
    "ALLOWED_HOSTS": "arena.example",
    "DATABASE_URL": "postgres://arena@database.example/arena",
    "REDIS_URL": "redis://redis.example",
}


def settings_error(var: Path, variables: dict[str, str]) -> str:
    """Load the settings in a subprocess and return the last line of its error output, or "" if they are valid."""
    command = [sys.executable, "-c", "import arena.settings"]
    environment = {"PATH": os.environ["PATH"], "ARENA_VAR": str(var), **variables}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize("variables", [{}, {"ARENA_ENV": "", "SANDBOX_MODE": ""}, PRODUCTION])
def test_minimal_settings_are_accepted(tmp_path: Path, variables: dict[str, str]) -> None:
    assert settings_error(tmp_path, variables) == ""


@pytest.mark.parametrize("name", sorted(PRODUCTION.keys() - {"ARENA_ENV"}))
def test_production_requires_every_setting(tmp_path: Path, name: str) -> None:
    assert f"{name} must be set" in settings_error(tmp_path, {**PRODUCTION, name: ""})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "value"), [("ARENA_ENV", "prod"), ("SANDBOX_MODE", "none"), ("DEBUG", "maybe")])
def test_misspelled_value_is_rejected(tmp_path: Path, name: str, value: str) -> None:
    said = settings_error(tmp_path, {name: value})
    assert name in said
    assert repr(value) in said


def test_worker_games_must_exist(tmp_path: Path) -> None:
    assert settings_error(tmp_path, {"WORKER_GAMES": "reversi, golden_point"}) == ""
    said = settings_error(tmp_path, {"WORKER_GAMES": "reversi,chess"})
    assert "WORKER_GAMES must list some of reversi, golden_point" in said
    assert "'reversi,chess'" in said


@pytest.mark.parametrize(
    ("name", "value"), [("LEASE_SECONDS", "0"), ("LEASE_SECONDS", "soon"), ("LEASE_SECONDS", "nan")]
)
def test_durations_must_be_at_least_two_seconds(tmp_path: Path, name: str, value: str) -> None:
    assert f"{name} must be a number of seconds, at least 2, not {value!r}" in settings_error(tmp_path, {name: value})


def test_duration_may_have_a_fraction(tmp_path: Path) -> None:
    assert settings_error(tmp_path, {"LEASE_SECONDS": "2.5"}) == ""


def test_settings_of_games_are_read_from_one_variable(tmp_path: Path) -> None:
    assert settings_error(tmp_path, {"GAME_SETTINGS": "ROOMS_OPEN=7 ANALYSIS_SECONDS=0.2"}) == ""
    assert "ROOMS_OPEN must be" in settings_error(tmp_path, {"GAME_SETTINGS": "ROOMS_OPEN=none"})
    assert settings_error(tmp_path, {"GAME_SETTINGS": "ROOMS_OPEN=none", "ROOMS_OPEN": "7"}) == ""
    assert "ROOMS_OPENED" in settings_error(tmp_path, {"GAME_SETTINGS": "ROOMS_OPENED=7"})
    assert "'ROOMS_OPEN'" in settings_error(tmp_path, {"GAME_SETTINGS": "ROOMS_OPEN 7"})


@pytest.mark.parametrize(
    ("name", "value"), [("UPLOADS_AN_HOUR", "0"), ("ANALYSES_AN_HOUR", "-3"), ("MATCHES_UNDER_WAY", "x")]
)
def test_counts_must_be_positive_whole_numbers(tmp_path: Path, name: str, value: str) -> None:
    assert f"{name} must be a whole number, at least 1, not {value!r}" in settings_error(tmp_path, {name: value})
