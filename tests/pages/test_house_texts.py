"""What the arena's own bots and tournaments say of themselves can be translated."""

from django.utils import timezone

from arena.core.sandbox.uploads.module_package import read_module
from arena.pages.house_introductions import INTRODUCTIONS
from arena.pages.house_texts import HOUSE_TEXTS, house_text
from arena.submissions.house import draft_of, modules
from arena.submissions.introductions import paragraphs
from arena.tournaments.services.demonstrations import demonstrations


def test_exactly_the_texts_of_the_house_are_known() -> None:
    bots = {draft_of(module).description for module in modules()}
    tournaments = {plan.description for _, plan in demonstrations(timezone.now())}
    assert bots | tournaments == HOUSE_TEXTS


def test_exactly_the_introductions_of_the_house_are_known() -> None:
    bots = [read_module(module.path, module.top) for module in modules()]
    assert {paragraph for bot in bots for paragraph in paragraphs(bot)} == INTRODUCTIONS


def test_other_texts_stay() -> None:
    assert house_text("Wins.") == "Wins."
    assert house_text("") == ""
