"""2584 on the site: names, settings, pages, downloads, hints, a demonstration, and its own app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from arena.core.duration_estimate import PlayedMatch
from arena.core.referee.record import Record
from arena.games.base import Json
from arena.games.closeness import closeness
from arena.games.fib2584.board import ARROWS, DIRECTIONS, legal_directions, read_board
from arena.games.fib2584.picture import picture
from arena.games.fib2584.reports import move_rows, score_rows
from arena.games.fib2584.rules import State
from arena.games.fib2584.values import exact_values
from arena.games.site import (
    TURNS,
    Advice,
    AnswerExample,
    Demonstration,
    Export,
    GameSite,
    HumanPlay,
    LearningEnvironment,
    MenuEntry,
    PersonMove,
    SettingText,
    TournamentDefaults,
)
from arena.platform.downloads import csv_text

DIRECTION_NAMES: Final = {
    "up": pgettext_lazy("direction", "up"),
    "right": pgettext_lazy("direction", "right"),
    "down": pgettext_lazy("direction", "down"),
    "left": pgettext_lazy("direction", "left"),
}
_DECISIVE: Final = 200.0  # a lead in luck-adjusted points that is hardly ever lost
_CSV: Final = "text/csv; charset=utf-8"


def _direction_label(direction: Json) -> str:
    """Return the label of a direction, such as "↑ up"."""
    return f"{ARROWS[direction]} {DIRECTION_NAMES[DIRECTIONS[direction]]}"


def _legal_moves(view: Mapping[str, Json], seat: int) -> Sequence[PersonMove]:
    legal = legal_directions(read_board(view["boards"][seat]))
    return [PersonMove(direction, _direction_label(direction)) for direction in legal]


def _advice(state: State, seat: int) -> Advice | None:
    """Return the best direction and the value of every legal direction; None if no direction is legal."""
    worth = exact_values().direction_values(state.boards[seat].tiles)
    if not worth:
        return None
    best = max(worth, key=worth.__getitem__)
    directions = [
        {
            "name": DIRECTION_NAMES[DIRECTIONS[direction]],
            "value": value,
            "lost": worth[best] - value,
            "is_best": direction == best,
        }
        for direction, value in sorted(worth.items(), key=lambda one: -one[1])
    ]
    return Advice(best, {"directions": directions})


def _scores_file(record: Record, names: Sequence[str]) -> str:
    return "".join(csv_text(score_rows(record, names)))


def _moves_file(record: Record, names: Sequence[str]) -> str:
    return "".join(csv_text(move_rows(record, names)))


def _closeness(view: Mapping[str, Json]) -> float | None:
    adjusted = view["adjusted"]
    if len(adjusted) == 1:
        return None
    return closeness(adjusted, decisive=_DECISIVE, progress=(view["game"] - 1) / view["games"])


SITE: Final = GameSite(
    name="2584",
    settings={
        "games": SettingText(
            _("Games per match"), _("Each seat plays this many games, with the same random drops for all seats.")
        ),
    },
    bosses=("random_direction", "greedy", "expectimax", "td_learner", "exact"),
    # the mean of all house bots, one match each
    typical_match=PlayedMatch(turns=1800, max_turns=7500, seats=1, seconds=2.5),
    tournament=TournamentDefaults("score_attack", move_seconds=5.0),
    scrimmage={"games": 2},
    score_name=_("Luck-adjusted score"),
    score_decimals=1,
    margin_text=_("The sum of the luck-adjusted scores in all matches (not a FIDE tiebreak)."),
    margin_is_score=True,
    turns=replace(TURNS, move=pgettext_lazy("sliding tiles", "Move"), moves=pgettext_lazy("sliding tiles", "Moves")),
    wide=True,
    closeness=_closeness,
    picture=picture,
    move_label=_direction_label,
    people=HumanPlay(
        player_counts=(1, 2, 3, 4),
        settings={"games": 1},
        clock=1800,
        moves=_legal_moves,
        advice=_advice,
        no_take_back=_("Moves cannot be taken back, because each move reveals which tile drops next."),
        links=(MenuEntry("fib2584-solver", _("Solver")),),
    ),
    menu=(MenuEntry("fib2584-solver", "2584"),),
    answers=(
        AnswerExample("1", _("a direction: 0 is up, 1 right, 2 down, 3 left")),
        AnswerExample('"right"', _("the same direction by name")),
        AnswerExample("state.legal[-1]", _("one of the legal directions")),
        AnswerExample("0", _("a direction that moves no tile and merges none"), accepted=False),
        AnswerExample('"Right"', _("a name with a capital letter"), accepted=False),
        AnswerExample("None", _("no answer; usually a missing return"), accepted=False),
    ),
    learning=LearningEnvironment(
        observation=_("78 numbers: a one-hot encoding of the tile in each of the six cells, 13 values per cell"),
        actions=_("4 actions: up, right, down, left"),
        reward=_("the value of the merged tiles"),
        opponent="random_direction",
    ),
    exports=(
        Export("scores.csv", _("Scores as a table"), _scores_file, _CSV),
        Export("moves.csv", _("Regret by move"), _moves_file, _CSV),
    ),
    demonstrations=(
        Demonstration(
            name=_("House 2584"),
            description=_("The house bots all get the same tile drops. Watch how much each move gives away."),
            format="score_attack",
            repeats=2,
            settings={"games": 3},
            move_seconds=5.0,
            pace_seconds=0.2,
        ),
    ),
    apps=("arena.games.fib2584.study",),
    urls=("arena.games.fib2584.study.urls",),
    transcribe="arena.games.fib2584.transcript.transcribe",
)
