"""The solver's page shows the exact value of the board in any valid URL, and explains all other URLs."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.games.fib2584.board import pack
from arena.games.fib2584.study.lookup import REASONS, UnreachableReason, look_up
from arena.games.fib2584.study.position_query import FIRST, BoardKind, PositionQuery, QueryError, parse_query
from arena.games.fib2584.values import exact_values
from tests.note_codes import note_codes

pytestmark = pytest.mark.django_db


def page(query: str, status: int = 200) -> str:
    answer = Client().get(f"{reverse('fib2584-solver')}?{query}")
    assert answer.status_code == status
    return answer.content.decode()


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("", "1422.339261"),
        ("before=2-2-0-0-0-0", "1422.339261"),
        ("after=0-0-0-0-1-2", "1424.364"),
        ("before=1,1,0,0,0,1", "1426.366"),
    ],
)
def test_url_shows_the_value_of_its_board(query: str, value: str) -> None:
    assert value in page(query)


def test_each_direction_and_drop_is_valued_and_linked() -> None:
    assert "?after=0-2-2-0-0-0" in page("before=2-2-0-0-0-0")
    assert page("after=0-0-0-0-1-2").count("?before=") == 8  # four empty cells, two tiles


def test_luck_of_drops_averages_to_zero() -> None:
    found = look_up(PositionQuery(BoardKind.AFTER, pack((0, 0, 0, 0, 1, 2))))
    assert sum(drop.probability for drop in found.drops) == pytest.approx(1)
    assert sum(drop.probability * drop.luck for drop in found.drops) == pytest.approx(0, abs=1e-9)


def test_best_direction_loses_nothing() -> None:
    found = look_up(FIRST)
    assert found.slides[0].lost == 0
    assert found.value == exact_values().value_before_move(FIRST.board)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("before=0-0-0-0-0-0", UnreachableReason.ONE_TILE),
        ("before=3-4-0-0-0-0", UnreachableReason.NOTHING_DROPPED),
        ("before=1-12-12-12-12-12", UnreachableReason.BEFORE),
        ("after=0-0-0-0-0-0", UnreachableReason.EMPTY),
        ("after=2-2-2-2-2-2", UnreachableReason.FULL),
        ("after=10-0-0-0-0-1", UnreachableReason.AFTER),
    ],
)
def test_unreachable_boards_are_explained(query: str, reason: UnreachableReason) -> None:
    shown = page(query)
    assert note_codes(shown) == [reason]
    assert str(REASONS[reason]) in shown


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("before=1-2-3", "tile_count"),
        ("after=1-2-3-4-5-13", "no_tile"),
        ("after=1-2-3-4-5-%D9%A3", "no_tile"),
        ("before=1-2-3-4-5-x", "no_tile"),
        ("before=&after=", "two_boards"),
        ("before=33-32-31-30-29-28", "no_tile"),
        ("kind=now&tile=1&tile=1&tile=0&tile=0&tile=0&tile=0", "no_kind"),
        ("kind=after&tile=1", "tile_count"),
    ],
)
def test_urls_without_a_valid_board_show_the_error(query: str, code: str) -> None:
    assert note_codes(page(query, status=422)) == [code]


def test_form_redirects_to_a_shareable_url() -> None:
    answer = Client().get(reverse("fib2584-solver"), {"kind": "after", "tile": ["0", "1", "0", "0", "0", "2"]})
    assert answer.status_code == 302
    assert answer["Location"].endswith("?after=0-1-0-0-0-2")


@pytest.mark.long
@given(st.dictionaries(st.sampled_from(["before", "after", "x"]), st.text(max_size=60), max_size=3))
def test_every_url_shows_a_board_or_an_error(given_address: dict[str, str]) -> None:
    try:
        query = parse_query(given_address)
    except QueryError as error:
        assert str(error)  # noqa: PT017 - either is right
    else:
        look_up(query)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(list(BoardKind)), st.lists(st.integers(0, 12), min_size=6, max_size=6))
def test_every_board_has_a_value_or_a_reason(kind: BoardKind, tiles: list[int]) -> None:
    found = look_up(parse_query({kind: "-".join(map(str, tiles))}))
    assert (found.value is None) == bool(found.reason)


@pytest.mark.parametrize("name", ["fib2584-learn", "fib2584-scores"])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_related_pages_open(name: str, language: str) -> None:
    answer = Client().get(reverse(name), headers={"accept-language": language})
    assert answer.status_code == 200
    assert "1425.8" in answer.content.decode()
    assert ("TD learner" if language == "en" else "TD 学习器") in answer.content.decode() or name == "fib2584-learn"


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(
    st.lists(
        st.tuples(st.sampled_from(["before", "after", "kind", "tile", "x"]), st.text(max_size=30) | st.just("12")),
        max_size=9,
    )
)
def test_page_responds_to_any_url_with_a_board_or_an_error(fields: list[tuple[str, str]]) -> None:
    query = urlencode([(name, value.encode("utf-8", "surrogatepass")) for name, value in fields])
    assert Client().get(f"{reverse('fib2584-solver')}?{query}").status_code in (200, 302, 422)


@pytest.mark.parametrize(
    "query", ["before=%00", "before=%FF-%FE", "tile", "before=" + "9-" * 5000, "=&&=", "after[]=1"]
)
def test_malformed_urls_do_not_break_the_page(query: str) -> None:
    assert Client().get(f"{reverse('fib2584-solver')}?{query}").status_code in (200, 422)
