"""A control group for tests, created below the delegated group or, as root, below the machine's root group."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.core.sandbox.machine import control_groups
from arena.core.sandbox.supervision.bot_groups import sweep_groups

HOW = (
    "on a machine with systemd and cgroup v2, as root: systemd-run --pipe --wait -p Delegate=yes "
    '-p WorkingDirectory="$PWD" .venv/bin/python -m pytest tests/core/sandbox; '
    "add -p User=NAME to test an ordinary user"
)


@contextmanager
def temporary_control_group() -> Iterator[Path]:
    """Yield an empty group with the controllers of its parent; skip the test if none can be created."""
    group = _parent_group() / f"tests-arena-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made here: {error}; {HOW}")
    try:
        yield group
    finally:
        sweep_groups(group)
        group.rmdir()


def require_controller(granted: Path, controller: str) -> None:
    """Skip the test if the machine's cgroup v2 lacks a controller, for example because cgroup v1 has it."""
    if controller not in (granted / "cgroup.controllers").read_text().split():
        pytest.skip(f"this machine's cgroup v2 has no controller {controller}; {HOW}")


def read_counters(group: Path, name: str) -> dict[str, int]:
    """Return the counters in a file such as memory.events."""
    return {key: int(value) for key, _, value in map(_split, (group / name).read_text().splitlines())}


def _split(line: str) -> tuple[str, str, str]:
    return line.partition(" ")


def _parent_group() -> Path:
    try:
        delegated = control_groups.find_group(os.environ.get("SANDBOX_CGROUP", ""))
    except OSError:
        return _root_group()
    control_groups.prepare_group(delegated)
    return delegated


def _root_group() -> Path:
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    top = next((Path(mount[1]) for mount in mounts if mount[2] == "cgroup2"), None)
    if top is None:
        pytest.skip(f"cgroup v2 is not mounted; {HOW}")
    try:
        there = (top / "cgroup.controllers").read_text().split()
        wanted = [f"+{name}" for name in control_groups.CONTROLLERS if name in there]
        (top / "cgroup.subtree_control").write_text(" ".join(wanted))
    except OSError:
        pass  # `require_controller` skips tests of controllers that the machine does not grant
    return top
