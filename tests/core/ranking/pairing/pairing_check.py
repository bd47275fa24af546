"""Check Swiss rounds against the basic rules (FIDE Handbook C.04.1), independently of the pairing code.

It keeps its own records, built from the pairs alone. When a rule that may be relaxed is broken, it searches all other
possible rounds exhaustively and accepts the breach only if no round avoids it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

BYE = 0  # not the number of any entry


class SwissCheck:
    """The recorded pairs, seats and byes of one tournament."""

    def __init__(self, entries: Iterable[int]) -> None:
        self.opponents: dict[int, set[int]] = {entry: set() for entry in entries}
        self.seats: dict[int, list[str]] = {entry: [] for entry in self.opponents}
        self.had_bye: set[int] = set()
        self.concessions = 0  # breaches that could not be avoided

    def check_round(self, present: Sequence[int], pairs: Sequence[tuple[int, int]], byes: Sequence[int]) -> None:
        """Check a round and record it."""
        playing = [entry for pair in pairs for entry in pair]
        assert sorted([*playing, *byes]) == sorted(present), "everybody once, and nobody who left"
        assert len(byes) == len(present) % 2, "a bye if they are odd in number"
        assert not self.had_bye & set(byes), "one bye each at most"
        for one, other in pairs:
            assert other not in self.opponents[one], f"{one} and {other} have met"
        for breach in (self._exceeds_seat_difference, self._repeats_seat_three_times):
            if any(breach(one, "first") or breach(other, "second") for one, other in pairs):
                self.concessions += 1
                assert len(present) <= 16, "too many to be unavoidable"
                assert not self._round_exists(present, breach), f"{breach.__name__} could be avoided"
        self._record_round(pairs, byes)

    def check_end(self, present: Sequence[int]) -> None:
        """Check that no further round was possible."""
        assert not self._round_exists(present, lambda entry, seat: False), "another round was possible"

    def _record_round(self, pairs: Sequence[tuple[int, int]], byes: Sequence[int]) -> None:
        self.had_bye.update(byes)
        for one, other in pairs:
            self.opponents[one].add(other)
            self.opponents[other].add(one)
            self.seats[one].append("first")
            self.seats[other].append("second")

    def _exceeds_seat_difference(self, entry: int, seat: str) -> bool:
        seats = [*self.seats[entry], seat]
        return abs(seats.count("first") - seats.count("second")) > 2

    def _repeats_seat_three_times(self, entry: int, seat: str) -> bool:
        return [*self.seats[entry], seat][-3:] == [seat] * 3

    def _round_exists(self, present: Sequence[int], breach: Callable[[int, str], bool]) -> bool:
        """Return whether a round is possible with no rematch, second bye or seat for which ``breach`` is true."""
        waiting = [*present, BYE] if len(present) % 2 else list(present)
        return self._can_complete(sorted(waiting, reverse=True), breach)

    def _can_complete(self, waiting: list[int], breach: Callable[[int, str], bool]) -> bool:
        if not waiting:
            return True
        one, *rest = waiting
        for other in rest:
            if self._may_meet(one, other, breach) and self._can_complete([e for e in rest if e != other], breach):
                return True
        return False

    def _may_meet(self, one: int, other: int, breach: Callable[[int, str], bool]) -> bool:
        if other == BYE:
            return one not in self.had_bye
        if other in self.opponents[one]:
            return False
        either = ((one, other), (other, one))
        return any(not breach(first, "first") and not breach(second, "second") for first, second in either)
