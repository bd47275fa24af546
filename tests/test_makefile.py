"""If ``make`` is run twice at once in one checkout, the second run waits until the first has finished installing."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_concurrent_make_waits_for_the_install_lock() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    with (ROOT / "build" / "install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = subprocess.Popen(["make", "install"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        assert second.stdout is not None
        assert second.stdout.readline() == "waiting for another make that is installing here\n"
        assert second.poll() is None
        fcntl.flock(lock, fcntl.LOCK_UN)
        second.communicate(timeout=300)
    assert second.returncode == 0
