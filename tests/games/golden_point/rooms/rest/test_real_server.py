"""The HTTP interface on the site's real server: timing, and requests as sent over the wire."""

from __future__ import annotations

import http.client
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.games.golden_point.rooms.rules import Refusal
from tests.games.golden_point.rooms.generated_client import GeneratedClient
from tests.migrated import copy_migrated
from tests.running_site import ROOT, eventually, free_port

pytestmark = pytest.mark.stack

LATE_SECONDS = 60.0  # generous, for busy machines; `make bench` checks the promised 0.1 s


class WebProcess:
    """A web process that uses the data in ``var``, without a broker, workers or beat."""

    def __init__(self, var: Path) -> None:
        self.port = free_port()
        flags = ("--host", "127.0.0.1", "--port", str(self.port), "--lifespan", "on", "--no-proxy-headers")
        flags += ("--ws", "websockets-sansio", "--log-level", "warning")
        command = [sys.executable, "-m", "uvicorn", "arena.asgi:application", *flags]
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment(var))

    def await_start(self) -> None:
        eventually(self._answers, "no web process", 60.0)

    def ask(self, path: str, method: str = "GET") -> Any:
        """Send this request target verbatim, and return the JSON response."""
        status, body = self.raw(path, method)
        assert status == 200, body
        return json.loads(body)

    def raw(self, path: str, method: str = "GET") -> tuple[int, bytes]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request(method, path)
            answer = connection.getresponse()
            return answer.status, answer.read()

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def _answers(self) -> bool:
        try:
            return self.raw("/api/State")[0] == 200
        except OSError:
            return False


@contextmanager
def running_web_process(var: Path) -> Iterator[WebProcess]:
    """Run a web process during the block; the block is allowed to kill it."""
    web = WebProcess(var)
    try:
        web.await_start()
        yield web
    finally:
        web.kill()


def environment(var: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DEBUG", "REDIS_URL", "DATABASE_URL")}
    return {**kept, "ARENA_VAR": str(var), "DJANGO_SETTINGS_MODULE": "arena.settings"}


@pytest.fixture(scope="module")
def var() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="arena-rooms-") as folder:
        copy_migrated(Path(folder))
        yield Path(folder)


def closing_delays(var: Path, room: int) -> list[tuple[str, float]]:
    """Return every closed round of the room: its id, and how many seconds after its deadline it closed."""
    query = (
        "SELECT guid, (julianday(closed_at) - julianday(ends_at)) * 86400 FROM rooms_roomround"
        ' JOIN rooms_room ON rooms_room.id = room_id WHERE number = ? AND closed_at IS NOT NULL ORDER BY "index"'
    )
    with closing(sqlite3.connect(var / "arena.sqlite3", timeout=60)) as database:
        return [(str(guid), float(late)) for guid, late in database.execute(query, [room])]


def submit_once(web: WebProcess, room: int) -> str:
    """Submit once, retrying in the next round if the current one ends first; return the round's id."""
    uid = web.ask("/api/NewUser")["userId"]
    for _ in range(10):
        rid = str(web.ask(f"/api/State?roomid={room}")["roundId"])
        status, body = web.raw(f"/api/Submit?uid={uid}&rid={rid}&n1=5", "POST")
        if status == 200:
            return rid
        assert json.loads(body) == {"message": Refusal.OVER}
    raise AssertionError("every round was over at once")


def test_rounds_close_once_on_time_across_processes_and_after_a_kill(var: Path) -> None:
    with running_web_process(var) as first, running_web_process(var) as second:
        room = first.ask("/api/NewRoom?duration=3")["roomId"]
        played = [submit_once(first, room)]
        eventually(lambda: len(closing_delays(var, room)) == 1, "no round closed by itself")
        played.append(submit_once(second, room))
        first.kill()
        eventually(lambda: len(closing_delays(var, room)) == 2, "no round closed by the other process")
        played.append(submit_once(second, room))
        second.kill()
    with running_web_process(var):
        eventually(lambda: len(closing_delays(var, room)) == 3, "no round closed after the restart")
    assert [guid.replace("-", "") for guid, _ in closing_delays(var, room)] == [rid.replace("-", "") for rid in played]
    assert all(0 <= late < LATE_SECONDS for _, late in closing_delays(var, room)[:2])


def test_client_of_2019_plays_a_round_from_the_live_document(var: Path) -> None:
    with running_web_process(var) as web:
        client = GeneratedClient(lambda method, target: web.raw(target, method))
        user = client("Default_NewUser")(nickName="Ada")["userId"]
        room = client("Default_NewRoom")(uid=user, duration=3, userCount=1)["roomId"]
        rid = client("Default_GetState")(uid=user, roomid=room)["roundId"]
        client("Default_Submit")(uid=user, rid=rid, n1="10")  # the only player, so the round closes immediately
        assert client("Default_GetTodayGoldenList")(roomid=room)["goldenNumberList"] == [0.618 * 10]
        assert len(client("Default_GetTodayNumbers")(roomid=room)["numberList"]) == 1
        assert client("Default_GetTodayScore")(roomid=room)["scoreList"][0]["userId"] == user
        assert client("Default_GetHistory")(roomid=room)["nickNames"] == {user: "Ada"}


def test_published_id_is_refused_elsewhere_despite_forged_headers(var: Path) -> None:
    def post_from(target: str, source: str, forwarded: str = "") -> tuple[int, Any, str | None]:
        with closing(
            http.client.HTTPConnection("127.0.0.1", web.port, timeout=60, source_address=(source, 0))
        ) as thief:
            thief.request("POST", target, headers={"X-Forwarded-For": forwarded} if forwarded else {})
            answer = thief.getresponse()
            return answer.status, json.loads(answer.read()), answer.headers["Retry-After"]

    with running_web_process(var) as web:
        room, uid = web.ask("/api/NewRoom?duration=200")["roomId"], web.ask("/api/NewUser?nickName=Ada")["userId"]
        rid = web.ask(f"/api/State?roomid={room}&uid={uid}")["roundId"]
        submit, rename = f"/api/Submit?uid={uid}&rid={rid}&n1=5", f"/api/NickName?uid={uid}&nickName=Thief"
        for forwarded in ("", "127.0.0.1", "127.0.0.1, 127.0.0.1"):
            for target in (submit, rename):
                status, body, wait = post_from(target, "127.0.0.2", forwarded)
                assert (status, body) == (400, {"message": Refusal.ELSEWHERE})
                assert 0 < int(wait or "0") <= 600
        assert post_from(submit, "127.0.0.1", "203.0.113.9")[:2] == (200, {})


def test_server_accepts_a_double_slash_and_a_missing_body(var: Path) -> None:
    with running_web_process(var) as web:
        assert web.ask("//api/state?roomid=0")["roomId"] == 0
        status, body = web.raw("/api/Submit", "POST")
        assert (status, json.loads(body)) == (400, {"message": "Invalid uid"})
