"""Only the house's levels have names that readers see in their language."""

from __future__ import annotations

import pytest
from django.utils import translation

from arena.submissions.level_names import shown_name
from arena.submissions.models import Bot


@pytest.mark.parametrize(
    ("bot", "english", "chinese"),
    [
        (Bot(name="Club", is_house=True, level=3), "Club player", "棋社棋手"),
        (Bot(name="Corners", is_house=True), "Corners", "Corners"),
        (Bot(name="Club"), "Club", "Club"),
    ],
    ids=["a level", "another house bot", "a student's bot"],
)
def test_shown_name(bot: Bot, english: str, chinese: str) -> None:
    assert shown_name(bot) == english
    with translation.override("zh-hans"):
        assert shown_name(bot) == chinese
