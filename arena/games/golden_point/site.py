"""The golden point on the site: names, settings, pages, demonstration, and its own apps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from arena.core.duration_estimate import PlayedMatch
from arena.games.base import Json
from arena.games.closeness import closeness
from arena.games.golden_point.overview import GoldenOverview
from arena.games.golden_point.picture import picture
from arena.games.site import (
    AnswerExample,
    Demonstration,
    GameSite,
    LearningEnvironment,
    MenuEntry,
    PeriodicTask,
    ScriptDialect,
    SettingText,
    TournamentDefaults,
    TournamentPreset,
    TurnWords,
)

_DECISIVE: Final = 10.0  # a lead in points, to be multiplied by the number of seats


def _closeness(view: Mapping[str, Json]) -> float:
    scores = view["scores"]
    return closeness(scores, decisive=_DECISIVE * len(scores), progress=view["round"] / view["rounds"])


def _scores(view: Mapping[str, Json]) -> list[float]:
    scores: list[float] = view["scores"]
    return scores


SITE: Final = GameSite(
    name=_("Golden point"),
    settings={
        "numbers": SettingText(_("Numbers per round"), choices={2: _("Two"), 1: _("One")}),
        "rounds": SettingText(_("Rounds per match")),
    },
    margin_text=_("The sum of the scores in all matches (not a FIDE tiebreak)."),
    margin_is_score=True,
    bosses=(
        "random_pick",
        "steady",
        "disruptor",
        "mean_of_ten",
        "trend",
        "full_information",
        "last_times_ratio",
        "recognizer",
    ),
    # With only two bots, the lowest numbers win. These three make constant pairs lose and spread the bosses' scores.
    extra_opponents=("last_golden", "q_learning", "calm_disruptor"),
    # all house bots at one table
    typical_match=PlayedMatch(turns=100, max_turns=100, seats=11, seconds=2.5),
    tournament=TournamentDefaults("table", move_seconds=5.0, settings={"rounds": 400}),
    presets=(
        TournamentPreset(
            code="golden_evening",
            name=_("Golden-point evening"),
            text=_("One table, five matches, 70 minutes."),
            picture="golden_point/converging_numbers.html",
            format="table",
            fields={"repeats": 5, "seats": 0, "pace_seconds": 4, "parallel": 1},
            settings={"rounds": 200},
            start="hand",
        ),
    ),
    turns=TurnWords(
        name=_("Round"),
        position=_("Round %(turn)s of %(turns)s"),
        count=ngettext_lazy("%(n)s round", "%(n)s rounds", "n"),
        at=ngettext_lazy("in round %(turns)s", "in rounds %(turns)s", "n"),
        start=_("before the first round"),
        within=_("in one round"),
        move=pgettext_lazy("golden point", "Move"),
        moves=pgettext_lazy("golden point", "Moves"),
    ),
    wide=True,
    boards=1,
    closeness=_closeness,
    picture=picture,
    seat_swatches=True,
    scores=_scores,
    overview=GoldenOverview,
    menu=(MenuEntry("room-list", _("Rooms")),),
    played_at="room-list",
    dialects=(
        ScriptDialect(
            name="golden-lines",
            site=_("Golden-point course"),
            reads=_(
                "T and S, then T lines of S numbers, all separated by tabs; each line has the golden "
                "number of a round, then everyone's numbers, with 0 if nothing was submitted"
            ),
            prints=_("two numbers separated by a tab"),
            runs=_("for every round"),
            example="golden_lines",
            example_title=_("A script for a golden-point room"),
        ),
    ),
    answers=(
        AnswerExample("(11.2, 12.5)", _("a pair, because state.numbers is 2")),
        AnswerExample("[11.2] * state.numbers", _("the same number, repeated as many times as the match requires")),
        AnswerExample("numpy.array([11.2, 12.5])", _("a NumPy array; NumPy numbers are accepted too")),
        AnswerExample("11.2", _("a single number; correct only if state.numbers is 1"), accepted=False),
        AnswerExample("(0, 50)", _("0 and 100 themselves are not allowed"), accepted=False),
        AnswerExample('("11.2", "12.5")', _("text instead of numbers"), accepted=False),
    ),
    learning=LearningEnvironment(
        observation=_(
            "29 numbers: the last eight golden numbers, the range of the numbers in the last round, the number of "
            "players and your score"
        ),
        actions=_("one number or a pair, each between 0 and 100"),
        reward=_("the points of each round"),
        opponent="random_pick",
        q_learner=_(
            "The house bot “Q-learning” uses the same update rule. Its state is how often the golden number rose and "
            "fell in the last ten rounds, and its actions are eight strategies for choosing numbers."
        ),
    ),
    demonstrations=(
        Demonstration(
            name=_("House golden point"),
            description=_("Watch the house bots play at one table until the golden number settles, then beat them."),
            format="table",
            repeats=20,
            settings={"numbers": 2, "rounds": 400},
            move_seconds=5.0,
            pace_seconds=0.4,
        ),
    ),
    apps=(
        "arena.games.golden_point.rooms",
        "arena.games.golden_point.recordings",
        "arena.games.golden_point.analysis",
    ),
    urls=(
        "arena.games.golden_point.rooms.urls",
        "arena.games.golden_point.recordings.urls",
        "arena.games.golden_point.analysis.urls",
    ),
    service="arena.games.golden_point.rooms.process.RoomsProcess",
    frames={"room": "arena.games.golden_point.rooms.views.live.embeddable_room"},
    transcribe="arena.games.golden_point.transcript.transcribe",
    periodic={
        "rooms": PeriodicTask("arena.games.golden_point.rooms.tasks.sweep", seconds=2.0),
        "old-rounds": PeriodicTask("arena.games.golden_point.rooms.tasks.delete_old_data", seconds=600.0),
        "golden-point-reports": PeriodicTask("arena.games.golden_point.analysis.tasks.sweep"),
    },
)
