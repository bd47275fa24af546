"""Presets for the tournament wizard: general ones, and those that a game adds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from typing import Final

from django.utils.translation import gettext_lazy as _

from arena.games.registry import GAMES
from arena.games.site import TournamentPreset
from arena.games.sites import SITES
from arena.tournaments.formats.availability import formats_of
from arena.tournaments.models import Format, Seeding

_QUARTER: Final = timedelta(minutes=15)
_DAY: Final = timedelta(days=1)
_EVENING: Final = time(18)
_ALONE: Final = (Format.TABLE, Format.SCORE_ATTACK)  # formats in which a bot does not meet one opponent at a time

PRESETS: Final = (
    TournamentPreset(
        code="class_cup",
        name=_("Afternoon class cup"),
        text=_("Groups and knockout in an afternoon."),
        picture="tournaments/presets/class_cup.html",
        format=Format.GROUPS,
        fields={"group_size": 4, "advance": 2, "move_seconds": 5},
        open_for=timedelta(hours=2),
    ),
    TournamentPreset(
        code="weekly_league",
        name=_("Weekly league"),
        text=_("Repeats weekly, so bots can improve."),
        picture="tournaments/presets/weekly_league.html",
        fields={"seeding": Seeding.RATING, "weekly": True},
        open_for=7 * _DAY,
        closes_at=_EVENING,
    ),
    TournamentPreset(
        code="seeded_knockout",
        name=_("Seeded knockout"),
        text=_("The highest-rated bots meet last."),
        picture="tournaments/presets/seeded_knockout.html",
        format=Format.KNOCKOUT,
        fields={"seeding": Seeding.RATING, "third_place": True, "move_seconds": 10, "pace_seconds": 0.3},
        open_for=_DAY,
        closes_at=_EVENING,
    ),
    TournamentPreset(
        code="score_attack",
        name=_("Score attack"),
        text=_("Solo, on the same 20 random seeds."),
        picture="tournaments/presets/score_attack.html",
        format=Format.SCORE_ATTACK,
        fields={"random_seeds": 20},
        open_for=_DAY,
        closes_at=_EVENING,
    ),
)


@dataclass(frozen=True, slots=True)
class OfferedPreset:
    """A preset and the games for which it is offered."""

    preset: TournamentPreset
    games: tuple[str, ...]


def offered_presets() -> list[OfferedPreset]:
    """Return all presets that any game of this site supports, general ones first."""
    shared = [OfferedPreset(preset, tuple(game for game in GAMES if _is_suitable(preset, game))) for preset in PRESETS]
    own = [OfferedPreset(preset, (game,)) for game in GAMES for preset in SITES[game].presets]
    return [offer for offer in (*shared, *own) if offer.games]


def preset_of(game: str, code: str) -> TournamentPreset | None:
    """Return the preset with this code; None if the game has no such preset."""
    return next(
        (offer.preset for offer in offered_presets() if offer.preset.code == code and game in offer.games), None
    )


def default_format(game: str) -> str:
    """Return the default format for a new tournament."""
    return SITES[game].tournament.format or formats_of(game)[0]


def _is_suitable(preset: TournamentPreset, game: str) -> bool:
    """Return whether a preset suits a game.

    Presets for pairs do not suit games for larger tables or single players.
    """
    if not preset.format:
        return True
    usual = default_format(game)
    if usual in _ALONE or preset.format in _ALONE:
        return preset.format == usual
    return preset.format in formats_of(game)


def default_deadline(preset: TournamentPreset, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the default deadline: rounded up to a quarter of an hour, or at the preset's time of day.

    Return None if the preset does not define how long entries are accepted.
    """
    if preset.open_for is None:
        return None
    local = (now + preset.open_for).astimezone(zone)
    if preset.closes_at is not None:
        return datetime.combine(local.date(), preset.closes_at, zone)
    begun = timedelta(minutes=local.minute % 15, seconds=local.second, microseconds=local.microsecond)
    return local - begun + (_QUARTER if begun else timedelta())
