"""Transactions lock matches and tournaments in an order that cannot deadlock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running_site import ROOT
from tests.stack.servers import running_servers

CASES = Path(__file__).with_name("lock_order.py")


@pytest.mark.stack
def test_no_deadlock_on_postgresql() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n0", str(CASES)]
    with running_servers() as (database, _):
        environment = {**os.environ, "DATABASE_URL": database.url}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
