from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.core.cache import cache

from arena.platform.live.single_flight import single_flight


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    yield
    cache.clear()


def test_result_is_computed_once_while_cached() -> None:
    made: list[str] = []

    def make(text: str) -> str:
        made.append(text)
        return text

    assert [single_flight("test.a", lambda: make("first"), 600) for _ in range(3)] == ["first"] * 3
    assert single_flight("test.b", lambda: make("second"), 600) == "second"
    assert made == ["first", "second"]


def test_concurrent_callers_wait_for_the_one_computing() -> None:
    begun, allowed = Event(), Event()
    made = []

    def compute_slowly() -> str:
        begun.set()
        assert allowed.wait(60)
        made.append(1)
        return "all"

    with ThreadPoolExecutor(8) as threads:
        first = threads.submit(single_flight, "test.c", compute_slowly, 600)
        assert begun.wait(60)
        others = [threads.submit(single_flight, "test.c", compute_slowly, 600) for _ in range(7)]
        allowed.set()
        assert {each.result(60) for each in (first, *others)} == {"all"}
    assert made == [1]


def test_failure_reaches_only_its_own_caller() -> None:
    def fail() -> str:
        raise ValueError("not now")

    with pytest.raises(ValueError, match="not now"):
        single_flight("test.d", fail, 600)
    assert single_flight("test.d", lambda: "now", 600) == "now"
