"""Invalid settings fail loudly: production has no guessed values, and no typo falls back to a default."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PRODUCTION = {
    "ARENA_ENV": "production",
    "SECRET_KEY": "x" * 60,
    "ALLOWED_HOSTS": "arena.example",
    "DATABASE_URL": "postgres://arena@database.example/arena",
    "REDIS_URL": "redis://redis.example",
    "EMAIL_URL": "smtp://mail.example",
    "PROXY_COUNT": "1",
}


# Each line of its input holds environment variables, each line of its output some settings or their error.
LOADER = """
import json, os, runpy, sys

for line in sys.stdin:
    os.environ.clear()
    os.environ.update(json.loads(line))
    for name in [name for name in sys.modules if name.startswith("arena")]:
        del sys.modules[name]  # modules of games read their settings when they are imported
    try:
        settings = runpy.run_module("arena.settings")
        loaded = {name: settings.get(name) for name in ("EMAIL_URL", "EMAIL_BACKEND", "SECURE_PROXY_SSL_HEADER")}
    except Exception as error:
        loaded = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(loaded), flush=True)
"""
LoadSettings = Callable[[Mapping[str, str]], dict[str, Any]]
SettingsError = Callable[[Mapping[str, str]], str]


@pytest.fixture(scope="module")
def loader() -> Iterator[LoadSettings]:
    """Yield a function that loads settings in one shared process, because starting a process takes a second."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", LOADER], env=environment, stdin=PIPE, stdout=PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        requests, responses = process.stdin, process.stdout

        def load(variables: Mapping[str, str]) -> dict[str, Any]:
            requests.write(json.dumps(variables) + "\n")
            return dict(json.loads(responses.readline()))

        yield load
        requests.close()


@pytest.fixture
def load_settings(loader: LoadSettings, tmp_path: Path) -> LoadSettings:
    """Return a function that loads the settings of an installation in ``tmp_path`` and returns some of them."""
    return lambda variables: loader({"PATH": os.environ["PATH"], "ARENA_VAR": str(tmp_path), **variables})


@pytest.fixture
def settings_error(load_settings: LoadSettings) -> SettingsError:
    """Return a function that loads the settings and returns their error or ""."""
    return lambda variables: str(load_settings(variables).get("error", ""))


@pytest.mark.parametrize("variables", [{}, {"ARENA_ENV": "", "SANDBOX_MODE": ""}, PRODUCTION])
def test_minimal_settings_are_accepted(settings_error: SettingsError, variables: dict[str, str]) -> None:
    assert settings_error(variables) == ""


@pytest.mark.parametrize("name", sorted(PRODUCTION.keys() - {"ARENA_ENV"}))
def test_production_requires_every_setting(settings_error: SettingsError, tmp_path: Path, name: str) -> None:
    assert f"{name} must be set" in settings_error({**PRODUCTION, name: ""})
    assert list(tmp_path.iterdir()) == []


def test_error_for_a_missing_setting_says_what_to_set(settings_error: SettingsError) -> None:
    assert "smtp://user:password@host:587" in settings_error({**PRODUCTION, "EMAIL_URL": ""})
    assert "the number of proxies" in settings_error({**PRODUCTION, "PROXY_COUNT": ""})


@pytest.mark.parametrize("variables", [{"EMAIL_URL": ""}, {"EMAIL_URL": "file:"}, {**PRODUCTION, "EMAIL_URL": "file:"}])
def test_emails_can_be_written_to_files(load_settings: LoadSettings, variables: dict[str, str]) -> None:
    loaded = load_settings(variables)
    assert loaded["EMAIL_URL"] == ""
    assert "filebased" in loaded["EMAIL_BACKEND"]


def test_misspelled_mail_server_is_rejected_without_showing_its_password(settings_error: SettingsError) -> None:
    said = settings_error({"EMAIL_URL": "arena:secret@mail.example"})
    assert "EMAIL_URL must be" in said
    assert "secret" not in said


@pytest.mark.parametrize("proxies", [0, 1])
def test_header_about_https_is_trusted_only_behind_a_proxy(load_settings: LoadSettings, proxies: int) -> None:
    loaded = load_settings({**PRODUCTION, "PROXY_COUNT": str(proxies)})
    assert (loaded["SECURE_PROXY_SSL_HEADER"] is not None) is (proxies > 0)


@pytest.mark.parametrize(("name", "value"), [("ARENA_ENV", "prod"), ("SANDBOX_MODE", "none"), ("DEBUG", "maybe")])
def test_misspelled_value_is_rejected(settings_error: SettingsError, name: str, value: str) -> None:
    said = settings_error({name: value})
    assert name in said
    assert repr(value) in said


def test_worker_games_must_exist(settings_error: SettingsError) -> None:
    assert settings_error({"WORKER_GAMES": "reversi, golden_point"}) == ""
    said = settings_error({"WORKER_GAMES": "reversi,chess"})
    assert "WORKER_GAMES must list some of reversi, golden_point" in said
    assert "'reversi,chess'" in said


@pytest.mark.parametrize(
    ("name", "value"), [("LEASE_SECONDS", "0"), ("LEASE_SECONDS", "soon"), ("LEASE_SECONDS", "nan")]
)
def test_durations_must_be_at_least_two_seconds(settings_error: SettingsError, name: str, value: str) -> None:
    assert f"{name} must be a number of seconds, at least 2, not {value!r}" in settings_error({name: value})


def test_duration_may_have_a_fraction(settings_error: SettingsError) -> None:
    assert settings_error({"LEASE_SECONDS": "2.5"}) == ""


def test_settings_of_games_are_read_from_one_variable(settings_error: SettingsError) -> None:
    assert settings_error({"GAME_SETTINGS": "ROOMS_OPEN=7 ANALYSIS_SECONDS=0.2"}) == ""
    assert "ROOMS_OPEN must be" in settings_error({"GAME_SETTINGS": "ROOMS_OPEN=none"})
    assert settings_error({"GAME_SETTINGS": "ROOMS_OPEN=none", "ROOMS_OPEN": "7"}) == ""
    assert "ROOMS_OPENED" in settings_error({"GAME_SETTINGS": "ROOMS_OPENED=7"})
    assert "'ROOMS_OPEN'" in settings_error({"GAME_SETTINGS": "ROOMS_OPEN 7"})


@pytest.mark.parametrize(
    ("name", "value"), [("UPLOADS_AN_HOUR", "0"), ("ANALYSES_AN_HOUR", "-3"), ("MATCHES_UNDER_WAY", "x")]
)
def test_counts_must_be_positive_whole_numbers(settings_error: SettingsError, name: str, value: str) -> None:
    assert f"{name} must be a whole number, at least 1, not {value!r}" in settings_error({name: value})
