"""Redact snapshots and events while the results of their tournament are withheld.

Invariant: an allowlist decides what is shown, so later additions to a snapshot remain hidden. Only the tournament's
state, and the entries with their versions, are public; entries are listed in order of entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

Json = dict[str, Any]

NOTHING_PLAYED: Final[Mapping[str, Any]] = {"finished": 0, "total": 0, "running": 0, "failed": 0, "ends_at": None}
_NO_FIGURES: Final[Mapping[str, Any]] = {
    "rank": None,
    "points": 0.0,
    "played": 0,
    "wins": 0,
    "draws": 0,
    "losses": 0,
    "margin": 0.0,
    "tiebreaks": [],
    "mean_rank": None,
    "best_place": None,
    "worst_place": None,
    "places_gained": 0,
}
_PUBLIC: Final = ("entry", "name", "names", "owner", "bot_url", "version", "status", "reason")


def redacted_snapshot(shown: Mapping[str, Any]) -> Json:
    rows = _rows(shown["rows"])
    return {
        **{name: shown[name] for name in ("seq", "status", "format", "by_rank", "score")},
        "withheld": True,
        "shows_places": False,
        "shows_ranges": False,
        "progress": dict(NOTHING_PLAYED),
        "rows": rows,
        "order": [row["entry"] for row in rows],
        "head_to_head": {},
        "tables": [],
        "columns": [],
        "page": shown["page"],
        "pages": shown["pages"],
        "matches": [],
    }


def redacted_event(event: Mapping[str, Any]) -> Json:
    """Redact an event; its number is kept."""
    if event["type"] == "status":
        return {"type": "status", "status": event["status"], "progress": dict(NOTHING_PLAYED)}
    if event["type"] == "entries":
        if event.get("refetch"):
            return {"type": "entries", "refetch": True}
        rows = _rows(event["rows"])
        return {"type": "entries", "rows": rows, "order": [row["entry"] for row in rows]}
    return {"type": "hidden"}


def _rows(rows: Iterable[Mapping[str, Any]]) -> list[Json]:
    shown = [{**{name: row[name] for name in _PUBLIC}, **_NO_FIGURES} for row in rows]
    return sorted(shown, key=lambda row: int(row["entry"]))
