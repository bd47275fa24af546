"""Forked children behave like new processes, and inherit only loaded code from the supervisor."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.running_site import ROOT

pytestmark = pytest.mark.stack

# CODE is loaded once, SCRIPT is run by the children; ``loaded_by`` shows whether they share the loaded module.
CODE = "import os\nloaded_by = os.getpid()\nvariable = os.environ['VARIABLE']\n"
SCRIPT = """
import json, os, signal, sys
from pathlib import Path
if sys.argv[1:] == ["fail"]:
    raise ValueError("broken")
if sys.argv[1:] == ["refuse"]:
    sys.exit(3)
code = sys.modules.get("code_of_children")
print(json.dumps({
    "argv": sys.argv,
    "variable": os.environ["VARIABLE"],
    "shared": code is not None and code.loaded_by == os.getppid(),
    "leads": os.getsid(0) == os.getpid(),
    "open": sorted(int(name) for name in os.listdir("/proc/self/fd")),
    "input": os.read(0, 1).decode(),
    "title": Path("/proc/self/cmdline").read_bytes().rstrip(b"\\0").decode(),
    "heeds": signal.getsignal(signal.SIGTERM) is signal.SIG_DFL,
    "folder": os.getcwd(),
}))
"""
DRIVER = """
import os, signal, sys
from pathlib import Path
from arena.platform.supervisor.loop import Loop, StopRequested
from arena.platform.supervisor.output import Output
from arena.platform.supervisor.processes import ChildSpec

folder = Path(sys.argv[1])
held = open(folder / "held", "w")
say = lambda line: print(line, flush=True)
environment = {**os.environ, "VARIABLE": "yes"}
sys.path.insert(0, str(folder))

def start(loop):
    def run(*arguments):
        spec = ChildSpec("step", (sys.executable, "script.py", *arguments), environment, copies=True)
        say(f"ended with {loop.run_step(spec)}")

    loop.load("code_of_children", environment)
    run("a", "b")
    run("refuse")
    run("fail")
    (folder / "code_of_children.py").write_text("changed = True")
    run("after a change")
    raise StopRequested
Loop(folder, Output(folder / "log", say, width=4), say).run(start)
"""


@pytest.fixture(scope="module")
def supervisor_output(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the output of a supervisor that holds a file open while the script runs.

    The supervisor runs the script three times, then once more after the code it loaded has changed.
    """
    folder = tmp_path_factory.mktemp("copies")
    (folder / "code_of_children.py").write_text(CODE)
    (folder / "script.py").write_text(SCRIPT)
    ended = subprocess.run(
        [sys.executable, "-c", DRIVER, str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=300, check=True
    )
    return [line.removeprefix("step | ") for line in ended.stdout.splitlines()]


def test_forked_child_matches_its_command_line(supervisor_output: list[str]) -> None:
    report, _ = _reports(supervisor_output)
    assert report["argv"] == ["script.py", "a", "b"]
    assert report["title"] == f"{sys.executable} script.py a b"
    assert (report["variable"], report["leads"], report["heeds"], report["input"]) == ("yes", True, True, "")
    assert Path(report["folder"], "script.py").is_file()


def test_forked_child_shares_code_but_no_descriptor(supervisor_output: list[str]) -> None:
    report, _ = _reports(supervisor_output)
    assert report["shared"]
    assert len([number for number in report["open"] if number > 2]) == 1, "the listing's own alone"


def test_forked_child_exits_with_its_own_code(supervisor_output: list[str]) -> None:
    assert [line for line in supervisor_output if line.startswith("ended")] == [
        f"ended with {code}" for code in (0, 3, 1, 0)
    ]
    assert "ValueError: broken" in supervisor_output


def test_child_starts_a_new_process_after_a_code_change(supervisor_output: list[str]) -> None:
    before, after = _reports(supervisor_output)
    assert after["argv"] == ["script.py", "after a change"]
    assert (before["shared"], after["shared"]) == (True, False)


def _reports(supervisor_output: list[str]) -> list[dict[str, Any]]:
    """Return the reports of the children that ran the script to its end."""
    return [json.loads(line) for line in supervisor_output if line.startswith("{")]


def test_signal_before_the_first_step_ends_the_child() -> None:
    """A signal to a child that is not yet the leader of its process group ends only that child.

    A signal to the whole group would also end this test.
    """
    from arena.platform.supervisor.launcher import SystemProcess

    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])  # in the test's own process group
    SystemProcess(child.pid, child.poll).send_signal(signal.SIGKILL)
    assert child.wait(timeout=60) == -signal.SIGKILL
