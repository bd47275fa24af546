"""Tournaments for a public screen: only what an anonymous visitor may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Case, Q, When

from arena.core.ranking.importance import match_importance, take_turns
from arena.core.ranking.possible_places import PlaceRange
from arena.games.sites import SITES
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.snapshots import newest_view
from arena.matches.visibility import PUBLIC
from arena.tournaments.formats.encounter_names import match_names
from arena.tournaments.models import Pairing, PairingSeat, Tournament, TournamentStatus
from arena.tournaments.queries.bracket_screens import screens
from arena.tournaments.queries.drawn_bracket import DrawnBracket, Stakes, TournamentBracket, bracket_of
from arena.tournaments.queries.stakes import stakes_of
from arena.ui.localized import localized_name

_EVERYBODYS: Final = Q(members_only=False, withheld=False)
_UNDER_WAY: Final = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
_SHOWN_AFTER_END: Final = timedelta(hours=1)
_TOURNAMENTS: Final = 12
_MATCHES: Final = 40
_COMPARED: Final = 12  # matches whose newest turn is read
_CLOSENESS: Final = 1.0  # added for a level score shortly before the end: as much as for the leader's participation


@dataclass(frozen=True, slots=True)
class CurrentTournament:
    """A tournament that is running or has just ended.

    ``version`` grows with every change. ``finished_at``: None if it was cancelled. ``bracket_versions``: for each
    screen of the bracket, a number that grows with the results on that screen; empty until the bracket has been drawn.
    """

    id: int
    name: str
    game: str
    is_running: bool
    version: int
    finished_at: datetime | None = None
    bracket_versions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """A running match for a public screen.

    ``importance``: the match's importance for the standings (see arena.core.ranking.importance), plus a bonus if it is
    close; ``is_duel``: whether it has two seats; ``is_decided``: whether it is a duel whose lead is hardly ever lost.
    At larger tables, the ranks behind the leader remain open.
    """

    id: int
    game: str
    tournament_id: int
    importance: float
    is_duel: bool
    is_decided: bool = False


@dataclass(frozen=True, slots=True)
class MatchInTournament:
    """A match as a part of its tournament. ``name``: its name there; ``stakes``: what is at stake, or None."""

    tournament_id: int
    tournament: str
    name: str
    stakes: Stakes | None


def current_tournaments(now: datetime, tournament_id: int | None = None) -> list[CurrentTournament]:
    """Return running tournaments first, then those that ended within the last hour.

    With an id, return only that tournament, no matter when it was played.
    """
    rows = Tournament.objects.filter(_EVERYBODYS)
    if tournament_id is not None:
        rows = rows.filter(pk=tournament_id, started_at__isnull=False)
    else:
        ended = Q(status=TournamentStatus.FINISHED, finished_at__gt=now - _SHOWN_AFTER_END)
        rows = rows.filter(Q(status__in=_UNDER_WAY) | ended)
    ended_last = Case(When(status__in=_UNDER_WAY, then=0), default=1)
    found = rows.order_by(ended_last, "-started_at")[:_TOURNAMENTS]
    return [
        CurrentTournament(
            row.pk,
            localized_name(row),
            row.game,
            row.status in _UNDER_WAY,
            row.version,
            row.finished_at if row.status == TournamentStatus.FINISHED else None,
            _bracket_versions(TournamentBracket(row).drawn_bracket),
        )
        for row in found
    ]


def _bracket_versions(drawn: DrawnBracket | None) -> tuple[int, ...]:
    """Return a version for each screen of a bracket: the number of its known sides and winners."""
    if drawn is None:
        return ()
    sections = list(drawn.sections().values())
    return tuple(
        sum(
            (node.winner is not None) + sum(side.entry is not None for side in node.sides)
            for window in screen
            for _index, nodes in window.cut(sections[window.bracket])
            for node in nodes
        )
        for screen in screens(sections)
    )


def lobby_version(tournament_id: int) -> int | None:
    """Return the version of a tournament; None if it has started or if it is not public."""
    rows = Tournament.objects.filter(pk=tournament_id, members_only=False, started_at=None)
    return rows.values_list("version", flat=True).first()


def live_matches(tournament_ids: Sequence[int]) -> list[LiveMatch]:
    """Return these tournaments' running public matches, most important first; the tournaments take turns.

    Closeness is taken into account only for the first matches.
    """
    running = Match.objects.filter(PUBLIC, status=MatchStatus.RUNNING, purpose=Purpose.TOURNAMENT)
    seats: dict[int, list[PairingSeat]] = defaultdict(list)
    rows = PairingSeat.objects.filter(
        pairing__match__in=running.order_by("pk")[:_MATCHES].values("pk"), pairing__tournament__in=list(tournament_ids)
    )
    for seat in rows.select_related("pairing__tournament", "entry").order_by("pairing_id", "index"):
        seats[seat.pairing.match_id or 0].append(seat)
    by_standings = sorted((_live_match(match_id, own) for match_id, own in seats.items()), key=_sort_key)
    ordered = take_turns(by_standings, lambda one: one.tournament_id)
    compared = sorted((_add_closeness(one) for one in ordered[:_COMPARED]), key=_sort_key)
    return [*take_turns(compared, lambda one: one.tournament_id), *ordered[_COMPARED:]]


def _sort_key(match: LiveMatch) -> tuple[float, int]:
    return -match.importance, match.id


def _add_closeness(match: LiveMatch) -> LiveMatch:
    """Return the match with a bonus for its closeness so far, computed from the public view of the newest turn."""
    closeness = SITES[match.game].closeness
    view = newest_view(match.id) if closeness else None
    close = closeness(view) if closeness and view else None
    importance = match.importance + _CLOSENESS * (close or 0.0)
    return replace(match, importance=importance, is_decided=match.is_duel and close == 0)


def _live_match(match_id: int, seats: Sequence[PairingSeat]) -> LiveMatch:
    entries = [seat.entry for seat in seats]
    ranks = {entry.pk: entry.rank for entry in entries if entry.rank}
    possible = {
        entry.pk: PlaceRange(entry.best_place, entry.worst_place)
        for entry in entries
        if entry.best_place is not None and entry.worst_place is not None
    }
    weight = match_importance([entry.pk for entry in entries], ranks, possible)
    tournament = seats[0].pairing.tournament
    return LiveMatch(match_id, tournament.game, tournament.pk, weight, len(seats) == 2)


def newest_results(tournament_ids: Sequence[int], most: int) -> list[tuple[int, str, int]]:
    """Return the id, game and tournament id of the newest finished public matches, at most ``most`` of them."""
    ended = Pairing.objects.filter(tournament__in=list(tournament_ids), match__status=MatchStatus.FINISHED)
    public = ended.filter(match__audience=None, match__withheld=False)
    return list(public.order_by("-ended_at", "-pk").values_list("match_id", "match__game", "tournament_id")[:most])


def match_in_tournament(match_id: int) -> MatchInTournament | None:
    """Return a match as a part of its tournament; None if it is not a tournament match."""
    seats = PairingSeat.objects.filter(pairing__match=match_id).order_by("index")
    found = list(seats.select_related("pairing__tournament", "pairing__round", "entry__bot"))
    if not found:
        return None
    tournament, bracket = found[0].pairing.tournament, bracket_of(found[0].pairing.tournament_id)
    name = match_names([match_id])[match_id]
    return MatchInTournament(tournament.pk, localized_name(tournament), name, stakes_of(bracket, found))
