"""The engine as a process: its output, its failures and how it is stopped."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from arena.games.reversi.analysis import queries, services, tasks
from arena.games.reversi.analysis.engine import EngineError, EngineStopped
from arena.games.reversi.analysis.engine_process import ProcessEngine
from arena.games.reversi.analysis.models import AnalysisStatus
from arena.games.reversi.move_grades import EngineFinding
from arena.games.reversi.notation import read_moves
from tests.factories import person
from tests.games.reversi.analysis.matches import NOW

LINE = read_moves("F5D6")
FINDINGS = [
    EngineFinding(2, 0, False, 1, "C5", ("C5",)),
    EngineFinding(1, 10, False, 1, "D6", (), 5),
    EngineFinding(0, 0, False, 1),
]


def create_engine(program: str) -> ProcessEngine:
    return ProcessEngine((sys.executable, "-S", "-c", program), Path.cwd())


def printing_program(findings: list[EngineFinding]) -> str:
    return f"print({chr(10).join(json.dumps(one.to_json()) for one in findings)!r})"


def run_engine(program: str, found: list[EngineFinding] | None = None) -> list[EngineFinding]:
    found = [] if found is None else found
    create_engine(program)(LINE, found.append, lambda: False)
    return found


def test_every_output_line_is_a_finding() -> None:
    assert run_engine(printing_program(FINDINGS)) == FINDINGS


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (printing_program(FINDINGS[:1]), "exit code 0 after 1 of 3 positions"),
        (
            printing_program(FINDINGS[:2]) + "; raise SystemExit('the engine says why')",
            "exit code 1 after 2 .*says why",
        ),
        ("print('hello')", "output"),
        ("import os; os.kill(os.getpid(), 9)", "exit code -9"),
    ],
)
def test_failing_engine_reports_the_reason(program: str, reason: str) -> None:
    with pytest.raises(EngineError, match=reason):
        run_engine(program)


def test_missing_engine_raises_engine_failed() -> None:
    with pytest.raises(EngineError, match="/no/such/engine"):
        ProcessEngine(("/no/such/engine",), Path.cwd())(LINE, lambda _: None, lambda: False)


def test_engine_is_stopped_mid_analysis(tmp_path: Path) -> None:
    found: list[EngineFinding] = []
    program = f"import time; {printing_program(FINDINGS[:1])}; import sys; sys.stdout.flush(); time.sleep(60)"
    with pytest.raises(EngineStopped):
        create_engine(program)(LINE, found.append, lambda: bool(found))
    assert found == FINDINGS[:1]


@pytest.mark.long
@pytest.mark.django_db
def test_worker_runs_the_house_engine_on_every_position(settings: object) -> None:
    settings.ANALYSIS_SECONDS = settings.ANALYSIS_SOLVING_SECONDS = 0.01  # type: ignore[attr-defined]
    analysis = services.analyse_line(person(), LINE, now=NOW)
    assert tasks.analyse.name == services.ANALYSIS_TASK
    tasks.analyse(analysis)
    state = queries.analysis_of_line(LINE)
    assert state is not None
    assert state.status == AnalysisStatus.DONE
    assert [finding.ply for finding in state.findings] == [2, 1, 0]
