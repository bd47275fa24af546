"""The interactive API documentation has a form for every operation, with its parameters as documented."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arena.api.catalogue import operation_groups

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_page_has_a_form_for_every_operation() -> None:
    page, document = Client().get("/api/v1/docs"), Client().get("/api/v1/openapi.json").json()
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    found = re.findall(
        r'<form class="form" method="(?:get|post)" action="(/api/v1/[^"]+)" data-operation>', page.content.decode()
    )
    assert len(found) == len(operations)
    assert set(found) == set(document["paths"])


@pytest.mark.long
def test_token_is_in_a_form_that_is_never_sent() -> None:
    page = Client().get("/api/v1/docs").content.decode()
    form = page[: page.index("data-token")].rsplit("<form", 1)[1]
    assert "</form>" not in form
    assert 'method="dialog"' in form.split(">")[0]


def test_parameters_are_placed_as_documented() -> None:
    found = {operation.name: operation for group in operation_groups() for operation in group.operations}
    upload = {field.name: (field.location, field.kind) for field in found["create_bot"].fields}
    assert (upload["file"], upload["name"]) == (("form", "file"), ("form", "text"))
    assert {field.name: field.location for field in found["list_versions"].fields} == {
        "bot_id": "path",
        "limit": "query",
        "cursor": "query",
    }
    (body,) = (field for field in found["enter_tournament"].fields if field.location == "body")
    assert body.default == '{\n  "bot": 1\n}'
