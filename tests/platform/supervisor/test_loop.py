"""The supervisor's loop with real processes: output, restarts, stop deadlines, and no orphans even after SIGKILL."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.stack

ROOT = Path(__file__).resolve().parents[3]

# Runs three children: one that exits on SIGTERM, one that ignores every signal except SIGKILL, and one whose grandchild
# has left its process group and ignores signals as well. Each writes its pid to a file.
DRIVER = """
import sys
from pathlib import Path
from arena.platform.supervisor.loop import Loop
from arena.platform.supervisor.output import Output
from arena.platform.supervisor.processes import ChildSpec
import signal

folder = Path(sys.argv[1])
say = lambda line: print(line, flush=True)
END = ((0.0, signal.SIGTERM), (0.6, signal.SIGKILL))
NOTE = "import os, sys, time, signal; open(sys.argv[1] + '/' + sys.argv[2], 'w').write(str(os.getpid())); "
DEAF = NOTE + "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 15)]; time.sleep(600)"
POLITE = NOTE + "print('hello from', sys.argv[2], flush=True); time.sleep(600)"
PARENT = (
    "import subprocess, sys; "
    "subprocess.Popen([sys.executable, '-c', sys.argv[3], sys.argv[1], 'grandchild'], start_new_session=True); "
    + POLITE
)
def start(loop):
    for name, script, stage in (("polite", POLITE, 0), ("deaf", DEAF, 1), ("parent", PARENT, 0)):
        loop.add(ChildSpec(name, (sys.executable, "-c", script, str(folder), name, DEAF), {}, END, stage))
Loop(folder, Output(folder / "log", say, width=6), say).run(start)
"""
NAMES = ("polite", "deaf", "parent", "grandchild")


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)


class Supervisor:
    """A running driver script and the pids of its children."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        wait_until(lambda: all(self.pid(name) for name in NAMES))
        self.pids = [self.pid(name) for name in NAMES]

    def pid(self, name: str) -> int:
        try:
            return int((self.folder / name).read_text() or 0)
        except FileNotFoundError:
            return 0

    def end(self) -> str:
        output, _ = self.process.communicate(timeout=60)
        return output


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    running = Supervisor(tmp_path)
    yield running
    if running.process.poll() is None:
        running.process.terminate()  # only an orderly stop also kills the grandchild that left its group
        running.end()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stop_leaves_no_orphan(supervisor: Supervisor, number: signal.Signals) -> None:
    supervisor.process.send_signal(number)
    output = supervisor.end()
    assert supervisor.process.returncode == 0
    assert not any(is_alive(pid) for pid in supervisor.pids)
    assert "polite | hello from polite" in output
    assert output.endswith("stopping\n")


def test_killed_supervisor_leaves_no_child(supervisor: Supervisor) -> None:
    children = [supervisor.pid(name) for name in ("polite", "deaf", "parent")]
    grandchild = supervisor.pid("grandchild")
    supervisor.process.kill()
    supervisor.end()
    wait_until(lambda: not any(is_alive(pid) for pid in children))
    os.kill(grandchild, signal.SIGKILL)  # a process that detaches on purpose is its own parent's responsibility


def test_killed_child_is_restarted_and_its_leftovers_are_removed(supervisor: Supervisor) -> None:
    grandchild = supervisor.pid("grandchild")
    first = supervisor.pid("parent")
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: supervisor.pid("parent") != first and is_alive(supervisor.pid("parent")))
    wait_until(lambda: not is_alive(grandchild))


def test_each_child_has_its_own_output_file(supervisor: Supervisor) -> None:
    wait_until(lambda: "hello from polite" in (supervisor.folder / "log" / "polite.log").read_text())
