"""Command-line values are parsed, and the error about an invalid choice lists the valid ones."""

from __future__ import annotations

import argparse

import pytest

from arena.core.ranking.version_test import Gain
from bots.cli.values import parse_choice, parse_count, parse_integer, parse_page_number


def test_values_are_parsed() -> None:
    assert (parse_choice(Gain, "gain", "large"), parse_integer("-3"), parse_count("2")) == (Gain.LARGE, -3, 2)


@pytest.mark.parametrize("text", ["x", "", "1.5", "0", "-1"])
def test_count_rejects_everything_but_positive_integers(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        parse_count(text)


def test_rejected_page_number_says_where_the_number_is() -> None:
    assert parse_page_number("12") == 12
    with pytest.raises(argparse.ArgumentTypeError, match="address of its page, not weekly"):
        parse_page_number("weekly")


def test_rejected_choice_lists_the_choices() -> None:
    with pytest.raises(argparse.ArgumentTypeError) as rejected:
        parse_choice(Gain, "gain", "huge")
    assert all(gain in str(rejected.value) for gain in (*Gain, "huge"))
