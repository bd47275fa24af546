from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from arena.core.sandbox.__main__ import FAILED
from arena.core.sandbox.status import SandboxStatus

pytestmark = pytest.mark.sandbox


@pytest.mark.long
def test_sandbox_status_of_this_machine() -> None:
    out = StringIO()
    call_command("sandbox", "status", "--json", stdout=out)
    assert SandboxStatus.from_json(json.loads(out.getvalue())).is_usable


@pytest.mark.long
def test_sandbox_status_fails_if_bots_cannot_run(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.BOT_CODE_DIR = tmp_path
    with pytest.raises(SystemExit) as ended:
        call_command("sandbox", "status")
    assert ended.value.code == 1
    shown = capsys.readouterr().out
    assert "mode: auto (namespaces)" in shown
    assert shown.splitlines()[-1].startswith(FAILED)
