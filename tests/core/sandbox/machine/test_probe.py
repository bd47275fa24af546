"""Every capability of the machine is probed, explained, and listed by the status command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.core.sandbox.__main__ import PASSED
from arena.core.sandbox.config import Mode
from arena.core.sandbox.machine.probe import CapabilityName, probe_capabilities

pytestmark = pytest.mark.sandbox


def test_every_capability_is_probed_and_explained() -> None:
    found = probe_capabilities()
    assert [capability.name for capability in found] == list(CapabilityName)
    assert all(capability.remedies for capability in found)
    assert {capability.name for capability in found if not capability.needed_by} == {
        CapabilityName.CONTROL_GROUPS,
        CapabilityName.OWN_IDS,
        CapabilityName.SCRATCH_FOLDERS,
    }


def test_this_machine_can_run_bots() -> None:
    denied = [found for found in probe_capabilities() if not found.present and Mode.NAMESPACES in found.needed_by]
    assert denied == []


@pytest.mark.long
def test_status_command_reports_a_usable_sandbox() -> None:
    command = [sys.executable, "-m", "arena.core.sandbox", "status", "--mode", "auto"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[4], check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mode: auto (namespaces)" in done.stdout
    assert done.stdout.splitlines()[-1] == PASSED
