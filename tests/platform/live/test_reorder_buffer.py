"""The reorder buffer delivers events in order. The tests need neither a broker nor a real clock."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.platform.live.reorder_buffer import ReorderBuffer
from arena.platform.live.store import EventFrame

TIMEOUT = 200.0  # milliseconds, because Hypothesis draws integers quickly
EVENTS = 8


@dataclass(slots=True)
class BufferedViewer:
    """A viewer with a reorder buffer: the events that it has seen, and its manual clock."""

    order: ReorderBuffer
    now: float = 0.0
    seen: list[int] = field(default_factory=list)

    def arrive(self, *numbers: int) -> None:
        for number in numbers:
            self._see(self.order.add_frame(EventFrame(number, str(number)), self.now))

    def wait_until(self, moment: float) -> None:
        """Advance the clock, releasing buffered events whenever a wait expires."""
        while (due := self.order.next_due_at) is not None and due <= moment:
            self.now = due
            self._see(self.order.take_overdue_frames(due))
        self.now = moment

    def _see(self, frames: list[EventFrame]) -> None:
        for frame in frames:
            assert frame.text == str(frame.seq)
            self.seen.append(frame.seq)


def buffered_viewer(last: int = 0) -> BufferedViewer:
    return BufferedViewer(ReorderBuffer(last, TIMEOUT))


def gaps(last: int, seen: list[int]) -> int:
    """Count the gaps in the sequence of ``last`` and then ``seen``; each gap would make a page fetch a snapshot."""
    return sum(after != before + 1 for before, after in zip([last, *seen], seen, strict=False))


def test_events_in_order_do_not_wait() -> None:
    viewer = buffered_viewer(4)
    viewer.arrive(5, 6, 7)
    assert viewer.seen == [5, 6, 7]
    assert viewer.order.next_due_at is None


def test_event_waits_for_the_one_it_overtook() -> None:
    viewer = buffered_viewer()
    viewer.arrive(1, 3, 4)
    viewer.wait_until(199)
    assert viewer.seen == [1]
    viewer.arrive(2)
    assert viewer.seen == [1, 2, 3, 4]
    assert viewer.order.next_due_at is None


def test_duplicate_events_are_dropped() -> None:
    viewer = buffered_viewer(2)
    viewer.arrive(1, 2, 4, 4, 3, 3, 4)
    assert viewer.seen == [3, 4]


def test_lost_event_delays_others_briefly_and_leaves_one_gap() -> None:
    viewer = buffered_viewer()
    viewer.arrive(1, 3)
    viewer.wait_until(150)
    viewer.arrive(4, 5)
    viewer.wait_until(200)
    assert viewer.seen == [1, 3, 4, 5]
    viewer.arrive(2, 6)  # 2 is too late: viewers must not see it after 3
    assert viewer.seen == [1, 3, 4, 5, 6]


def test_later_arrivals_do_not_extend_the_wait() -> None:
    viewer = buffered_viewer()
    viewer.arrive(3)
    viewer.wait_until(100)
    viewer.arrive(1, 5)
    assert viewer.order.next_due_at == 200
    viewer.wait_until(200)
    assert viewer.seen == [1, 3]
    assert viewer.order.next_due_at == 300


def test_events_are_not_overdue_early() -> None:
    viewer = buffered_viewer()
    viewer.arrive(2)
    assert viewer.order.take_overdue_frames(199) == []


moments = st.integers(0, 1000)
arrivals = st.lists(st.tuples(moments, st.integers(1, EVENTS)), max_size=2 * EVENTS).map(sorted)


@pytest.mark.long
@given(last=st.integers(0, EVENTS), arrived=arrivals)
def test_output_numbers_increase_and_no_event_is_held_forever(last: int, arrived: list[tuple[int, int]]) -> None:
    viewer = buffered_viewer(last)
    for moment, number in arrived:
        viewer.wait_until(moment)
        viewer.arrive(number)
        assert viewer.order.next_due_at is None or viewer.order.next_due_at <= moment + TIMEOUT
    viewer.wait_until(9999)
    assert viewer.seen == sorted(set(viewer.seen))
    assert viewer.order.next_due_at is None
    # Missing events arrived too late or never.
    assert set(viewer.seen) <= {number for _, number in arrived}
    assert all(number > last for number in viewer.seen)


sent = st.lists(moments, min_size=EVENTS, max_size=EVENTS).map(sorted)
delays = st.lists(st.integers(0, 199), min_size=EVENTS, max_size=EVENTS)
again = st.lists(st.integers(0, EVENTS - 1), max_size=3)


@pytest.mark.long
@given(sent=sent, delays=delays, again=again)
def test_event_arriving_within_the_wait_keeps_its_place(sent: list[int], delays: list[int], again: list[int]) -> None:
    """Events that arrive late, out of order or twice, but within the wait, are delivered once and in order."""
    arrived = [(sent[place] + delays[place], place + 1) for place in (*range(EVENTS), *again)]
    viewer = buffered_viewer()
    for moment, number in sorted(arrived):
        viewer.wait_until(moment)
        viewer.arrive(number)
    assert viewer.seen == list(range(1, EVENTS + 1))


@given(order=st.permutations(range(1, EVENTS + 1)), lost=st.sets(st.integers(1, EVENTS - 1), max_size=4))
def test_gaps_in_a_batch_occur_only_where_events_were_lost(order: list[int], lost: set[int]) -> None:
    viewer = buffered_viewer()
    viewer.arrive(*(number for number in order if number not in lost))
    viewer.wait_until(TIMEOUT)
    assert viewer.seen == [number for number in range(1, EVENTS + 1) if number not in lost]
    assert gaps(0, viewer.seen) <= len(lost)
