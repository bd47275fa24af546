"""Suit Pairs on the site: names, settings, matches with people, a download and the demonstration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from arena.core.duration_estimate import PlayedMatch
from arena.games.base import Json
from arena.games.closeness import closeness
from arena.games.site import (
    AnswerExample,
    Demonstration,
    Export,
    GameSite,
    HumanPlay,
    LearningEnvironment,
    PeriodicTask,
    PersonMove,
    SettingText,
    TournamentDefaults,
    TurnWords,
)
from arena.games.suit_pairs.cards import CARDS, RANK_NAMES, RANKS, find_card
from arena.games.suit_pairs.deal import HAND, TABLE
from arena.games.suit_pairs.notation import moves_text
from arena.games.suit_pairs.picture import picture

_DECISIVE: Final = 20.0  # a lead in points that is hardly ever lost
_DECK: Final = CARDS - 2 * HAND - TABLE  # cards in the deck at the start of a deal
SYMBOLS: Final = "♣♦♥♠"
STAGES: Final[Mapping[str, str | Promise]] = {
    "swap": pgettext_lazy("card game", "Swap"),
    "capture": pgettext_lazy("card game", "Capture"),
    "discard_1": pgettext_lazy("card game", "Discard"),
    "discard_2": pgettext_lazy("card game", "Discard"),
    "pair": pgettext_lazy("card game", "Pair"),
}


def card_label(card: int) -> str:
    """Return the label of a card, such as "10♥"."""
    return RANK_NAMES[card % RANKS] + SYMBOLS[card // RANKS]


def _action_label(action: Json) -> str | Promise:
    card = find_card(action)
    return STAGES[action] if card is None else card_label(card)


def _legal_moves(view: Mapping[str, Json], seat: int) -> Sequence[PersonMove]:
    """Return the cards and stages that a seat may choose."""
    return (
        [PersonMove(action, _action_label(action)) for action in view["legal"] or ()] if view["to_move"] == seat else ()
    )


def _total_points(view: Mapping[str, Json]) -> Sequence[int]:
    """Return the points in all deals so far, by seat."""
    return [sum(points) for points in zip(*view["over"], view["points"], strict=True)]


def _closeness(view: Mapping[str, Json]) -> float:
    progress = (view["deal"] - view["deck"] / _DECK) / view["deals"]
    return closeness(_total_points(view), decisive=_DECISIVE, progress=progress)


class DealOverview:
    """The overview of a long match, which contains the first decision of every deal."""

    def __init__(self) -> None:
        self._begin: list[int] = []

    def add(self, turn: Mapping[str, Json]) -> None:
        if turn["view"]["deal"] > len(self._begin):
            self._begin.append(turn["number"])

    def to_json(self) -> Json:
        """Return ``deals``: the number of the first decision in each deal."""
        return {"deals": self._begin}


SITE: Final = GameSite(
    name=_("Suit Pairs"),
    turns=TurnWords(  # in the rules, a turn is a player's turn, which takes several decisions
        name=_("Decision"),
        position=_("Decision %(turn)s of %(turns)s"),
        count=ngettext_lazy("%(n)s decision", "%(n)s decisions", "n"),
        at=ngettext_lazy("at decision %(turns)s", "at decisions %(turns)s", "n"),
        start=_("before the first decision"),
        within=_("for one decision"),
    ),
    counts=_total_points,
    margin_text=_(
        "The sum of the margins in points (not a FIDE tiebreak): losing margins are subtracted, and a win by forfeit "
        "counts as 200 points for each deal, including mirrored deals."
    ),
    closeness=_closeness,
    picture=picture,
    embed_height=768,
    bosses=("random_action", "level1", "level2", "greedy", "level3", "level4", "level5"),
    apps=("arena.games.suit_pairs.policy",),
    transcribe="arena.games.suit_pairs.policy.transcript.transcribe",
    overview=DealOverview,
    settings={
        "deals": SettingText(_("Deals per match"), _("The number of times the deck is shuffled.")),
        "mirrored": SettingText(
            _("Mirrored deals"),
            choices={1: _("Every deal twice, with the seats swapped"), 0: _("Every deal once")},
        ),
    },
    # the mean of 14 pairs of house bots
    typical_match=PlayedMatch(turns=530, max_turns=920, seats=2, seconds=3.0),
    tournament=TournamentDefaults(move_seconds=5.0),
    people=HumanPlay(
        seats=(_("You move first"), _("The bot moves first")),
        settings={"deals": 1, "mirrored": 0},
        moves=_legal_moves,
        adviser="greedy_rank",
        no_take_back=_("Moves cannot be taken back: a move may reveal a hidden card."),
    ),
    move_label=_action_label,
    answers=(
        AnswerExample("state.legal[0]", _("one of the legal actions")),
        AnswerExample('"10H"', _("a card by name")),
        AnswerExample("35", _("the same card by number, from 0 to 57 as in state.mask")),
        AnswerExample("state.table[6]", _("a card from one of the lists in the state")),
        AnswerExample('"4S"', _("a card of another suit, which cannot be paired with state.pending"), accepted=False),
        AnswerExample('"pair"', _("a stage, but only if state.stage is “init”"), accepted=False),
        AnswerExample('"10♥"', _("a suit as a symbol instead of C, D, H or S"), accepted=False),
    ),
    learning=LearningEnvironment(
        observation=_("384 numbers: state.vector, as described in the guide"),
        actions=_("58 actions: 52 cards and 6 stages"),
        reward=_("a tenth of the change in your lead since your last decision, in points"),
        opponent="random_action",
        compiled=_(
            "After training on 3.3 million decisions, which takes less than ten minutes on a laptop, the bot wins "
            "half of its mirrored deals against the house bot Greedy."
        ),
        rival="greedy",
    ),
    periodic={"policy-judgements": PeriodicTask("arena.games.suit_pairs.policy.tasks.sweep")},
    exports=(Export("moves.txt", _("As a list"), moves_text),),
    demonstrations=(
        Demonstration(
            name=_("House Suit Pairs"),
            description=_("A round robin of the house bots at the card table. Watch them, then beat them."),
            format="double_round_robin",
            repeats=3,
            settings={"deals": 1},
            move_seconds=5.0,
            pace_seconds=0.7,
        ),
    ),
)
