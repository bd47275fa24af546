"""The editor's completions for a state match the code that runs in the jail."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from arena.games.registry import GAMES, PACKAGES
from arena.studio.completions import completions


def members(game: str) -> dict[str, Any]:
    found = completions(game)
    return {member["name"]: member for member in found["classes"][found["state"]]["members"]}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_public_name_of_the_state_is_offered_and_documented(game: str) -> None:
    module = import_module(PACKAGES[game].sdk)
    name, _, state = module.SDK.state.partition(":")
    real = getattr(import_module(name), state)
    public = {attribute for attribute in dir(real) if not attribute.startswith("_")} | set(
        getattr(real, "__dataclass_fields__", ())
    )
    assert public <= members(game).keys()
    assert [name for name, member in members(game).items() if not member["doc"]] == []
    methods = [member for member in members(game).values() if member["kind"] == "method"]
    assert all(member["signature"].startswith("(") for member in methods)
    assert completions(game)["classes"][state]["doc"]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_description_of_an_attribute_is_about_that_attribute_only(game: str) -> None:
    found = members(game)
    described = [name for name, member in found.items() if member["kind"] == "property"]
    assert [name for name in described if any(f"``{other}``" in found[name]["doc"] for other in described)] == []


def test_method_has_signature_and_docstring() -> None:
    found = members("reversi")
    assert found["get_legal_actions"]["signature"] == "(color: str) -> Iterator[str]"
    assert found["get_legal_actions"]["doc"].startswith("Yield the legal squares of a side")
    assert "_move" in found, "bots of the course call it"
    assert "__getitem__" not in found


def test_attribute_has_type_and_description() -> None:
    golden = members("golden_point")["golden"]
    assert (golden["signature"], golden["kind"]) == (": list[float]", "property")
    assert golden["doc"] == "The golden numbers so far, oldest first."


def test_classes_of_attributes_are_included() -> None:
    found = completions("suit_pairs")
    assert members("suit_pairs")["pending"]["type"] == "Card"
    assert "points" in {member["name"] for member in found["classes"]["Card"]["members"]}
