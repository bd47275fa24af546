"""The programme of the public screen: the available scenes. static/js/tv/director.js decides which one comes next.

Everything is read on behalf of an anonymous visitor, whoever opened the page, because anyone can look at a public
screen.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.translation import get_language

from arena.matches.reviews import has_verdict
from arena.platform.live.single_flight import single_flight
from arena.tournaments.queries import programme as tournament_programme
from arena.tournaments.queries import tournaments
from arena.tournaments.queries.programme import CurrentTournament

Json = dict[str, Any]
ANYBODY: Final = AnonymousUser()
_MATCHES: Final = 12
_MAX_RESULTS: Final = 12  # number of newest results to search for a game's verdict
_UPCOMING: Final = 3
_CACHE_SECONDS: Final = 3
# Weights of a tournament's scenes: highest while its final result is new, lowest once that is old.
_FINAL_TABLE: Final = 1.5
_CURRENT_TABLE: Final = 1.0
_OLD_TABLE: Final = 0.75
_PODIUM: Final = 0.25  # more than the tournament's tables
_NEWS: Final = timedelta(minutes=5)


def programme(clock: Callable[[], datetime], tournament_id: int | None = None) -> Json:
    """Return the scenes of the programme, or of the programme for one tournament.

    They are computed once every few seconds, however many screens show them.
    """
    key = f"tv.programme.{tournament_id}.{get_language()}"
    return single_flight(key, lambda: _programme(clock(), tournament_id), _CACHE_SECONDS)


def _programme(now: datetime, tournament_id: int | None) -> Json:
    current_tournaments = tournament_programme.current_tournaments(now, tournament_id)
    ids = [one.id for one in current_tournaments]
    scenes = [
        {
            **_scene("match", match.id, "tv-match", match.importance),
            "game": match.game,
            "tournament": match.tournament_id,
            "decided": match.is_decided,
        }
        for match in tournament_programme.live_matches(ids)[:_MATCHES]
    ]
    scenes += [
        {**_scene("turning_point", match_id, "tv-turning-point", 1.0), "tournament": tournament}
        for match_id, game, tournament in tournament_programme.newest_results(ids, _MAX_RESULTS)
        if has_verdict(game, match_id)
    ]
    scenes += [
        {**_scene("standings", one.id, "tv-standings", _weight_of_table(one, now)), "version": one.version}
        for one in current_tournaments
    ]
    scenes += [_podium_scene(one, now) for one in current_tournaments if one.finished_at]
    scenes += [
        _bracket_scene(one.id, part, version, _weight_of_table(one, now))
        for one in current_tournaments
        for part, version in enumerate(one.bracket_versions, start=1)
    ]
    lobby = None if tournament_id is None else tournament_programme.lobby_version(tournament_id)
    if lobby is not None:  # a scene of its own for each version, so that screens show new entries
        url = reverse("tv-lobby", args=[tournament_id])
        scenes.append({"kind": "lobby", "id": lobby, "url": url, "weight": _CURRENT_TABLE})
    if tournament_id is None and tournaments.upcoming_tournaments(ANYBODY, _UPCOMING):
        scenes.append({"kind": "upcoming", "id": 0, "url": reverse("tv-upcoming"), "weight": 0.5})
    return {"scenes": scenes}


def _weight_of_table(tournament: CurrentTournament, now: datetime) -> float:
    if tournament.is_running:
        return _CURRENT_TABLE
    return _FINAL_TABLE if _is_news(tournament, now) else _OLD_TABLE


def _is_news(tournament: CurrentTournament, now: datetime) -> bool:
    """Return whether the tournament has just ended."""
    return tournament.finished_at is not None and now - tournament.finished_at < _NEWS


def _podium_scene(tournament: CurrentTournament, now: datetime) -> Json:
    scene = _scene("podium", tournament.id, "tv-podium", _weight_of_table(tournament, now) + _PODIUM)
    return {**scene, "version": tournament.version, "news": _is_news(tournament, now)}


def _bracket_scene(pk: int, part: int, version: int, weight: float) -> Json:
    """Return the scene for one of the screens into which a bracket is divided."""
    scene = _scene("bracket", pk, "tv-bracket", weight)
    return {**scene, "url": f"{scene['url']}?part={part}", "part": part, "version": version}


def _scene(kind: str, pk: int, url_name: str, weight: float) -> Json:
    return {"kind": kind, "id": pk, "url": reverse(url_name, args=[pk]), "weight": round(weight, 3)}
