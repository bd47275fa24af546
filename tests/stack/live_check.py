"""The author's view of a check that passes while its page is open."""

from __future__ import annotations

from tests.visitor import Visitor

STEPS = ("syntax", "import", "player", "first_move", "match")


def expect_live_check(author: Visitor) -> None:
    """Assert that the steps of the check arrived on the author's page without a reload or a console message."""
    assert author.never_left()
    steps = author.page.locator("[data-step]")
    assert steps.evaluate_all("all => all.map(step => [step.dataset.step, step.dataset.state])") == [
        [name, "passed"] for name in STEPS
    ]
    topic = author.page.locator("[data-check]").get_attribute("data-socket") or ""
    events = author.events(topic.removeprefix("/ws/"))
    arrived = [(event["step"]["name"], event["step"]["state"]) for event in events if event["type"] == "step"]
    assert ("match", "passed") in arrived
    assert events[-1]["type"] == "done"
    assert author.noise == []
