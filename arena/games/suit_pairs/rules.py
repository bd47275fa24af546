"""Suit Pairs as a match: mirrored deals, hidden hands, one decision per request.

Each order of the deck is played twice, the second time with the seats swapped, unless ``mirrored`` is 0; the orders are
derived from a seed in the state. The total over all deals decides: a win is worth 1 and a draw 0.5, and the margin is
the difference between the totals.

If only one stage is open, which is public information, the rules enter it. A card is always requested, even if only one
is legal, because skipping the request would reveal something about the hand.

A hand is visible only to its player, as is the first of two cards until the second is chosen. The deck is hidden from
everybody.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from arena.core.messages import Template, gettext_noop, templates_by_code
from arena.games.base import (
    Audience,
    Game,
    IllegalMove,
    IntegerSetting,
    Json,
    Outcome,
    Termination,
    Trial,
    Viewer,
    read_settings,
)
from arena.games.suit_pairs.cards import CARDS, MAX_POINTS, NAMES, cards_in
from arena.games.suit_pairs.deal import HAND, TABLE, Deal, DecisionStage
from arena.games.suit_pairs.match import (
    DEFAULT_DEALS,
    MAX_DEALS,
    SEATS,
    Decision,
    Settings,
    State,
    apply_decision,
    enter_only_stage,
    initial_state,
)
from arena.games.suit_pairs.stages import ACTIONS, ENTER, actions_in, legal_actions, play
from arena.games.suit_pairs.verdict_messages import VERDICTS

# Maximum per deal. Every turn removes a card from the hands, which never grow, so there are at most 20 turns of 3
# decisions. In addition, each player swaps (2 decisions) and captures (3) once, and discards that draw (2) take the 22
# cards of the deck two at a time.
MAX_DECISIONS: Final = 2 * HAND * 3 + SEATS * (2 + 3) + (CARDS - 2 * HAND - TABLE) // 2 * 2
# Moves in records: a card, such as "10H", or the stage that is entered.
ACTION_NAMES: Final = (*NAMES, *(stage.name.lower() for stage in DecisionStage))
_BY_NAME: Final = {name.lower(): action for action, name in enumerate(ACTION_NAMES)}

NO_ACTION: Final = Template(
    "suit_pairs.no_action",
    gettext_noop(
        'a move must be an action from 0 to 57, a card such as "10H", or one of "swap", "capture", "discard" and "pair"'
    ),
)
NOT_LEGAL: Final = Template(
    "suit_pairs.not_legal", gettext_noop("%(action)s is not legal here; legal actions: %(legal)s"), lists=("legal",)
)
NOT_TO_MOVE: Final = Template("suit_pairs.not_to_move", gettext_noop("it is the other seat's turn"))


class SuitPairs(Game[State, int, Settings]):
    """The rules of play.

    A move is an action of ``deal``: 0 to 51 for a card, 52 to 57 for a stage. It is encoded as its name.
    """

    name = "suit_pairs"
    min_seats = SEATS
    max_seats = SEATS
    hides = True
    messages = templates_by_code(NO_ACTION, NOT_LEGAL, NOT_TO_MOVE, *VERDICTS)
    schema = (
        IntegerSetting("deals", DEFAULT_DEALS, 1, MAX_DEALS),
        IntegerSetting("mirrored", 1, 0, 1, choices=(1, 0)),
    )
    trial = Trial({"deals": 1}, SEATS, "random_action")

    def settings(self, raw: Mapping[str, Json]) -> Settings:
        return Settings(**read_settings("Suit Pairs", self.schema, raw))

    def settings_json(self, settings: Settings) -> dict[str, Json]:
        return {"deals": settings.deals, "mirrored": settings.mirrored}

    def initial(self, settings: Settings, seats: int, rng: random.Random) -> State:
        if seats != SEATS:
            raise ValueError(f"Suit Pairs has {SEATS} seats, not {seats}.")
        seed = rng.getrandbits(64)
        return initial_state(settings, seed)

    def max_turns(self, settings: Settings) -> int:
        return settings.deal_count * MAX_DECISIONS

    def fresh_start(self, before: State, after: State) -> bool:
        """Return whether a new deal has begun; bots are restarted before each deal.

        Without the restart, bots would know the opponent's hand and the deck in the second of two mirrored deals.
        """
        return before.number != after.number

    def max_starts(self, settings: Settings) -> int:
        return settings.deal_count

    def to_move(self, state: State) -> tuple[int, ...]:
        return () if state.to_move is None else (state.to_move,)

    def shared(self, state: State) -> Json:
        return _public_state(state)

    def own(self, state: State, seat: int) -> Json:
        return {
            "seat": seat,
            "hand": _hand_cards(state, seat),
            "pending": _pending_card(state, seat),
            "legal": _legal_actions(state, seat),
        }

    def parse(self, state: State, seat: int, answer: Json) -> int:
        if seat != state.to_move:
            raise IllegalMove(NOT_TO_MOVE())  # legal actions would reveal the other hand
        action = _parse_action(state.deal, answer)
        legal = legal_actions(state.deal)
        if not legal >> action & 1:
            names = tuple(ACTION_NAMES[one] for one in actions_in(legal))
            raise IllegalMove(NOT_LEGAL(action=ACTION_NAMES[action], legal=names))
        return action

    def apply(self, state: State, moves: Mapping[int, int], out: frozenset[int] = frozenset()) -> State:
        if out:
            return replace(state, decisions=(), out=state.out | out)
        (seat, action), *others = moves.items()
        if others or seat != state.to_move:
            raise ValueError(f"Seat {state.to_move} is to move, not {sorted(moves)}.")
        return enter_only_stage(apply_decision(replace(state, decisions=()), action, forced=False))

    def outcome(self, state: State) -> Outcome | None:
        if state.to_move is not None:
            return None
        if state.out:
            return _forfeit_outcome(state)
        first, second = state.points
        if first == second:
            return Outcome((0.5, 0.5), (1, 1), (0.0, 0.0), Termination.COMPLETED)
        return _win_outcome(0 if first > second else 1, abs(first - second), Termination.COMPLETED)

    def view(self, state: State, viewer: Viewer) -> dict[str, Json]:
        """Return the state as ``viewer`` sees it.

        ``hands`` and ``pending`` (by seat) and ``legal`` (of the seat to move) are None if they are hidden from the
        viewer.
        """
        sees_mover = state.to_move is not None and _sees_hand(viewer, state.to_move)
        return {
            **_public_state(state),
            "hands": [_hand_cards(state, seat) if _sees_hand(viewer, seat) else None for seat in range(SEATS)],
            "pending": [_pending_card(state, seat) if _sees_hand(viewer, seat) else None for seat in range(SEATS)],
            "legal": [ACTION_NAMES[action] for action in _legal_actions(state, state.to_move)] if sees_mover else None,
            "decisions": [_decision_json(one, viewer) for one in state.decisions],
        }

    def shown_move(self, state: State, seat: int, move: Json, viewer: Viewer) -> Json:
        return None if _becomes_pending(state.deal, self.decode(move)) and not _sees_hand(viewer, seat) else move

    def encode(self, move: int) -> Json:
        return ACTION_NAMES[move]

    def decode(self, raw: Json) -> int:
        if not isinstance(raw, str) or raw not in ACTION_NAMES:
            raise ValueError(f"{raw!r} is not a Suit Pairs action.")
        return _BY_NAME[raw.lower()]


def _parse_action(deal: Deal, answer: Json) -> int:
    """Parse an action from its number, or from the name of a card or stage; raises IllegalMove."""
    if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < ACTIONS:
        return answer
    if isinstance(answer, str):
        name = answer.lower()
        if name == "discard":
            return ENTER + (DecisionStage.DISCARD_2 if deal.discarded else DecisionStage.DISCARD_1)
        if name in _BY_NAME:
            return _BY_NAME[name]
    raise IllegalMove(NO_ACTION())


def _becomes_pending(deal: Deal, action: int) -> bool:
    """Return whether this card becomes pending, so that only its player sees it until its partner is chosen."""
    return deal.stage in (DecisionStage.CAPTURE, DecisionStage.PAIR) and play(deal, action).pending is not None


def _public_state(state: State) -> dict[str, Json]:
    """Return the public state; per-seat values are lists indexed by seat. ``begins``: the seat that began this deal."""
    deal = state.deal
    seats = [state.seat_of(player) for player in range(SEATS)]  # swapping twice changes nothing
    return {
        "deal": state.number,
        "deals": state.settings.deal_count,
        "begins": state.seat_of(0),
        "turn": deal.turn,
        "to_move": state.to_move,
        "stage": deal.stage.name.lower(),
        "table": list(cards_in(deal.table)),
        "piles": [list(cards_in(deal.piles[player])) for player in seats],
        "discards": list(cards_in(deal.discards)),
        "deck": deal.cards_left,
        "hand_sizes": [deal.hands[player].bit_count() for player in seats],
        "swapped": [deal.swapped[player] for player in seats],
        "captured": [deal.captured[player] for player in seats],
        "discarded": deal.discarded,
        "points": list(state.deal_points),
        "over": [list(points) for points in state.over],
    }


def _hand_cards(state: State, seat: int) -> list[int]:
    return list(cards_in(state.deal.hands[state.seat_of(seat)]))


def _pending_card(state: State, seat: int) -> int | None:
    return state.deal.pending if seat == state.to_move else None


def _legal_actions(state: State, seat: int | None) -> list[int]:
    """Return the legal actions of the seat; an empty list if it is not the seat's turn."""
    return list(actions_in(legal_actions(state.deal))) if seat == state.to_move else []


def _sees_hand(viewer: Viewer, seat: int) -> bool:
    return viewer is Audience.EVERYBODY or viewer == seat


def _decision_json(decision: Decision, viewer: Viewer) -> dict[str, Json]:
    return {
        "deal": decision.number,
        "seat": decision.seat,
        "stage": decision.stage.name.lower(),
        "action": None if decision.waits and not _sees_hand(viewer, decision.seat) else decision.action,
        "first": decision.first,
        "passes": decision.passes,
        "forced": decision.forced,
    }


def _forfeit_outcome(state: State) -> Outcome:
    most = MAX_POINTS * state.settings.deal_count
    if len(state.out) == SEATS:
        return Outcome((0.0, 0.0), (1, 1), (float(-most), float(-most)), Termination.FORFEIT)
    (loser,) = state.out
    return _win_outcome(1 - loser, most, Termination.FORFEIT)


def _win_outcome(winner: int, margin: int, termination: Termination) -> Outcome:
    points = (1.0, 0.0) if winner == 0 else (0.0, 1.0)
    margins = (float(margin), float(-margin)) if winner == 0 else (float(-margin), float(margin))
    return Outcome(points, (1, 2) if winner == 0 else (2, 1), margins, termination)


GAME: Final = SuitPairs()
