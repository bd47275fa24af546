"""The text of the notification about a lost match."""

from __future__ import annotations

from typing import Any

import pytest

from arena.core.messages import verbatim
from arena.matches.loss_notices import LOSS


@pytest.mark.parametrize(("at", "path"), [(25, "/matches/7/?at=25"), (0, "/matches/7/?at=0"), (None, "/matches/7/")])
def test_it_leads_to_the_position_of_the_verdict_or_to_the_whole_match(at: int | None, path: str) -> None:
    context: dict[str, Any] = {
        "match": 7,
        "bot": "Mine",
        "opponent": "",
        "at": at,
        "verdict": verbatim("Ann led from the first round to the last.").to_json("message"),
    }
    text = LOSS.text(context)

    assert (text.title, text.path) == ("Mine lost a match", path)
    assert text.body == "Ann led from the first round to the last."
