"""Processes are restarted and stopped at the right times, according to a scripted clock."""

import signal

import pytest

from arena.platform.supervisor.processes import ChildPhase, ChildSpec, Supervision
from arena.platform.supervisor.testing import FakeLauncher, ManualClock

WORKER_END = ((0.0, signal.SIGTERM), (1.0, signal.SIGQUIT), (3.0, signal.SIGKILL))


class Scene:
    def __init__(self) -> None:
        self.clock, self.launcher, self.said = ManualClock(), FakeLauncher(), list[str]()
        self.supervision = Supervision(launcher=self.launcher, clock=self.clock, say=self.said.append)

    def add(self, name: str, **changes: object) -> None:
        self.supervision.add(ChildSpec(name, ("program",), {}, **changes))  # type: ignore[arg-type]

    def pass_time(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.clock.advance(0.1)
            self.supervision.tick()


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_every_child_starts_with_the_first_tick(scene: Scene) -> None:
    scene.add("web")
    scene.add("beat")
    scene.supervision.tick()
    assert [name for name, _ in scene.launcher.started] == ["web", "beat"]


def test_dead_child_restarts_after_a_delay(scene: Scene) -> None:
    scene.add("web")
    scene.supervision.tick()
    scene.launcher.latest_process("web").exit(3)
    scene.supervision.tick()
    assert scene.launcher.count_starts("web") == 1
    assert scene.said == ["web ended with code 3; it restarts in 0.5 s"]
    scene.pass_time(0.6)
    assert scene.launcher.count_starts("web") == 2


def test_restart_delays_double_up_to_half_a_minute(scene: Scene) -> None:
    scene.add("web")
    delays = []
    for _ in range(9):
        scene.pass_time(31)
        scene.launcher.latest_process("web").exit(1)
        scene.supervision.tick()
        delays.append(scene.said[-1].rpartition(" in ")[2])
    assert delays == ["0.5 s", "1 s", "2 s", "4 s", "8 s", "16 s", "30 s", "30 s", "30 s"]


def test_healthy_minute_resets_the_restart_delay(scene: Scene) -> None:
    scene.add("web")
    for _ in range(3):
        scene.pass_time(5)
        scene.launcher.latest_process("web").exit(1)
        scene.supervision.tick()
    scene.pass_time(70)
    scene.launcher.latest_process("web").exit(1)
    scene.supervision.tick()
    assert scene.said[-1].endswith("in 0.5 s")


def test_missing_program_is_tried_again(scene: Scene) -> None:
    scene.launcher.fails.add("web")
    scene.add("web")
    scene.supervision.tick()
    assert "web" in scene.said[-1]
    scene.launcher.fails.clear()
    scene.pass_time(1)
    assert scene.supervision.phases() == {"web": ChildPhase.UP}


def test_death_by_signal_is_named(scene: Scene) -> None:
    scene.add("web")
    scene.supervision.tick()
    scene.launcher.latest_process("web").exit(-signal.SIGSEGV)
    scene.supervision.tick()
    assert scene.said[-1].startswith("web ended by SIGSEGV")


def test_children_are_stopped_in_stages(scene: Scene) -> None:
    scene.add("broker", stage=1)
    scene.add("web")
    scene.supervision.tick()
    scene.supervision.begin_stop()
    scene.supervision.tick()
    assert scene.launcher.latest_process("web").signals == [signal.SIGTERM]
    assert scene.launcher.latest_process("broker").signals == []
    scene.supervision.tick()
    assert scene.launcher.latest_process("broker").signals == [signal.SIGTERM]
    scene.supervision.tick()
    assert scene.supervision.is_done


def test_signals_to_a_busy_child_escalate(scene: Scene) -> None:
    scene.launcher.handled_signals["worker"] = set()
    scene.add("worker", escalation=WORKER_END)
    scene.supervision.tick()
    scene.supervision.begin_stop()
    scene.supervision.tick()
    worker = scene.launcher.latest_process("worker")
    assert worker.signals == [signal.SIGTERM]
    scene.pass_time(1.1)
    assert worker.signals == [signal.SIGTERM, signal.SIGQUIT]
    scene.pass_time(2.1)
    assert worker.signals == [signal.SIGTERM, signal.SIGQUIT, signal.SIGKILL]
    assert scene.supervision.is_done


def test_no_child_starts_after_the_stop_began(scene: Scene) -> None:
    scene.add("web")
    scene.add("beat")
    scene.supervision.tick()
    scene.launcher.latest_process("web").exit(1)
    scene.supervision.tick()
    scene.supervision.begin_stop()
    scene.pass_time(40)
    assert scene.launcher.count_starts("web") == 1
    assert scene.supervision.is_done
