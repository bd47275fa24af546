"""Tests are assigned to test processes by file: the longest files first, and files that mostly wait spread out."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Any, cast

from tests.scheduling import LONGEST, MARKERS, longest_first


class Item:
    """A fake pytest item with only the attributes that determine its position."""

    def __init__(self, path: str, number: int, *keywords: str) -> None:
        self.nodeid, self.keywords = f"{path}::test_{number}", set(keywords)

    @property
    def path(self) -> str:
        return self.nodeid.partition("::")[0]


def sorted_items(*items: Item) -> list[Item]:
    found = cast(Any, list(items))
    longest_first(found)
    return cast(list[Item], found)


def test_files_that_mostly_wait_are_spread_over_the_run() -> None:
    waiting = [Item(f"tests/w{file:02}.py", number, "sandbox") for file in range(10) for number in range(3)]
    computing = [Item(f"tests/c{file:02}.py", number) for file in range(40) for number in range(3)]
    files = list(dict.fromkeys(item.path for item in sorted_items(*waiting, *computing)))
    places = [place for place, path in enumerate(files) if path.startswith("tests/w")]
    assert places[0] <= 1
    assert max(after - before for before, after in pairwise(places)) <= 5
    assert min(after - before for before, after in pairwise(places)) >= 2
    assert places[-1] < 40


def test_tests_of_a_file_stay_together_in_order() -> None:
    mixed = [Item("tests/b.py", 0), Item("tests/b.py", 1, MARKERS[0]), Item("tests/b.py", 2)]
    found = sorted_items(*(Item("tests/a.py", number) for number in range(3)), *mixed, Item("tests/c.py", 0, "sandbox"))
    paths = [path for path, _ in groupby(item.path for item in found)]
    assert len(paths) == 3
    assert [item.nodeid[-1] for item in found if item.path == "tests/a.py"] == ["0", "1", "2"]


def test_longest_files_come_first_in_order() -> None:
    named = [path if isinstance(path, str) else path[0] for path in LONGEST]
    long = [Item(path if path.endswith(".py") else f"{path}test_x.py", 0) for path in reversed(named)]
    found = sorted_items(Item("tests/other.py", 0, "sandbox"), *long)
    assert [item.path for item in found[:-1]] == [item.path for item in reversed(long)]
