"""The main section of a tournament's page: the lobby before the start, live updates, or the winners.

Invariant: everything is derived from a snapshot that the reader may see, so the section is empty while results are
withheld.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from arena.core.ranking.importance import FinishedMatch, UpcomingMatch, key_matches, most_important_matches
from arena.core.ranking.pairing.base import Bracket
from arena.core.ranking.possible_places import PlaceRange
from arena.core.ranking.rank_changes import largest_rank_changes
from arena.games.sites import SITES
from arena.matches.models import MatchStatus
from arena.matches.snapshots import snapshot
from arena.tournaments.formats.encounter_names import match_names
from arena.tournaments.formats.traits import TRAITS
from arena.tournaments.models import Entry, Pairing, PairingSeat, Tournament, TournamentStatus
from arena.tournaments.queries.drawn_bracket import TournamentBracket
from arena.tournaments.queries.explained_matches import KeyMatch, key_match, with_gap
from arena.tournaments.queries.score_highlights import score_highlights

Json = dict[str, Any]
_RANK_CHANGES: Final = 4
_CONTENDERS: Final = 6
_KEY_MATCHES: Final = 3
_PODIUM: Final = 3
_BEST: Final = 4  # number of top entries whose matches are candidates for key matches
_MAX_PAIRINGS: Final = 200
_RECENT: Final = 5  # number of finished tournaments whose key matches have precedence
REVIEWED_FOR: Final = timedelta(days=2)  # how long after a tournament its key matches still get a review


@dataclass(frozen=True, slots=True)
class RankChange:
    """An entry's change of rank since the last round.

    ``places``: by how many places the entry moved, always positive; ``up``: whether its rank improved.
    """

    row: Json
    places: int
    up: bool


@dataclass(frozen=True, slots=True)
class StandingsNews:
    """The news about the standings.

    ``winner``: the entry that is certain to finish first. ``contenders``: the entries that can still finish first;
    empty if that includes every entry, or if there is a ``winner``.
    """

    moved: tuple[RankChange, ...] = ()
    winner: Json | None = None
    contenders: tuple[Json, ...] = ()
    more_contenders: int = 0
    secured: tuple[Json, ...] = ()  # entries that are certain of a place on the podium


@dataclass(frozen=True, slots=True)
class LiveStage:
    """The main section of the page of a tournament in progress.

    ``boards``: snapshots of the most important running matches or, if none is running, of the most important recent
    ones, each with the match's name as its ``caption``.
    """

    news: StandingsNews
    boards: tuple[Json, ...] = ()

    @property
    def is_between_matches(self) -> bool:
        return not any(board["match"]["status"] == MatchStatus.RUNNING for board in self.boards)


@dataclass(frozen=True, slots=True)
class FinalStage:
    """The main section of a finished tournament's page: the winners and key matches.

    ``podium``: the rows with ranks 1 to 3, which may be shared; ``keys``: key matches, best first; ``by_points``:
    whether points, rather than a bracket, decided the places.
    """

    podium: tuple[Json, ...] = ()
    keys: tuple[KeyMatch, ...] = ()
    by_points: bool = True


def live_stage(tournament_id: int, game: str, shown: Json) -> LiveStage:
    """Return the news about the standings, and the boards, for the page of a running or paused tournament."""
    rows = _ranked_rows(shown)
    ranks = {row["entry"]: row["rank"] for row in rows}
    return LiveStage(standings_news(shown), _boards(tournament_id, game, shown, ranks, _possible_places(rows)))


def _possible_places(rows: Sequence[Json]) -> dict[int, PlaceRange]:
    return {row["entry"]: PlaceRange(row["best_place"], row["worst_place"]) for row in rows if row["best_place"]}


def standings_news(shown: Json) -> StandingsNews:
    """Return rank changes and the entries that can still win; empty unless the tournament is running or paused."""
    if shown["status"] not in (TournamentStatus.RUNNING, TournamentStatus.PAUSED):
        return StandingsNews()
    rows = _ranked_rows(shown)
    possible = _possible_places(rows)
    by_entry = {row["entry"]: row for row in rows}
    found = largest_rank_changes({row["entry"]: row["places_gained"] for row in rows}, _RANK_CHANGES)
    sure = [entry for entry, place_range in possible.items() if place_range.worst == 1]
    first = [entry for entry, place_range in possible.items() if place_range.best == 1]
    secured = [entry for entry, place_range in possible.items() if place_range.worst <= _PODIUM and entry not in sure]
    says = bool(first) and len(first) < len(possible) and not sure
    return StandingsNews(
        moved=tuple(RankChange(by_entry[one.entry], abs(one.gained), one.gained > 0) for one in found),
        winner=by_entry[sure[0]] if sure else None,
        contenders=tuple(by_entry[entry] for entry in first[:_CONTENDERS]) if says else (),
        more_contenders=max(0, len(first) - _CONTENDERS) if says else 0,
        secured=tuple(by_entry[entry] for entry in secured),
    )


def _ranked_rows(shown: Json) -> list[Json]:
    """Return the ranked rows in the order of the standings."""
    rows = {row["entry"]: row for row in shown["rows"]}
    return [rows[entry] for entry in shown["order"] if rows[entry]["rank"] is not None]


def _boards(
    tournament_id: int, game: str, shown: Json, ranks: Mapping[int, int], possible: Mapping[int, PlaceRange]
) -> tuple[Json, ...]:
    by_status: dict[str, list[int]] = defaultdict(list)
    names = {match["id"]: match["name"] for match in shown["matches"]}
    for match in shown["matches"]:
        by_status[match["status"]].append(match["id"])
    candidates = by_status[MatchStatus.RUNNING] or by_status[MatchStatus.FINISHED]
    seats: dict[int, list[int]] = defaultdict(list)
    for match_id, entry in PairingSeat.objects.filter(
        pairing__match__in=candidates, pairing__tournament=tournament_id
    ).values_list("pairing__match_id", "entry_id"):
        seats[match_id].append(entry)
    meetings = [UpcomingMatch(match_id, tuple(entries)) for match_id, entries in seats.items()]
    chosen = most_important_matches(meetings, ranks, possible, SITES[game].boards)
    return tuple({**snapshot(match_id), "caption": names[match_id]} for match_id in chosen)


def final_stage(bracket: TournamentBracket, shown: Json, *, now: datetime) -> FinalStage:
    """Return the winners and key matches of a finished tournament, for the main section of its page."""
    stage = podium_stage(shown)
    if not stage.podium:
        return stage
    ranks = {row["entry"]: row["rank"] for row in _ranked_rows(shown)}
    if shown["score"]:
        found = score_highlights(bracket.tournament.pk, list(ranks)[:_BEST])
        keys = [with_gap(key_match(one.match_id, one), now=now) for one in found]
        return replace(stage, keys=_named(keys))
    keys = [key_match(match_id) for match_id in _key_matches(bracket.tournament.pk, ranks)]
    named = _named(_with_expected(bracket.tournament, keys, now))
    return replace(stage, keys=named)


def podium_stage(shown: Json) -> FinalStage:
    """Return the winners without key matches; none before the end, and none on later pages of the standings."""
    podium = tuple(row for row in _ranked_rows(shown) if row["rank"] <= _PODIUM)[: _PODIUM + 1]
    if shown["page"] != 1 or shown["status"] != TournamentStatus.FINISHED:
        return FinalStage()
    return FinalStage(podium, by_points=bool(shown["score"]) or not TRAITS[shown["format"]].orders)


def _with_expected(tournament: Tournament, keys: Sequence[KeyMatch], now: datetime) -> list[KeyMatch]:
    """Return the key matches; those without verdicts say whether an analysis is expected."""
    if all(key.verdict for key in keys):
        return list(keys)
    is_recent = tournament.pk in _recently_finished(tournament.game, since=now - REVIEWED_FOR)
    return [with_gap(key, now=now, is_recent=is_recent) for key in keys]


def _named(keys: Sequence[KeyMatch]) -> tuple[KeyMatch, ...]:
    names = match_names([key.snapshot["match"]["id"] for key in keys])
    return tuple(replace(key, name=names.get(key.snapshot["match"]["id"], "")) for key in keys)


def recent_key_matches(game: str, *, since: datetime) -> list[int]:
    """Return the ids of the key matches of a game's newest tournaments that have finished since ``since``.

    Tournaments with withheld results are excluded.
    """
    found: list[int] = []
    for pk in _recently_finished(game, since=since):
        entries = Entry.objects.filter(tournament=pk, rank__isnull=False).order_by("rank", "position", "pk")
        found += _key_matches(pk, {entry: rank for entry, rank in entries.values_list("pk", "rank") if rank})
    return found


def _recently_finished(game: str, *, since: datetime) -> list[int]:
    rows = Tournament.objects.filter(
        game=game, status=TournamentStatus.FINISHED, finished_at__gte=since, withheld=False
    ).order_by("-finished_at")
    return list(rows.values_list("pk", flat=True)[:_RECENT])


def _key_matches(tournament_id: int, ranks: Mapping[int, int]) -> list[int]:
    """Return the ids of a finished tournament's key matches; ``ranks``: each entry's rank, best entry first."""
    return key_matches(_finished_matches_of_best(tournament_id, list(ranks)[:_BEST], ranks), ranks, _KEY_MATCHES)


def _finished_matches_of_best(tournament_id: int, best: Sequence[int], ranks: Mapping[int, int]) -> list[FinishedMatch]:
    """Return the best entries' finished matches that have two or more seats; if there are many, only the newest."""
    newest = Pairing.objects.filter(
        tournament=tournament_id, match__status=MatchStatus.FINISHED, seats__entry__in=list(best)
    )
    pairings = list(newest.order_by("-pk").values_list("pk", flat=True).distinct()[:_MAX_PAIRINGS])
    seats: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
    finals: dict[int, bool] = {}
    columns = ("pairing__match_id", "pairing__bracket", "entry_id", "rank", "margin")
    rows = PairingSeat.objects.filter(pairing__in=pairings, rank__isnull=False).order_by("pairing_id", "index")
    for match_id, bracket, entry, rank, margin in rows.values_list(*columns):
        seats[match_id].append((entry, rank, margin or 0.0))
        finals[match_id] = bracket == Bracket.FINAL
    largest = max((_winning_margin(one) for one in seats.values()), default=0.0) or 1.0
    return [
        FinishedMatch(
            match_id,
            tuple(entry for entry, _, _ in one),
            _winning_margin(one) / largest,
            _is_upset(one, ranks),
            finals[match_id],
        )
        for match_id, one in seats.items()
        if len(one) > 1
    ]


def _winning_margin(seats: Sequence[tuple[int, int, float]]) -> float:
    """Return by how much the highest margin in a match exceeds the second-highest; 0 if it has only one seat."""
    margins = sorted((margin for _, _, margin in seats), reverse=True)
    return margins[0] - margins[1] if len(margins) > 1 else 0.0


def _is_upset(seats: Sequence[tuple[int, int, float]], ranks: Mapping[int, int]) -> bool:
    """Return whether the match's winner finished the tournament behind an opponent from this match."""
    winners = [ranks.get(entry, len(ranks) + 1) for entry, rank, _ in seats if rank == 1]
    others = [ranks.get(entry, len(ranks) + 1) for entry, rank, _ in seats if rank != 1]
    return bool(winners and others) and min(winners) > min(others)
