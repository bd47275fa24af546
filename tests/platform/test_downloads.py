"""Tables that leave the site: no text acts as a formula, and large ones come in pieces."""

import pytest

from arena.platform.downloads import BOM, PORTION, csv_text, safe


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "－1"])
def test_a_text_that_begins_like_a_formula_is_neutralised(text: str) -> None:
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("cell", ["a=1", "金点", "", -3.5, -1, None, "1-1"])
def test_everything_else_stays(cell: object) -> None:
    assert safe(cell) == cell


def test_a_large_table_comes_in_pieces() -> None:
    pieces = list(csv_text([number] for number in range(2 * PORTION + 1)))
    assert len(pieces) == 3
    assert "".join(pieces).removeprefix(BOM).split("\r\n")[:-1] == [str(number) for number in range(2 * PORTION + 1)]
