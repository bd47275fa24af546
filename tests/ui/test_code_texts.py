"""Strings that pages take from code are translated: those of API operations and of the states that bots receive."""

import ast
import io
import tokenize
from collections.abc import Iterator

from django.utils.translation import override

from arena.api.catalogue import operation_groups
from arena.games.bot_packages import bots_folder
from arena.games.registry import GAMES
from arena.studio.completions import class_description, completions
from arena.ui.code_texts import code_texts, paragraphs, translated_code_text, translated_source


def shown_texts() -> Iterator[str]:
    for group in operation_groups():
        yield group.name
        for operation in group.operations:
            yield from (operation.summary, operation.description, *(field.text for field in operation.fields))
    for game in GAMES:
        for one in completions(game)["classes"].values():
            yield from (class_description(one["doc"]), *(member["doc"] for member in one["members"]))


def example_bots() -> Iterator[str]:
    for game in GAMES:
        folder = bots_folder(game)
        for path in (
            folder / "starter.py",
            *folder.glob("tutorial/step*.py"),
            *folder.glob("examples/[a-z]*.py"),
            *folder.glob("scripts/[a-z]*.py"),
        ):
            yield path.read_text(encoding="utf-8")


def source_texts(source: str) -> Iterator[str]:
    """Yield the comments and docstrings of a bot, without their delimiters."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")
        elif token.type == tokenize.STRING and token.string.startswith('"""'):
            yield token.string.strip('"').strip()


def test_translated_bots_have_the_same_code() -> None:
    for source in example_bots():
        with override("zh-hans"):
            translated = translated_source(source)
        assert code_of(translated) == code_of(source)
        with override("en"):
            assert translated_source(source) == source


def code_of(source: str) -> str:
    """Return the code without docstrings and comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            node.body = node.body[1:]
    return ast.dump(tree)


def test_every_text_has_a_translation_and_no_translation_is_left_over() -> None:
    shown = {one for text in shown_texts() if text for one in paragraphs(text)}
    shown |= {one for source in example_bots() for text in source_texts(source) for one in paragraphs(text)}
    assert shown == set(code_texts("zh-hans"))


def test_paragraphs_without_a_translation_stay_in_english() -> None:
    with override("zh-hans"):
        assert translated_code_text("Get a bot.\n\nNot translated.") == "查询机器人信息。\n\nNot translated."


def test_english_texts_are_unchanged() -> None:
    with override("en"):
        assert translated_code_text("Get a\n  bot.") == "Get a\n  bot."
