"""Names that look alike share a skeleton; names that look different do not."""

from __future__ import annotations

import pytest
from confusable_homoglyphs.confusables import confusables_data

from arena.platform.lookalikes import SKELETON_LENGTH, has_reserved_prefix, skeleton

MARK = "\N{LEFT-TO-RIGHT MARK}"


@pytest.mark.parametrize(
    ("name", "imitation"),
    [
        ("Ada", "\N{GREEK CAPITAL LETTER ALPHA}da"),
        ("Ada", "Ad\N{CYRILLIC SMALL LETTER A}"),
        ("Ada", "ADA"),
        ("Ada", "A da"),
        ("Ada", "Ad\N{ZERO WIDTH SPACE}a"),
        ("Ada", "Ada\N{VARIATION SELECTOR-16}"),
        ("Ada", "A\N{SOFT HYPHEN}da"),
        ("Ada", "\N{MATHEMATICAL BOLD CAPITAL A}\N{MATHEMATICAL BOLD SMALL D}\N{MATHEMATICAL BOLD SMALL A}"),
        ("Ada", "\N{FULLWIDTH LATIN CAPITAL LETTER A}\N{FULLWIDTH LATIN SMALL LETTER D}a"),
        ("fred", "\N{LATIN SMALL LETTER LONG S}red"),
        ("Paul", "Pau1"),
        ("Paul", "PauI"),
        ("Bob", "B0b"),
        ("Ada", "\N{LATIN LETTER SMALL CAPITAL A}\N{LATIN LETTER SMALL CAPITAL D}\N{LATIN LETTER SMALL CAPITAL A}"),
        ("Ada", "\N{NEGATIVE SQUARED LATIN CAPITAL LETTER A}\N{NEGATIVE CIRCLED LATIN CAPITAL LETTER D}a"),
        ("Tom", "Torn"),
        ("House: trend", "House\N{FULLWIDTH COLON} trend"),
        ("House: trend", "House\N{HEBREW PUNCTUATION SOF PASUQ} trend"),
        ("House: trend", "\N{GREEK CAPITAL LETTER ETA}\N{CYRILLIC SMALL LETTER O}use: trend"),
        ("一号", "\N{KANGXI RADICAL ONE}号"),
        ("一号", "\N{KATAKANA-HIRAGANA PROLONGED SOUND MARK}号"),
    ],
)
def test_imitation_has_the_same_skeleton_as_the_name(name: str, imitation: str) -> None:
    assert skeleton(imitation) == skeleton(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Adam"),
        ("Ada", "Bda"),
        ("张三", "张四"),
        ("user1", "user2"),
        ("Ada", "Ada 2"),
        ("Åda", "Ada"),
        ("a", ""),
    ],
)
def test_different_names_have_different_skeletons(name: str, other: str) -> None:
    assert skeleton(name) != skeleton(other)


@pytest.mark.long
def test_nearly_every_unicode_confusable_pair_shares_a_skeleton() -> None:
    """At least 99 % of Unicode's confusable pairs share a skeleton.

    The exceptions are letters with diacritics, which Unicode decomposes before the lookup.
    """
    pairs = [
        (one.replace(MARK, ""), other["c"].replace(MARK, ""))
        for one, others in confusables_data.items()
        for other in others
    ]
    different = [pair for pair in pairs if skeleton(f"x{pair[0]}y") != skeleton(f"x{pair[1]}y")]
    assert len(different) < 0.01 * len(pairs)
    assert not [pair for pair in different if all(len(text) == 1 and text.isascii() for text in pair)]


def test_skeleton_fits_its_column_and_is_idempotent() -> None:
    longest = skeleton("\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 40)
    assert len(longest) == SKELETON_LENGTH
    for name in ("House: trend", "Pau1", "\N{GREEK CAPITAL LETTER ALPHA}da", "Tom"):
        assert skeleton(skeleton(name)) == skeleton(name)


@pytest.mark.parametrize(
    "name",
    [
        "House: x",
        "HOUSE：x",
        "h0use-x",
        "  House",
        "[House] x",
        "Нouse: x",
        "_House_x",
        "Hou\u017fe: x",
        "H\u0323ous\u00eb: x",
        "H\u1d0f\u1d1c\ua731\u1d07: x",
        "\U0001f177\U0001f17e\U0001f184\U0001f182\U0001f174: x",
        "内置：小明",
        "【内置】小明",
        "内置",
    ],
)
def test_names_that_imitate_house_names_are_recognized(name: str) -> None:
    assert has_reserved_prefix(name)


@pytest.mark.parametrize("name", ["Householder", "My house: x", "House of cards", "内置算法", "Ada", ""])
def test_other_names_are_not_taken_for_imitations(name: str) -> None:
    assert not has_reserved_prefix(name)
