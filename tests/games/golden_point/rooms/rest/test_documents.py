"""The Swagger documents match the actual API, and the Swagger page has a form for every operation."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from arena.games.golden_point.rooms.rest.catalogue import OPERATIONS
from arena.games.golden_point.rooms.rules import Refusal
from tests.games.golden_point.rooms.generated_client import ApiError, GeneratedClient
from tests.games.golden_point.rooms.program import Clock, Program

NAMES = ["NewUser", "User", "NickName", "NewRoom", "StartGame", "State", "Submit", "TodayGoldenList", "TodayNumbers"]
NAMES += ["TodayScore", "History"]
# Operation ids used by clients of February and March 2019, and ids without `Get` that were published by mistake and
# kept.
FORMER = {f"Default_{name}" for name in ("NewUser", "NickName", "NewRoom", "StartGame", "GetState", "Submit")}
FORMER |= {f"Default_Get{name}" for name in ("TodayGoldenList", "TodayNumbers", "TodayScore", "History")}
FURTHER = {f"Default_{name}" for name in ("TodayGoldenList", "TodayNumbers", "TodayScore", "History")}
ENGLISH, CHINESE = "/swagger/v1 - English/swagger.json", "/swagger/v1 - Chinese/swagger.json"
MAIN = "/swagger/v1/swagger.json"


@pytest.fixture
def documents() -> Program:
    """Return a client for the documents; it needs no database."""
    return Program(Clock())


def operations(document: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return the path, method and definition of each operation, by operationId."""
    found = [
        (operation["operationId"], (path, method, operation))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(dict(found)) == len(found), "an operationId twice"
    return dict(found)


@pytest.mark.parametrize("path", [MAIN, f"/{MAIN}", MAIN.upper(), ENGLISH, CHINESE])
def test_document_is_swagger_2_without_host(documents: Program, path: str) -> None:
    document = documents.get_ok(path)
    assert document["swagger"] == "2.0"
    assert not {"host", "schemes"} & document.keys()
    for _, _, operation in operations(document).values():
        assert operation["tags"] == ["Default"]
        refused = operation["responses"]["400"]["schema"]["$ref"].removeprefix("#/definitions/")
        assert list(document["definitions"][refused]["properties"]) == ["message"]
    references = set(re.findall(r"'\$ref': '#/definitions/(\w+)'", str(document)))
    assert references <= document["definitions"].keys()


def test_only_main_document_lists_former_operation_ids(documents: Program) -> None:
    for path in (ENGLISH, CHINESE):
        assert set(operations(documents.get_ok(path))) == set(NAMES)
    found = operations(documents.get_ok(MAIN))
    assert set(found) == set(NAMES) | FORMER | FURTHER
    for name in FORMER | FURTHER:
        alias, method, operation = found[name]
        path, its_method, original = found[name.removeprefix("Default_").removeprefix("Get")]
        assert (alias, method) == (path.lower() + ("/" if name in FURTHER else ""), its_method)
        assert operation | {"operationId": ""} == original | {"operationId": ""}


@pytest.mark.parametrize("style", ["2018", "2019", "with the mistake"])
def test_generated_client_plays_a_round_by_operation_ids(program: Program, clock: Clock, style: str) -> None:
    """A generated client plays a round: it uses only the live document and the ids published when it was generated."""

    def transport(method: str, target: str) -> tuple[int, bytes]:
        path, _, query = target.partition("?")
        status, body = program.call(method, path, query)
        return status, json.dumps(body).encode()

    client = GeneratedClient(transport)
    former, listed = {"2018": ("", ""), "2019": ("Default_", "Default_Get"), "with the mistake": ("Default_",) * 2}[
        style
    ]
    state_id = f"{former}{'Get' if former else ''}State"
    user = client(former + "NewUser")(nickName="Ada")["userId"]
    room = client(former + "NewRoom")(uid=user, duration=3, numbers=1, manuallyStart=1)["roomId"]
    client(former + "StartGame")(uid=user, roomid=room)
    client(former + "NickName")(uid=user, nickName="Bea")
    state = client(state_id)(uid=user, roomid=room)
    assert client(former + "Submit")(uid=user, rid=state["roundId"], n1="10") == {}
    with pytest.raises(ApiError, match=Refusal.TWICE.value):
        client(former + "Submit")(uid=user, rid=state["roundId"], n1="10")
    clock.advance(3)
    program.refresh()
    assert client(listed + "TodayGoldenList")(roomid=room)["goldenNumberList"] == [0.618 * 10]
    assert client(listed + "TodayNumbers")(roomid=room, roundCount=-1)["numberList"][0]["number1"] == 10
    score = client(listed + "TodayScore")(roomid=room)
    assert score["date"] == datetime(2026, 3, 4, tzinfo=UTC)
    assert [(each["userId"], each["nickName"]) for each in score["scoreList"]] == [(user, "Bea")]
    history = client(listed + "History")(roomid=room, count=5, direction=0)
    assert history["rounds"][0]["userNumbers"][0]["userId"] == user
    assert history["nickNames"] == {user: "Bea"}


def test_only_nickname_and_submit_are_posts_and_round_ids_are_strings(documents: Program) -> None:
    document = documents.get_ok(MAIN)
    posts = {name for name, (_, method, _) in operations(document).items() if method == "post"}
    assert posts == {"NickName", "Submit", "Default_NickName", "Default_Submit"}
    assert document["definitions"]["State"]["properties"]["roundId"] == {"type": "string"}


def test_each_language_has_its_own_document(documents: Program) -> None:
    for path, language in ((ENGLISH, "en"), (CHINESE, "zh-hans")):
        _, _, operation = operations(documents.get_ok(path))["NewRoom"]
        assert operation["summary"] == summary_of("NewRoom", language)
    assert summary_of("NewRoom", "en") != summary_of("NewRoom", "zh-hans")


def summary_of(name: str, language: str) -> str:
    with override(language):
        return next(str(operation.text) for operation in OPERATIONS if operation.name == name)


def test_responses_have_the_documented_members(program: Program) -> None:
    document, room, uid = program.get_ok(MAIN), program.room(duration=3, userCount=1), program.player("Ada")
    program.submit(uid, room, 5)
    for name in ("User", "State", "TodayGoldenList", "TodayNumbers", "TodayScore", "History"):
        check_schema(document, {"$ref": f"#/definitions/{name}"}, program.get_ok(f"/api/{name}", uid=uid, roomid=room))


def check_schema(document: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    """Check that ``value`` matches ``schema`` exactly, with every member and no other."""
    if "$ref" in schema:
        schema = document["definitions"][schema["$ref"].rpartition("/")[2]]
    kinds: dict[str, Any] = {"string": str, "integer": int, "number": int | float, "boolean": bool, "array": list}
    assert isinstance(value, kinds.get(schema["type"], dict))
    for each in value if schema["type"] == "array" else []:
        check_schema(document, schema["items"], each)
    if "properties" in schema:
        assert list(value) == list(schema["properties"])
        for name, member in schema["properties"].items():
            check_schema(document, member, value[name])


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/swagger", "/swagger/", "/swagger/index.html"])
def test_page_has_a_form_for_every_operation(client: Client, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200
    found = re.findall(r'method="(get|post)" action="/api/(\w+)"', page.content.decode())
    assert [name for _, name in found] == NAMES
    in_chinese = client.get(path, headers={"accept-language": "zh-hans"}).content.decode()
    assert all(summary_of(name, "zh-hans") in in_chinese for name in NAMES)
