"""The REST interface keeps the URLs, parameters and errors on which programs for the original server rely."""

from __future__ import annotations

import json

import pytest

from arena.games.golden_point.rooms.rules import Refusal
from tests.games.golden_point.rooms.program import Program


@pytest.mark.parametrize("path", ["/api/state", "/API/State", "/api/State/", "//api/State", "/API//state"])
def test_paths_are_case_insensitive_and_never_redirected(program: Program, path: str) -> None:
    room = program.room()
    assert program.get_ok(path, ROOMID=room)["roomId"] == room
    assert not program.passed_on


@pytest.mark.parametrize("path", ["/api/", "/api/Unknown", "/apistate", "/matches/", "/api/state/x"])
def test_other_paths_are_passed_to_the_site(program: Program, path: str) -> None:
    assert program.get(path)[0] == 404
    assert program.passed_on == [path]


@pytest.mark.parametrize("path", ["/swagger", "/Swagger/", "//swagger", "/SWAGGER/index.html"])
def test_swagger_page_paths_are_normalized(program: Program, path: str) -> None:
    program.get(path)
    assert program.passed_on == ["/swagger"]


def test_parameters_come_from_query_form_or_json_and_query_wins(program: Program) -> None:
    uid = program.player()
    body = f"uid={uid}&NICKNAME=Ada".encode()
    form = "application/x-www-form-urlencoded"
    assert program.call("POST", "/api/NickName", "", body, form)[1]["nickName"] == "Ada"
    assert program.call("POST", "/api/NickName", "nickname=Bob", body, form)[1]["nickName"] == "Bob"
    sent = json.dumps({"uid": uid, "nickName": "Cleo"}).encode()
    assert program.call("POST", "/api/NickName", "", sent, "application/json")[1]["nickName"] == "Cleo"
    parts = "".join(
        f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in (("uid", uid), ("nickName", "Dora"))
    )
    multipart = f"{parts}--B--\r\n".encode()
    assert (
        program.call("POST", "/api/NickName", "", multipart, "multipart/form-data; boundary=B")[1]["nickName"] == "Dora"
    )


@pytest.mark.parametrize("kind", ["", "application/json", "text/plain", "multipart/form-data", "nonsense"])
@pytest.mark.parametrize("body", [b"", b"not what it says \xff"])
def test_malformed_body_is_ignored(program: Program, kind: str, body: bytes) -> None:
    query = f"uid={program.player()}&nickName=Ada"
    assert program.call("POST", "/api/NickName", query, body, kind)[1]["nickName"] == "Ada"


def test_request_whose_body_is_cut_off_changes_nothing(program: Program, caplog: pytest.LogCaptureFixture) -> None:
    room, uid = program.room(), program.player()
    part = f"uid={uid}&rid={program.round(room)}&n1=1".encode()  # of n1=12.3
    assert program.disconnect_after("POST", "/api/Submit", part, "application/x-www-form-urlencoded") == []
    assert not caplog.records
    assert program.submit(uid, room, 12.3) == (200, {}), "the program can try again"


def test_errors_are_400_with_only_a_message(program: Program) -> None:
    assert program.refusal_message(program.get("/api/State", roomid=99)) == Refusal.INVALID_ROOM
    assert program.refusal_message(program.get("/api/State", roomid="x"))
    assert program.refusal_message(program.get("/api/State", roomid=-1))
    assert program.refusal_message(program.get("/api/State", roomid=10**30))
    assert program.refusal_message(program.get("/api/Submit"))
    assert program.refusal_message(program.post("/api/State"))
    for path in ("TodayGoldenList", "TodayNumbers", "TodayScore", "History", "StartGame"):
        assert program.refusal_message(program.get(f"/api/{path}", roomid=99)), path


def test_server_failure_is_also_a_400(program: Program, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(number: int) -> None:
        raise OSError("gone")

    program.cache.room = broken  # type: ignore[method-assign, assignment]
    assert "try again" in program.refusal_message(program.get("/api/State"))
    assert program.headers[b"retry-after"] == b"1", "the page of a room sends the same once more"
    assert "gone" in caplog.text
