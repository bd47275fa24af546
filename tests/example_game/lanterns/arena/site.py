"""Lanterns on the site: names and settings, a download, and a demonstration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _

from arena.core.referee.record import Record
from arena.games.base import Json
from arena.games.site import (
    Demonstration,
    Export,
    GameSite,
    HumanPlay,
    LearningEnvironment,
    PersonMove,
    SettingText,
    TournamentDefaults,
)


def _candles(record: Record, names: Sequence[str]) -> str:
    """List who laid which candle, one per line."""
    laid = [(turn.number, names[move.seat], move.move) for turn in record.turns for move in turn.moves]
    return "".join(f"{number}\t{name}\t{candle}\n" for number, name, candle in laid)


def _moves(view: Mapping[str, Json], seat: int) -> Sequence[PersonMove]:
    """Return a seat's legal moves: its remaining candles, or none if another seat is to move."""
    return [PersonMove(candle, str(candle)) for candle in view["hands"][seat]] if view["to_move"] == seat else ()


SITE: Final = GameSite(
    name=_("Lanterns"),
    seats=(_("Red lantern"), _("Gold lantern"), _("Blue lantern")),
    settings={"nights": SettingText(_("Nights of a match"), _("Each seat lays one candle a night."))},
    tournament=TournamentDefaults(move_seconds=5.0),
    score_name=_("Light"),
    people=HumanPlay(player_counts=(3, 2, 1), moves=_moves, settings={"nights": 3}, adviser="as_bright"),
    learning=LearningEnvironment(
        observation=_("37 numbers: the lantern, everybody's candles, the night"),
        actions=_("9: the candles"),
        reward=_("the light you take"),
        opponent="random_candle",
    ),
    exports=(Export("candles.tsv", _("Candles"), _candles),),
    demonstrations=(
        Demonstration(
            name="House lanterns",
            description=_("Our own bots send up lanterns. Watch them, then beat them."),
            format="table",
            repeats=3,
            settings={"nights": 9},
            move_seconds=5.0,
            pace_seconds=0.5,
        ),
    ),
)
