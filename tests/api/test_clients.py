"""A generated API client works with a running site, and schemathesis finds no failures there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running_site import RunningSite, run_site
from tests.stack.failing import Stack

pytestmark = pytest.mark.stack

SCRIPTS = Path(sys.executable).parent
BOT = "def get_move(board):\n    return next(board.get_legal_actions('X'))\n"
# Tells the generator to treat these types as plain files, because it does not know them.
FILES = "content_type_overrides:\n  application/zip: application/octet-stream\n"
FILES += "  text/csv: text/plain\n  text/event-stream: text/plain\n"
# A program that relies only on the OpenAPI document.
PROGRAM = """
    import io, sys, time
    from arena_client import AuthenticatedClient
    from arena_client.api.bots import create_bot
    from arena_client.api.versions import get_check
    from arena_client.models import CreateBotMultiPartBodyParams
    from arena_client.types import File

    client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], raise_on_unexpected_status=True)
    file = File(payload=io.BytesIO(open(sys.argv[3], "rb").read()), file_name="main.py", mime_type="text/x-python")
    body = CreateBotMultiPartBodyParams(game="reversi", name="Generated", file=file)
    version = create_bot.sync(client=client, body=body, idempotency_key="generated-1")
    again = create_bot.sync(client=client, body=body, idempotency_key="generated-1")
    assert again.id == version.id, (version, again)
    for _ in range(600):
        check = get_check.sync(version_id=version.id, client=client)
        if check.finished:
            break
        time.sleep(0.2)
    print(version.number, check.status, *(step.name + "=" + step.state for step in check.steps))
"""


@pytest.fixture(scope="module")
def site() -> Iterator[RunningSite]:
    """Yield a running site with four bots and a finished tournament, which the calls refer to by id.

    The site has no seed content; otherwise it would check all house bots and play demonstrations during the calls.
    """
    with run_site(seeded=False, API_REQUESTS_AN_HOUR="0", UPLOADS_AN_HOUR="100000") as running:
        stack = Stack(running)
        try:
            stack.populate()
            cup = stack.shell.tournament(bots=stack.bots, repeats=1, pace=0.0)
            stack.wait_for(lambda: stack.shell.progress(tournament=cup)["status"] == "finished", cup)
        finally:
            stack.shell.close()
        assert (stack.bots[0], cup) == (1, 1)
        running.manage("organizer", "ada", "--create")
        yield running


@pytest.fixture(scope="module")
def token(site: RunningSite) -> str:
    scopes = ("--scope", "read", "--scope", "submit", "--scope", "organize")
    return site.manage("token", "ada", *scopes).splitlines()[-1]


def test_generated_client_uploads_a_bot_and_reads_its_check(site: RunningSite, token: str, tmp_path: Path) -> None:
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(site.json("/api/v1/openapi.json")))
    config = tmp_path / "config.yml"
    config.write_text(
        "project_name_override: arena-client\npackage_name_override: arena_client\npost_hooks: []\n" + FILES
    )
    generate = [SCRIPTS / "openapi-python-client", "generate", "--path", document, "--config", config, "--meta", "none"]
    made = subprocess.run(
        [*generate, "--output-path", tmp_path / "arena_client"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "Warning" not in made.stdout + made.stderr
    (tmp_path / "main.py").write_text(BOT)
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM))
    ended = subprocess.run(
        [sys.executable, tmp_path / "program.py", site.address, token, tmp_path / "main.py"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("1 passed syntax=passed")
    assert "match=passed" in ended.stdout


@pytest.mark.parametrize(("who", "phases"), [("organizer", "coverage,fuzzing"), ("anybody", "coverage")])
def test_schemathesis_finds_no_failure_and_nothing_undocumented(
    site: RunningSite, token: str, tmp_path: Path, who: str, phases: str
) -> None:
    config = tmp_path / "schemathesis.toml"
    # Ids of existing rows; with random ids, nearly every call would return 404.
    config.write_text('[parameters]\n"path.bot_id" = 1\n"path.version_id" = 1\n"path.tournament_id" = 1\n')
    command = [SCRIPTS / "schemathesis", "--config-file", config, "run", f"{site.address}/api/v1/openapi.json"]
    if who == "organizer":
        command += ["--header", f"Authorization: Bearer {token}"]
    # Values that match the schema may still be refused, such as a cursor that was never issued or an unknown game.
    checks = [
        "--exclude-checks",
        "positive_data_acceptance",
        "--phases",
        phases,
        "--max-examples",
        "5",
        "--request-timeout",
        "60",
    ]
    ended = subprocess.run(
        [*command, *checks, "--seed", "1", "--no-color"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout[-6000:] + ended.stderr[-2000:]
    assert "Selected: 33/33" in ended.stdout
    assert "Traceback" not in site.output()
