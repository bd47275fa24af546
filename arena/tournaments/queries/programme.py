"""Tournaments for a public screen: only what an anonymous visitor may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Case, Q, When
from django.utils.translation import gettext as _

from arena.core.ranking.interest import match_importance
from arena.core.ranking.pairing.base import Bracket
from arena.core.ranking.prospects import Prospect
from arena.games.sites import SITES
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.snapshots import newest_view
from arena.matches.visibility import PUBLIC
from arena.tournaments.formats.places import ranks_by_bracket
from arena.tournaments.models import Pairing, PairingSeat, Tournament, TournamentStatus
from arena.tournaments.queries.bracket_screens import screens
from arena.tournaments.queries.drawn_bracket import DrawnBracket, Stakes, TournamentBracket, bracket_of
from arena.tournaments.queries.encounter_names import match_names
from arena.ui.localized import localized_name, sentence_space

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

    ``version`` grows with every change. ``bracket_versions``: for each screen of the bracket, a number that grows with
    the results on that screen; empty until the bracket has been drawn.
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

    ``interest``: the match's importance for the standings (see arena.core.ranking.interest), plus a bonus if it is
    close; ``stakes``: what is at stake, or None.
    """

    id: int
    game: str
    tournament_id: int
    interest: float
    stakes: Stakes | None


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
            row.finished_at,
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
    """Return the running public matches of these tournaments, the most interesting first.

    How close a match is counts only for the matches that matter most for the standings.
    """
    running = Match.objects.filter(PUBLIC, status=MatchStatus.RUNNING, purpose=Purpose.TOURNAMENT)
    seats: dict[int, list[PairingSeat]] = defaultdict(list)
    rows = PairingSeat.objects.filter(
        pairing__match__in=running.order_by("pk")[:_MATCHES].values("pk"), pairing__tournament__in=list(tournament_ids)
    )
    for seat in rows.select_related("pairing__tournament", "entry").order_by("pairing_id", "index"):
        seats[seat.pairing.match_id or 0].append(seat)
    by_standings = sorted((_live_match(match_id, own) for match_id, own in seats.items()), key=_sort_key)
    compared = [_add_closeness(one) for one in by_standings[:_COMPARED]]
    return [*sorted(compared, key=_sort_key), *by_standings[_COMPARED:]]


def _sort_key(match: LiveMatch) -> tuple[float, int]:
    return -match.interest, match.id


def _add_closeness(match: LiveMatch) -> LiveMatch:
    """Return the match with a bonus for its closeness so far, computed from the public view of the newest turn."""
    closeness = SITES[match.game].closeness
    view = newest_view(match.id) if closeness else None
    close = closeness(view) if closeness and view else None
    return replace(match, interest=match.interest + _CLOSENESS * (close or 0.0))


def _live_match(match_id: int, seats: Sequence[PairingSeat]) -> LiveMatch:
    entries = [seat.entry for seat in seats]
    ranks = {entry.pk: entry.rank for entry in entries if entry.rank}
    prospects = {
        entry.pk: Prospect(entry.best_place, entry.worst_place)
        for entry in entries
        if entry.best_place is not None and entry.worst_place is not None
    }
    weight = match_importance([entry.pk for entry in entries], ranks, prospects)
    tournament = seats[0].pairing.tournament
    # In a bracket, ranks are the best places that are still possible.
    places = [] if ranks_by_bracket(tournament) else list(ranks.values())
    stakes = _stakes(places, prospects, len(seats))
    return LiveMatch(match_id, tournament.game, tournament.pk, weight, stakes)


def _stakes(ranks: Sequence[int], prospects: dict[int, Prospect], seats: int) -> Stakes | None:
    """Describe what is at stake in a two-player match, according to the standings; None if that is unknown."""
    if seats != 2:
        return None
    found = []
    if len(set(ranks)) == 2:
        places = {"one": min(ranks), "other": max(ranks)}
        found.append(Stakes("places", _("Rank %(one)s against rank %(other)s.") % places))
    can_win = sum(prospect.best == 1 for prospect in prospects.values())
    if len(prospects) == 2:
        found.append(
            (
                Stakes("neither_can_win", _("Neither can still win the tournament.")),
                Stakes("one_can_win", _("Only one of the two can still win the tournament.")),
                Stakes("both_can_win", _("Both can still win the tournament.")),
            )[can_win]
        )
    if not found:
        return None
    return Stakes(" ".join(one.code for one in found), sentence_space().join(one.text for one in found))


def newest_results(tournament_ids: Sequence[int], most: int) -> list[tuple[int, str, int]]:
    """Return the id, game and tournament id of the newest finished public matches, at most ``most`` of them."""
    ended = Pairing.objects.filter(tournament__in=list(tournament_ids), match__status=MatchStatus.FINISHED)
    public = ended.filter(match__audience=None, match__withheld=False)
    return list(public.order_by("-ended_at", "-pk").values_list("match_id", "match__game", "tournament_id")[:most])


def match_in_tournament(match_id: int) -> MatchInTournament | None:
    """Return a match as a part of its tournament; None if it is not a tournament match."""
    seats = PairingSeat.objects.filter(pairing__match=match_id).order_by("index")
    found = list(seats.select_related("pairing__tournament", "pairing__round", "entry"))
    if not found:
        return None
    tournament, bracket = found[0].pairing.tournament, bracket_of(found[0].pairing.tournament_id)
    name = match_names(bracket, [match_id])[match_id]
    # In a final or semifinal, the stakes in the bracket matter more than those in the standings.
    stakes = _bracket_stakes(bracket, found[0].pairing) or _live_match(match_id, found).stakes
    return MatchInTournament(tournament.pk, localized_name(tournament), name, stakes)


def _bracket_stakes(bracket: TournamentBracket, pairing: Pairing) -> Stakes | None:
    drawn = bracket.drawn_bracket if pairing.bracket else None
    if drawn is None:
        return None
    return drawn.stakes((pairing.round.number - 1 - drawn.offset, Bracket(pairing.bracket), pairing.slot))
