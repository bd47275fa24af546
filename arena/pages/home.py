"""The home page: live matches of two games, one tournament, upcoming dates, and leaders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from arena.accounts.panels import Panel, home_panels
from arena.accounts.permissions import Person
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.matches import queries as matches
from arena.matches.link_preview import eyebrow
from arena.matches.queries import FeaturedMatch
from arena.matches.snapshots import snapshot as match_snapshot
from arena.ratings.queries import Leader, leaders
from arena.tournaments.events.snapshots import snapshot as tournament_snapshot
from arena.tournaments.queries import tournaments
from arena.tournaments.queries.tournaments import TournamentCard

MATCHES = 2
LEADERS = 5
UPCOMING = 3


@dataclass(frozen=True, slots=True)
class GameLeaders:
    """The best bots of a game."""

    game: str
    lines: tuple[Leader, ...]


@dataclass(frozen=True, slots=True)
class FeaturedTournament:
    """A tournament with its live standings."""

    card: TournamentCard
    standings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class HomePage:
    """The data of the home page.

    ``matches``: a snapshot for each of at most two games; ``panels``: panels added by games' apps.
    """

    matches: dict[str, dict[str, Any]]
    tournament: FeaturedTournament | None
    upcoming: list[TournamentCard]
    panels: list[Panel]
    leaders: list[GameLeaders]
    figures: dict[str, int]

    @property
    def is_empty(self) -> bool:
        """Return whether there are no matches and no tournaments to show yet."""
        return not (self.matches or self.tournament or self.upcoming)


def home_page(reader: Person) -> HomePage:
    found = featured_matches(reader)
    return HomePage(
        matches=_named_snapshots({game: found[game].match_id for game in choose_games(found)}),
        tournament=featured_tournament(reader),
        upcoming=tournaments.upcoming_tournaments(reader, UPCOMING),
        panels=home_panels.panels_for(None, reader),
        leaders=[GameLeaders(game, lines) for game in GAMES if (lines := tuple(leaders(game, LEADERS)))],
        figures=tournaments.site_counts(),
    )


def _named_snapshots(match_ids: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """Return a snapshot for each game; its ``caption`` says to which tournament or kind of match it belongs."""
    cards = {card.id: card for card in matches.cards_of_ids(list(match_ids.values()))}
    return {game: {**match_snapshot(pk), "caption": eyebrow(cards[pk])} for game, pk in match_ids.items()}


def featured_matches(reader: Person) -> dict[str, FeaturedMatch]:
    """Return a match for each game: the newest live one, otherwise the newest finished one.

    Games with wide boards come first.
    """
    games = sorted(SITES, key=lambda game: not SITES[game].wide)
    found = ((game, matches.featured_match(game, reader)) for game in games)
    return {game: match for game, match in found if match is not None}


def choose_games(found: Mapping[str, FeaturedMatch]) -> list[str]:
    """Choose the games whose matches the page shows; return them in the given order.

    Live matches take precedence, then newer ones. Only a few are shown, because each match costs a visitor a script,
    a connection and a snapshot.
    """
    liveliest = sorted(found, key=lambda game: (found[game].is_live, found[game].match_id), reverse=True)
    return [game for game in found if game in liveliest[:MATCHES]]


def featured_tournament(reader: Person) -> FeaturedTournament | None:
    pk = tournaments.featured_tournament(reader)
    detail = tournaments.detail(pk, reader) if pk is not None else None
    if detail is None:
        return None
    return FeaturedTournament(detail.card, tournament_snapshot(detail.card.id))


def featured_json(reader: Person) -> dict[str, Any]:
    """Return JSON that identifies the matches and the tournament to show; the home page reloads if it changes."""
    tournament_id = tournaments.featured_tournament(reader)
    return {
        "matches": {
            game: {"id": match.match_id, "snapshot_url": reverse("match-snapshot", args=[match.match_id])}
            for game, match in featured_matches(reader).items()
        },
        "tournament": {"id": tournament_id, "snapshot_url": reverse("tournament-snapshot", args=[tournament_id])}
        if tournament_id is not None
        else None,
    }
