"""The status report lists what a mode lacks and states whether bots are allowed to run."""

from __future__ import annotations

import dataclasses
import json

import pytest

from arena.core.sandbox.__main__ import FAILED, PASSED, show
from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.machine.probe import CapabilityName
from arena.core.sandbox.machine.remedies import CONTAINER, USER_NAMESPACES, WorkerEnvironment
from arena.core.sandbox.self_test import Escape
from arena.core.sandbox.status import CapabilityStatus, SandboxStatus, probe_status
from tests.core.sandbox.jailed_bots import ByMode, value_for_mode


def granted_status(name: CapabilityName) -> CapabilityStatus:
    """Return the status of a capability that the machine grants."""
    return CapabilityStatus(name, present=True, needed=True, detail="granted", remedies=CONTAINER)


FINE = SandboxStatus(Mode.AUTO, Mode.NAMESPACES, 1000, tuple(map(granted_status, CapabilityName)), preloaded=("numpy",))
DENIED = CapabilityStatus(CapabilityName.MOUNTS, False, True, "mount: Operation not permitted", CONTAINER)
UNNEEDED = dataclasses.replace(DENIED, needed=False)


def test_good_status_is_usable_and_shown_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    assert FINE.is_usable
    show(FINE)
    shown = capsys.readouterr().out
    assert shown.startswith("mode: auto (namespaces); worker's uid: 1000\n")
    assert shown.endswith(f"{PASSED}\n")
    assert "To grant" not in shown


@pytest.mark.parametrize(
    ("spoiled", "expected"),
    [
        ({"capabilities": (DENIED,)}, "Docker: `--security-opt seccomp=docker/seccomp-worker.json"),
        ({"capabilities": ()}, FAILED),
        ({"escapes": (Escape("sockets", "a unix socket"),)}, "the self-test found an escape: sockets: a unix socket"),
        ({"failure": "gone"}, ": gone"),
    ],
)
def test_single_problem_makes_the_status_unusable(
    spoiled: dict[str, tuple[object, ...]], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = dataclasses.replace(FINE, **spoiled)  # type: ignore[arg-type]
    assert not status.is_usable
    show(status)
    shown = capsys.readouterr().out
    assert expected in shown
    assert shown.splitlines()[-1].startswith(FAILED)


def test_optional_capabilities_may_be_missing() -> None:
    status = dataclasses.replace(FINE, capabilities=(*FINE.capabilities, UNNEEDED))
    assert status.is_usable
    assert status.missing_capabilities == ()


@pytest.mark.parametrize(
    "status", [FINE, dataclasses.replace(FINE, capabilities=(DENIED,), escapes=(Escape("a", "b"),), failure="c")]
)
def test_status_survives_json(status: SandboxStatus) -> None:
    data = json.loads(json.dumps(status.to_json()))
    assert data["usable"] is status.is_usable
    assert SandboxStatus.from_json(data) == status


def test_remedies_cover_every_kind_of_operator() -> None:
    assert {remedy.environment for remedy in USER_NAMESPACES} == set(WorkerEnvironment) - {WorkerEnvironment.ANY}


@pytest.mark.long
@pytest.mark.sandbox
def test_report_lists_every_capability_of_this_machine(config: SandboxConfig) -> None:
    status = probe_status(dataclasses.replace(config, preload=("json", "no_such_module")))
    assert status.is_usable
    assert [capability.name for capability in status.capabilities] == list(CapabilityName)
    assert (status.failure, status.escapes, status.preloaded) == (None, (), ("json",))
    of_the_other_mode = ByMode({"landlock_scopes", "seccomp_questions"}, {"user_namespaces", "namespaces", "mounts"})
    unneeded = {capability.name.value for capability in status.capabilities if not capability.needed}
    assert unneeded == value_for_mode(status.mode, of_the_other_mode) | {"control_groups", "own_ids", "scratch_folders"}


@pytest.mark.long
@pytest.mark.sandbox
def test_server_that_does_not_start_is_reported(config: SandboxConfig) -> None:
    status = probe_status(dataclasses.replace(config, entry="missing:main", packages={}))
    assert not status.is_usable
    assert "missing" in (status.failure or "")
