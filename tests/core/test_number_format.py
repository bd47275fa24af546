"""Numbers are formatted the same way on all pages; tests/js/site/format.test.mjs has the same examples."""

import pytest

from arena.core.number_format import format_number, format_shortest, format_size


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (4060, 0, "4060"),
        (9999.4, 0, "9999"),
        (9999.6, 0, "10,000"),
        (12345, 0, "12,345"),
        (1234567.25, 1, "1,234,567.2"),
        (1425.8, 1, "1425.8"),
        (-12345.6, 1, "−12,345.6"),
        (-0.04, 1, "0.0"),
    ],
)
def test_thousands_are_separated_from_five_digits(value: float, decimals: int, text: str) -> None:
    assert format_number(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "text"), [(100, "100"), (0, "0"), (2.5, "2.5"), (-1.25, "−1.25"), (12000.5, "12,000.5")]
)
def test_shortest_numbers_have_no_trailing_zeros(value: float, text: str) -> None:
    assert format_shortest(value) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (11_469, "11.2 KiB"), (2**20, "1 MiB"), (5 * 2**40, "5 TiB")],
)
def test_sizes_have_binary_units(size: int, text: str) -> None:
    assert format_size(size) == text
