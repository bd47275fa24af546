"""Recorded matches are read from text and written as text; errors name the line."""

from __future__ import annotations

import random

import pytest

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.recorded_file import MAX_BYTES, FileError, decode, read, write
from tests.games.golden_point.evaluation.matches import random_match, recorded_match


def numbers(match: GoldenMatch) -> list[object]:
    return [each.numbers for each in match.rounds]


def test_recorded_match_is_read() -> None:
    match = recorded_match()
    assert (len(match.players), len(match.rounds), match.numbers_per_player()) == (23, 400, 2)
    assert set(match.players) == {""}, "the file has no names"
    assert sorted(match.totals(), reverse=True)[:3] == [962, 807, 685]


@pytest.mark.parametrize("count", [1, 2])
def test_written_match_reads_back_equal(count: int) -> None:
    match = random_match(random.Random(count), players=5, rounds=9, numbers=count)
    again = read(write(match))
    assert numbers(again) == numbers(match)
    assert again.golden_numbers == match.golden_numbers


def test_course_format_with_one_number_per_player_is_read() -> None:
    text = "2\t4\n6.18\t10\t10\t10\n12.36\t20\t20\t0\n"
    assert numbers(read(text)) == [((10.0,), (10.0,), (10.0,)), ((20.0,), (20.0,), None)]
    even = "1\t3\n6.18\t10\t10\n"
    assert numbers(read(even)) == [((10.0, 10.0),)]
    assert numbers(read(even, numbers=1)) == [((10.0,), (10.0,))]


@pytest.mark.parametrize(
    "text",
    [
        "round,golden,Ann,Ann,Bob,Bob\n1,6.18,10,10,10,10\n2,,5,6,0,0\n",
        "Ann 1;Ann 2;Bob 1;Bob 2\r\n10;10;10;10\r\n\r\n5;6;;\r\n",
        "round\tplayer\tnumber1\tnumber2\n1\tAnn\t10\t10\n1\tBob\t10\t10\n2\tAnn\t5\t6\n",
        "round,closed at,golden number,player,name,number 1,number 2,gain\n"
        "1,2026-01-01,6.18,0,Ann,10,10,2\n1,2026-01-01,6.18,1,Bob,10,10,2\n2,2026-01-01,3.4,0,Ann,5,6,0\n",
        '"round","player","number1","number2"\n2,Ann,5,6\n1,Ann,10,10\n1,Bob,10,10\n2,Bob,0,0\n',
    ],
)
def test_csv_variants_are_read(text: str) -> None:
    match = read(text)
    assert match.players == ("Ann", "Bob")
    assert numbers(match) == [((10.0, 10.0), (10.0, 10.0)), ((5.0, 6.0), None)]


def test_column_titles_with_digits_can_be_players() -> None:
    assert read("P1,P2,P3\n1,2,3\n").players == ("P1", "P2", "P3")
    assert read("P1,P2\n1,2\n").players == ("P1", "P2")
    assert numbers(read("round,player,number\n4,Ann,1\n4,Bob,2\n")) == [((1.0,), (2.0,))]


def test_rounds_keep_their_numbers_and_empty_rounds_are_skipped() -> None:
    match = read("round,Ann,Bob\n3,1,2\n7,0,0\n9,,4\n")
    assert [each.number for each in match.rounds] == [3, 9]


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("", 0, "empty"),
        ("\n  \n", 0, "empty"),
        ("3\t5\n", 1, "line_count"),
        ("1\t5\n1\t2\t3\t4\n", 2, "first_line_columns"),
        (
            "1\t5\n6.18\t10\t10\t10\tx\n",
            2,
            "number",
        ),
        ("1\t5\n6.18\t10\t10\t10\t100\n", 2, "number"),
        ("1\t5\n6.18\t10\t10\t10\tnan\n", 2, "number"),
        (
            "1\t5\n7.18\t10\t10\t10\t10\n",
            2,
            "golden_number",
        ),
        ("1\t5\n6.18\t10\t10\t0\t10\n", 2, "zero_first"),
        ("1\t1\n5\n", 1, "player_columns"),
        ("1\t5\n0\t0\t0\t0\t0\n", 0, "no_numbers"),
        ("1,2,3\n4,5,6\n", 1, "first_line"),
        ("round,Ann,Bob\n1,2\n", 2, "header_columns"),
        ("round,Ann,Bob\none,2,3\n", 2, "round_number"),
        (
            "round,Ann,Bob\n2,2,3\n1,2,3\n",
            3,
            "round_order",
        ),
        ("round,player,number1\n1,Ann,2\n1,Ann,3\n", 3, "repeated"),
        ("player,number1\nAnn,2\n", 1, "header"),
        ("Ann,Ann,Ann,Bob\n1,2,3,4\n", 1, "too_many_columns"),
        ("1\t1003\n", 1, "line_count"),
        ("1\t1003\n5\n", 1, "size"),
        ("hello\n", 1, "first_line"),
    ],
)
def test_invalid_file_reports_its_line(text: str, line: int, code: str) -> None:
    with pytest.raises(FileError) as refused:
        read(text)
    assert (refused.value.line, refused.value.code) == (line, code), refused.value


def test_line_error_includes_line_and_values() -> None:
    with pytest.raises(FileError, match=r"^Line 2: .*\b4\b.*\b5\b"):
        read("1\t5\n1\t2\t3\t4\n")


def test_undecodable_bytes_are_rejected() -> None:
    assert decode("\ufeffround,Ann\n".encode()) == "round,Ann\n"
    with pytest.raises(FileError) as refused:
        decode(b"a,b\n\xff\xfe")
    assert (refused.value.line, refused.value.code) == (2, "not_utf8")
    with pytest.raises(FileError) as refused:
        decode(b" " * (MAX_BYTES + 1))
    assert refused.value.code == "too_large"
