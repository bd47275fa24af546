"""Texts that pages take from code are translated: the API's operations and the states that bots receive."""

from collections.abc import Iterator

from django.utils.translation import override

from arena.api.catalogue import operation_groups
from arena.games.registry import GAMES
from arena.studio.completions import completions
from arena.ui.code_texts import code_texts, paragraphs, translated_code_text


def shown_texts() -> Iterator[str]:
    for group in operation_groups():
        yield group.name
        for operation in group.operations:
            yield from (operation.summary, operation.description, *(field.text for field in operation.fields))
    for game in GAMES:
        for one in completions(game)["classes"].values():
            yield from (one["doc"].split("\n\n")[0], *(member["doc"] for member in one["members"]))


def test_every_text_has_a_translation_and_no_translation_is_left_over() -> None:
    shown = {one for text in shown_texts() if text for one in paragraphs(text)}
    assert shown == set(code_texts("zh-hans"))


def test_paragraphs_without_a_translation_stay_in_english() -> None:
    with override("zh-hans"):
        assert translated_code_text("Get a bot.\n\nNot translated.") == "查询一个机器人。\n\nNot translated."


def test_english_texts_are_unchanged() -> None:
    with override("en"):
        assert translated_code_text("Get a\n  bot.") == "Get a\n  bot."
