"""A run as JSON: its last match in the format of a match on the site, the draft's output by turn, and the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy

from arena.core.referee.diagnosis import output_between
from arena.core.referee.events import outcome_json
from arena.core.referee.record import Record, RecordedOutcome, load
from arena.core.referee.replay import replay
from arena.games.base import Outcome
from arena.games.registry import GAMES
from arena.matches.broadcast import first_event_number, last_event_number
from arena.platform.live.stream import read_events
from arena.studio import score
from arena.studio.models import Run, RunStatus
from arena.ui.localized import name_for_reader

Json = dict[str, Any]
NO_FAULTS: Final[Mapping[int, str]] = MappingProxyType({})
# Fields that are left out of snapshots.
_UNREAD = ("package",)
# Times of a move, which only the moves table of a match page shows. Their digits make up a fifth of a stored run.
_UNSHOWN_TIMES = ("cpu", "wall")
# Enough for what pages show: numbers below 10,000 with at most four decimals. Any further digits of random numbers
# would make up a tenth of a stored run.
_SIGNIFICANT_DIGITS = 8

DRAFT_NAME: Final = gettext_lazy("Your bot")  # of a run without a name of its own


def match_json(run: Run, status: str) -> Json:
    """Return the run in the format of a match on the site; ``id`` is 0, because a run has no match page or download."""
    return {"id": 0, "game": run.game, "status": status, "settings": run.settings, "url": ""}


def seats_json(
    run: Run, seat: int, outcome: Outcome | RecordedOutcome | None = None, faults: Mapping[int, str] = NO_FAULTS
) -> list[Json]:
    """Return the seats, with the draft in ``seat`` and with names in the language of the page.

    ``faults``: the kind of fault that each seat committed, if any; these kinds are always public.
    """
    colors = GAMES[run.game].colors
    own_url = reverse("bot", args=[run.bot_id]) if run.bot_id else ""
    seated: list[Mapping[str, Any]] = [*run.opponents]
    own_name = run.name or str(DRAFT_NAME)
    seated.insert(seat, {"name": own_name, "names": {}, "owner": run.person.username, "url": own_url, "version": None})
    return [
        {
            "index": index,
            "name": name_for_reader(one["name"], one["names"]),
            "owner": one["owner"],
            "bot_url": one["url"],
            "version": one["version"],
            "clock": None,
            "points": outcome.points[index] if outcome else None,
            "rank": outcome.ranks[index] if outcome else None,
            "fault": faults.get(index),
            "color": colors[index] if colors else None,
        }
        for index, one in enumerate(seated)
    ]


def reader_json(seat: int) -> Json:
    """Return a match's ``reader`` in JSON: the draft's author, whose bot has this seat in the match."""
    return {"seat": seat, "is": "bot"}


def newest_event_number(run_id: int) -> int:
    """Return the number of the newest event; 0 while the run is being played, because its worker resends all events."""
    row = Run.objects.filter(pk=run_id).values_list("status", "fence", "last_event").first()
    if row is None or row[0] == RunStatus.RUNNING:
        return 0
    _status, fence, last_event = row
    return last_event or last_event_number(fence)


def find_run(run_id: int) -> Run | None:
    return Run.objects.defer(*_UNREAD).select_related("person").filter(pk=run_id).first()


def snapshot(run: Run) -> Json:
    """Return the initial state of the studio's board."""
    found = {
        "topic": f"runs/{run.pk}",
        "match": match_json(run, run.status),
        "reader": reader_json(_last_seat(run)),
        "turns": [],
        "outcome": None,
        "seats": seats_json(run, _last_seat(run)),
        "score": score.score_summary(run.game, run.games, run.results, failed=run.lost),
    }
    if run.status == RunStatus.RUNNING:
        return {**found, **_match_from_stream(run)}
    if run.status == RunStatus.FINISHED and run.record:
        found |= _match_from_record(run)
    return {**found, "seq": last_event_number(run.fence)}


def _last_seat(run: Run) -> int:
    if run.results:
        return int(run.results[-1]["seat"])
    return run.first_seat


def _match_from_stream(run: Run) -> Json:
    """Return the running match from the event stream; empty if its beginning has expired."""
    start = first_event_number(run.fence) - 1
    events = read_events(f"runs/{run.pk}", start).list
    begun = max((at for at, event in enumerate(events) if event["type"] == "started"), default=None)
    found: Json = {"seq": events[-1]["seq"] if events else start}
    if begun is None:
        return found
    reader = events[begun]["reader"]
    found |= {"reader": reader, "seats": seats_json(run, reader["seat"])}
    found["turns"] = [event["turn"] for event in events[begun:] if event["type"] == "turn"]
    return found


def _match_from_record(run: Run) -> Json:
    record = load(bytes(run.record))
    outcome = record.outcome
    faults = {move.seat: move.fault.value for turn in record.turns for move in turn.moves if move.fault}
    return {
        "turns": _turns_with_output(record, bytes(run.log), run.marks),
        "outcome": outcome_json(outcome.points, outcome.ranks, outcome.termination),
        "seats": seats_json(run, _last_seat(run), outcome, faults),
    }


def _turns_with_output(record: Record, log: bytes, marks: Sequence[int]) -> list[Json]:
    turns = replay(record, GAMES)
    for move in (move for turn in turns for move in turn["moves"]):
        for name in _UNSHOWN_TIMES:
            move.pop(name, None)
    begin = 0
    for turn, end in zip(turns, marks, strict=False):
        if end > begin:
            turn["printed"] = output_between(log, begin, end)
        begin = end
    if turns and len(log) > begin:  # output after the last turn, such as the traceback of a crash that ended the match
        turns[-1]["printed"] = turns[-1].get("printed", "") + output_between(log, begin, None)
    rounded: list[Json] = _rounded(turns)
    return rounded


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{_SIGNIFICANT_DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, (list, tuple)) else value
