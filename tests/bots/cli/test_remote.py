"""The commands that talk to an arena, tested with the API in this process instead of over a network."""

from __future__ import annotations

import io
import json
import stat
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.test import Client as Visitor
from django.utils import timezone

from arena.accounts import tokens
from arena.accounts.models import User
from arena.platform.live.testing import memory_broker
from arena.submissions.models import Submission
from bots.cli import arguments
from bots.cli.errors import CommandError
from bots.cli.remote import credentials as stored
from bots.cli.remote.client import ATTEMPTS, Client, SiteError
from bots.cli.remote.commands import run
from bots.cli.remote.credentials import Credentials
from bots.cli.workflow import workflow_text
from tests.factories import bot, person, queued_match
from tests.submissions.test_private_report import CRASH, check
from tests.submissions.uploads import WORKING

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]


class UrllibResponse(io.BytesIO):
    """A response with the interface of a urllib response."""

    def __init__(self, body: bytes, headers: Message) -> None:
        super().__init__(body)
        self.headers = headers


class Wire:
    """A transport that passes urllib requests to the site in this process."""

    def __init__(self) -> None:
        self.visitor, self.sent = Visitor(), list[urllib.request.Request]()

    def __call__(self, request: urllib.request.Request, timeout: float) -> UrllibResponse:
        self.sent.append(request)
        headers = {name.title(): value for name, value in request.header_items()}
        content_type = headers.pop("Content-Type", "application/octet-stream")
        data: Any = request.data or b""
        answer = self.visitor.generic(request.get_method(), request.selector, data, content_type, headers=headers)
        found = Message()
        for name, value in answer.headers.items():
            found[name] = value
        if answer.status_code >= 300:
            raise urllib.error.HTTPError(request.full_url, answer.status_code, "", found, io.BytesIO(answer.content))
        return UrllibResponse(answer.content, found)


@pytest.fixture
def ada(db: None) -> User:
    return person("ada")


@pytest.fixture
def wire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ada: User) -> Iterator[Wire]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("ARENA_URL", "http://testserver")
    secret = tokens.create(ada, "cli", ["read", "submit"], now=timezone.now()).secret
    monkeypatch.setenv("ARENA_TOKEN", secret)
    with memory_broker():
        yield Wire()


def run_cli(wire: Wire, *words: str, sleep: Callable[[float], None] = lambda _: None) -> bool:
    options = arguments.build_parser().parse_args(words)
    with_stack: Any = None
    return run(options, with_stack, lambda found: Client(found, sleep, wire))


def end_check(*answers: Any) -> Callable[[float], None]:
    """Return a replacement for ``sleep`` that checks the latest upload as a worker does; its bot gives ``answers``."""
    return lambda _: check(Submission.objects.latest("pk"), *answers)


@pytest.mark.long
def test_bot_is_submitted_and_passes_its_check(wire: Wire, capsys: pytest.CaptureFixture[str]) -> None:
    Path("greedy.py").write_text(WORKING)
    with pytest.raises(CommandError) as refused:
        run_cli(wire, "submit", "greedy.py")
    assert refused.value.code == "no_bot"
    assert run_cli(wire, "submit", "greedy.py", "--game", "reversi", "--json", sleep=end_check())
    first = json.loads(capsys.readouterr().out)
    assert (first["bot_name"], first["number"], first["status"]) == ("greedy", 1, "passed")
    assert ("match", "passed") in [(step["name"], step["state"]) for step in first["check"]["steps"]]
    assert run_cli(wire, "submit", "greedy.py", "--json"), "the very same files need no other check"
    assert json.loads(capsys.readouterr().out)["id"] == first["id"]
    Path("greedy.py").write_text(WORKING + "# better\n")
    assert run_cli(wire, "submit", "greedy.py", "--json", "--no-wait")
    out = json.loads(capsys.readouterr().out)
    assert (out["number"], out["status"]) == (2, "waiting")


@pytest.mark.long
def test_failed_check_is_explained_and_fails_the_command(wire: Wire, capsys: pytest.CaptureFixture[str]) -> None:
    Path("greedy.py").write_text(WORKING)
    assert not run_cli(wire, "submit", "greedy.py", "--game", "reversi", sleep=end_check(CRASH))
    shown = capsys.readouterr().out
    for expected in ("failed  ", "crash on turn 1", "KeyError: 3", "Traceback (most", "last words", "v1 failed its"):
        assert expected in shown
    assert run_cli(wire, "logs", "greedy")
    assert "last words" in capsys.readouterr().out
    assert run_cli(wire, "status")
    assert "newest v1: failed" in capsys.readouterr().out
    assert run_cli(wire, "status", "greedy", "--json")
    assert json.loads(capsys.readouterr().out)["versions"][0]["status"] == "failed"


@pytest.mark.long
def test_folder_is_submitted_without_unneeded_files(wire: Wire) -> None:
    for name in ("deep/main.py", "deep/helper.py", "deep/.git/config", "deep/__pycache__/main.pyc"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(WORKING)
    run_cli(wire, "submit", "deep", "--game", "reversi", "--no-wait")
    run_cli(wire, "download", "deep", "--output", "back.zip")
    import zipfile

    with zipfile.ZipFile("back.zip") as archive:
        assert sorted(archive.namelist()) == ["helper.py", "main.py"]
    with pytest.raises(CommandError) as refused:
        run_cli(wire, "download", "deep", "--output", "back.zip")
    assert refused.value.code == "file_exists"


def test_matches_are_listed_and_wrong_names_are_explained(
    wire: Wire, ada: User, capsys: pytest.CaptureFixture[str]
) -> None:
    match = queued_match([bot(ada, name="greedy"), bot(name="rival")])
    assert run_cli(wire, "matches", "greedy")
    assert f"{match.pk}  reversi" in capsys.readouterr().out
    assert run_cli(wire, "matches", "--json")
    assert [row["id"] for row in json.loads(capsys.readouterr().out)] == [match.pk]
    with pytest.raises(SiteError) as refused:
        run_cli(wire, "enter", "1", "greedy")
    assert refused.value.code == "not_found"
    with pytest.raises(CommandError, match=r"nothing.* greedy") as unknown:
        run_cli(wire, "status", "nothing")
    assert unknown.value.code == "no_bot"


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("none.py", None, "file_unreadable"),
        ("empty.py", "", "empty"),
        ("picture.py", "\x89PNG\r\n\x1a\n", "not_python"),
        ("notes.md", "# Notes", "other_file_type"),
    ],
)
def test_invalid_bots_are_not_sent(wire: Wire, name: str, content: str | None, code: str) -> None:
    if content is not None:
        Path(name).write_text(content, encoding="latin-1", newline="")
    with pytest.raises(CommandError) as refused:
        run_cli(wire, "submit", name, "--game", "reversi")
    assert refused.value.code == code
    assert not wire.sent


def test_login_stores_a_token_readable_only_by_its_owner(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import os

    secret = os.environ["ARENA_TOKEN"]
    monkeypatch.delenv("ARENA_TOKEN")
    monkeypatch.delenv("ARENA_URL")
    with pytest.raises(CommandError) as signed_out:
        run_cli(wire, "status")
    assert signed_out.value.code == "not_signed_in"
    monkeypatch.setattr("sys.stdin", io.StringIO("arena_wrong\n"))
    with pytest.raises(SiteError) as refused:
        run_cli(wire, "login", "http://testserver")
    assert refused.value.code == "invalid_token"
    file = stored.credentials_path(os.environ)
    assert not file.exists()
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{secret}\n"))
    assert run_cli(wire, "login", "http://testserver/")
    said = capsys.readouterr()
    assert "Signed in to http://testserver as ada (read, submit)" in said.out
    assert "not encrypted" in said.err
    assert secret not in said.out + said.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert run_cli(wire, "status")
    file.chmod(0o644)
    with pytest.raises(CommandError, match="chmod 600") as readable:
        run_cli(wire, "status")
    assert readable.value.code == "file_permissions"


def test_environment_overrides_the_file_but_tokens_stay_with_their_site(tmp_path: Path) -> None:
    home = {"XDG_CONFIG_HOME": str(tmp_path)}
    stored.save_credentials(Credentials("https://one.example", "arena_1"), home)
    assert stored.load_credentials(home) == Credentials("https://one.example", "arena_1")
    assert stored.load_credentials({**home, "ARENA_TOKEN": "arena_2"}).token == "arena_2"
    other = {"ARENA_URL": "https://two.example", "ARENA_TOKEN": "arena_2"}
    assert stored.load_credentials({**home, **other}) == Credentials("https://two.example", "arena_2")
    with pytest.raises(CommandError) as refused:
        stored.load_credentials({**home, "ARENA_URL": "https://two.example"})
    assert refused.value.code == "other_site"


@pytest.mark.parametrize("url", ["ftp://one.example", "http://[::1", "http://one.example:abc", "http://one example/"])
def test_invalid_arena_url_is_rejected(url: str) -> None:
    with pytest.raises(CommandError) as refused:
        stored.load_credentials({"ARENA_URL": url, "ARENA_TOKEN": "arena_1"})
    assert refused.value.code == "invalid_address"


def test_token_can_only_be_followed_by_a_newline() -> None:
    site = {"ARENA_URL": "https://one.example\n"}
    assert stored.load_credentials({**site, "ARENA_TOKEN": "arena_1\n"}) == Credentials(
        "https://one.example", "arena_1"
    )
    for token in ("arena_1\nX-Header: 1", "arena_\N{SNOWMAN}", "arena 1"):
        with pytest.raises(CommandError) as refused:
            stored.load_credentials({**site, "ARENA_TOKEN": token})
        assert refused.value.code == "invalid_token"


def test_request_is_retried_with_the_same_idempotency_key(wire: Wire) -> None:
    Path("greedy.py").write_text(WORKING)
    waits: list[float] = []

    def flaky(request: urllib.request.Request, timeout: float) -> UrllibResponse:
        answer = wire(request, timeout)
        if request.get_method() == "POST" and len(waits) < 2:  # the request arrived, but its response is lost
            raise urllib.error.URLError("connection reset")
        return answer

    options = arguments.build_parser().parse_args(["submit", "greedy.py", "--game", "reversi", "--no-wait"])
    nothing: Any = None
    assert run(options, nothing, lambda found: Client(found, waits.append, flaky))
    posts = [request for request in wire.sent if request.get_method() == "POST"]
    assert len(posts) == 3
    assert len({request.get_header("Idempotency-key") for request in posts}) == 1
    assert Submission.objects.count() == 1


def test_request_still_in_progress_is_retried(wire: Wire) -> None:
    Path("greedy.py").write_text(WORKING)
    waits: list[float] = []

    def busy(request: urllib.request.Request, timeout: float) -> UrllibResponse:
        if request.get_method() == "POST" and not waits:
            headers = Message()
            headers["Retry-After"] = "5"
            raise urllib.error.HTTPError(request.full_url, 409, "", headers, io.BytesIO(b"{}"))
        return wire(request, timeout)

    options = arguments.build_parser().parse_args(["submit", "greedy.py", "--game", "reversi", "--no-wait"])
    nothing: Any = None
    assert run(options, nothing, lambda found: Client(found, waits.append, busy))
    assert (waits, Submission.objects.count()) == ([5.0], 1)


def test_client_gives_up_on_an_unreachable_site() -> None:
    waits: list[float] = []

    def raise_no_route(*_: Any, **__: Any) -> Any:
        raise urllib.error.URLError("no route")

    with pytest.raises(CommandError, match=r"https://a\.example: no route") as refused:
        Client(Credentials("https://a.example", "t"), waits.append, raise_no_route).send("GET", "/me")
    assert refused.value.code == "unreachable"
    assert len(waits) == ATTEMPTS - 1


def test_token_is_not_sent_after_a_redirect() -> None:
    requested: list[str] = []

    class Redirects(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requested.append(self.path)
            self.send_response(302)
            self.send_header("Location", f"http://localhost:{server.server_port}/stolen")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            return None

    with HTTPServer(("127.0.0.1", 0), Redirects) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with pytest.raises(SiteError, match="redirects to"):
                Client(Credentials(f"http://127.0.0.1:{server.server_port}", "t"), lambda _: None).send("GET", "/me")
        finally:
            server.shutdown()
            thread.join()
    assert requested == ["/api/v1/me"]


def test_documentation_shows_the_workflow_file_that_is_written() -> None:
    assert workflow_text("reversi", "my_bot.py", "my_bot") in (ROOT / "docs" / "api.md").read_text()
