"""Turn pages for running matches, read from the viewer's stream.

Invariant: turn N is event N + 1 of an attempt, because the first event is the start. Only the viewer's own stream is
read, so nothing hidden is revealed.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from arena.games.site import MatchOverview
from arena.games.sites import SITES
from arena.matches.turn_pages import PAGE_BYTES, WHOLE_BYTES, Json, TurnBatch, add_times
from arena.platform.live.store import EventFrame
from arena.platform.live.stream import events_between, newest_events

_MAX_CACHED_OVERVIEWS = 32  # number of matches whose overviews a process caches
_STEP_BYTES = 1_000_000  # bytes of events read at a time


@dataclass(slots=True)
class _Totals:
    """The totals over the turns up to ``count``.

    ``marks`` maps the numbers of some turns to the seconds that each seat had used before that turn.
    """

    overview: MatchOverview | None
    spent: list[float]
    count: int = 0
    marks: dict[int, list[float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


_kept: OrderedDict[tuple[str, int], _Totals] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class StreamedTurns:
    """The turns of one attempt so far.

    ``seq``: number of the newest turn's event; ``turn_bytes``: approximate size of one turn.
    """

    topic: str
    start: int  # the number of the attempt's first event
    seq: int
    count: int
    turn_bytes: int
    game: str
    seats: int

    @property
    def is_long(self) -> bool:
        return self.turn_bytes * self.count > WHOLE_BYTES

    @property
    def version(self) -> str:
        """Return "": pages of a running match are not cached."""
        return ""

    @property
    def per_page(self) -> int:
        return max(1, PAGE_BYTES // self.turn_bytes)

    @property
    def overview(self) -> Json | None:
        gathered = self._update_totals()
        with gathered.lock:
            found: Json | None = gathered.overview.to_json() if gathered.overview else None
        return found

    def page(self, number: int) -> TurnBatch | None:
        first = number - number % self.per_page
        turns = self._read(first, min(self.count, first + self.per_page) - 1)
        return TurnBatch(first, turns, self._spent_before(first)) if turns and turns[0]["number"] == first else None

    def _read(self, first: int, last: int) -> list[Json]:
        return _turns_in_frames(events_between(self.topic, self.start + 1 + first, self.start + 1 + last))

    def _spent_before(self, first: int) -> list[float]:
        gathered = self._update_totals()
        with gathered.lock:
            mark = max((number for number in gathered.marks if number <= first), default=0)
            spent = list(gathered.marks.get(mark, [0.0] * self.seats))
        for turn in self._read(mark, first - 1) if mark < first else []:
            add_times(spent, turn)
        return spent

    def _update_totals(self) -> _Totals:
        """Add the new turns to this process's totals; return the totals."""
        with _lock:
            key = (self.topic, self.start)
            if key not in _kept:
                make = SITES[self.game].overview if self.game in SITES else None
                _kept[key] = _Totals(make() if make else None, [0.0] * self.seats)
                while len(_kept) > _MAX_CACHED_OVERVIEWS:
                    _kept.popitem(last=False)
            _kept.move_to_end(key)
            gathered = _kept[key]
        with gathered.lock:
            step = max(1, _STEP_BYTES // self.turn_bytes)
            while gathered.count < self.count:
                turns = self._read(gathered.count, min(self.count, gathered.count + step) - 1)
                if not turns or turns[0]["number"] != gathered.count:
                    break  # the broker has lost them: the worker will resend them
                gathered.marks[gathered.count] = list(gathered.spent)
                for turn in turns:
                    if gathered.overview:
                        gathered.overview.add(turn)
                    add_times(gathered.spent, turn)
                gathered.count += len(turns)
        return gathered


def streamed_turns(topic: str, start: int, last: int, game: str, seats: int) -> StreamedTurns | None:
    """Return the turns of an attempt, read from events ``start`` + 1 to ``last``; None before the first turn."""
    frames = [frame for frame in newest_events(topic, 2) if start < frame.seq <= last]
    known = [(frame, turn) for frame in frames for turn in _turns_in_frames([frame])]
    if not known:
        return None
    frame, turn = known[-1]
    return StreamedTurns(topic, start, frame.seq, turn["number"] + 1, len(frame.text), game, seats)


def _turns_in_frames(frames: list[EventFrame]) -> list[Json]:
    events = [json.loads(frame.text) for frame in frames]
    return [event["turn"] for event in events if event["type"] == "turn"]
