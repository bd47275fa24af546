"""Sandbox configurations for each mode that this machine supports."""

from __future__ import annotations

import dataclasses
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.isolation import landlock, syscalls
from tests.core.sandbox.jailed_bots import LIBRARIES
from tests.core.sandbox.pythons import python_for_everybody, readable_by_everybody

HARNESS = Path(__file__).parent / "harness"
# Both modes, or the one selected for a nested test run.
MODES = (
    [Mode(os.environ["SANDBOX_TEST_MODE"])] if "SANDBOX_TEST_MODE" in os.environ else [Mode.NAMESPACES, Mode.LANDLOCK]
)
# For fixtures: the quick tests run in the first mode only, except those of `isolation`, which run in both.
MODE_PARAMS = [MODES[0], *(pytest.param(mode, marks=pytest.mark.long) for mode in MODES[1:])]


def why_unavailable(mode: Mode) -> str | None:
    """Return why the mode cannot be tested here, or None if it can."""
    if mode is Mode.LANDLOCK and syscalls.landlock_abi() < landlock.ABI_WITHOUT_NAMESPACES:
        return "needs Linux 6.12 or newer"
    if mode is Mode.LANDLOCK and python_for_everybody() is None:
        return "no Python that an ordinary user can run"
    return None


def skip_unless_available(mode: Mode) -> None:
    """Skip the test if the mode cannot be tested here."""
    if reason := why_unavailable(mode):
        pytest.skip(reason)


@contextmanager
def available_config(mode: Mode) -> Iterator[SandboxConfig]:
    """Yield a configuration of this mode; skip the test if the mode cannot be tested here."""
    skip_unless_available(mode)
    with create_config(mode) as found:
        yield found


@contextmanager
def create_config(mode: Mode) -> Iterator[SandboxConfig]:
    """Yield a sandbox configuration for this mode.

    Without namespaces, files keep their original paths, where the bots' user must be able to read them.
    """
    libraries = (LIBRARIES,) if LIBRARIES.is_dir() else ()
    usual = SandboxConfig(
        libraries,
        HARNESS,
        entry="outer.inner.echo:main",
        packages={"beside.part": HARNESS / "beside" / "part"},
        preload=("numpy", "numpy.random"),
        cgroup=os.environ.get("SANDBOX_CGROUP", ""),
    )
    if mode is Mode.NAMESPACES:
        yield usual
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        harness = Path(folder, "harness")
        shutil.copytree(HARNESS, harness, ignore=shutil.ignore_patterns("__pycache__"))
        yield dataclasses.replace(
            usual,
            mode=mode,
            python=python_for_everybody() or usual.python,
            harness=harness,
            packages={"beside.part": harness / "beside" / "part"},
            libraries=tuple(path for path in libraries if readable_by_everybody(path)),
        )
