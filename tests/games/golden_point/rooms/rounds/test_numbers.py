"""Valid numbers are accepted and invalid ones rejected; rooms that take one number ignore the second."""

import pytest

from arena.games.golden_point.rooms.rounds.numbers import read_number, read_pair
from arena.games.golden_point.rooms.rules import Refusal
from arena.platform.refusal import Refused


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5.0), ("0.1", 0.1), (".5", 0.5), ("5.", 5.0), ("1e-05", 1e-05), ("1E1", 10.0), ("+3", 3.0), (" 7 ", 7.0)],
)
def test_valid_numbers_are_accepted(text: str, value: float) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "100", "-1", "nan", "inf", "1_0", "٣", "５", "1e-400", "99.99999999999999999999"),
        *("0x10", "1,5", "1e", "five", "1 2", "1\n", "0." + "1" * 500),
    ],
)
def test_invalid_numbers_are_rejected(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_number(text)
    assert Refusal.from_error(refused.value) is Refusal.INVALID_NUMBER


def test_second_number_is_read_only_in_rooms_with_two_numbers() -> None:
    assert read_pair("1", "nonsense", numbers=1) == (1.0, None)
    assert read_pair("1", "2", numbers=2) == (1.0, 2.0)
    with pytest.raises(Refused) as refused:
        read_pair("1", "", numbers=2)
    assert Refusal.from_error(refused.value) is Refusal.MISSING_NUMBER
    with pytest.raises(Refused):
        read_pair("1", "200", numbers=2)
