"""Suit Pairs as a match: mirrored deals, hidden hands, one decision a turn.

Each order of the deck is played twice, the second time with the seats exchanged; the orders follow from a seed in the
state. Points are those of Reversi (1, 0.5, 0), from the total over all deals; the margin is the difference.

Where only one stage can be entered the rules enter it: that this is so can be seen by everybody. A card is always asked
for, even where only one is legal, because not asking would tell something about the hand.

A hand is its player's alone, and so is the first of two cards until the second is chosen; the deck is nobody's.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

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
from arena.games.suit_pairs.cards import CARDS, MOST_POINTS, NAMES, card_named, cards_in
from arena.games.suit_pairs.deal import ACTIONS, ENTER, Deal, Stage, actions_in, deal_cards, legal_actions, play

SEATS: Final = 2
_DEFAULT_DEALS: Final = 5
# A turn takes twelve decisions at most (two function cards, two discards, a pair), and a deal fewer turns than cards.
_MOST_DECISIONS: Final = 12 * CARDS
ENTRY_NAMES: Final = {"swap": Stage.SWAP, "capture": Stage.CAPTURE, "pair": Stage.PAIR}


@dataclass(frozen=True, slots=True)
class Settings:
    """``deals``: orders of the deck, each played twice."""

    deals: int = _DEFAULT_DEALS


@dataclass(frozen=True, slots=True)
class Decision:
    """One action of a seat; ``forced`` where the rules entered the only stage, ``first_of_two`` where one waits."""

    number: int  # of the deal, from 1
    seat: int
    stage: Stage
    action: int
    forced: bool
    first_of_two: bool


@dataclass(frozen=True, slots=True)
class State:
    """Between two decisions. ``number`` of the deal from 1; ``totals``: points of the deals before, by seat.

    ``decisions``: those that led here since the last state, oldest first.
    """

    settings: Settings
    seed: int
    deal: Deal
    number: int = 1
    totals: tuple[int, int] = (0, 0)
    decisions: tuple[Decision, ...] = ()
    out: frozenset[int] = frozenset()

    @property
    def to_move(self) -> int | None:
        """The seat that decides; None where the match is over."""
        return None if self.deal.player is None or self.out else self.seat_of(self.deal.player)

    def seat_of(self, player: int) -> int:
        """Who plays as player 0, who begins, or 1; the seats are exchanged in each second deal."""
        return player if self.number % 2 else 1 - player

    @property
    def points(self) -> tuple[int, int]:
        """Of all deals with the running one, by seat."""
        mine = self.deal.points
        return self.totals[0] + mine[self.seat_of(0)], self.totals[1] + mine[self.seat_of(1)]


class SuitPairs(Game[State, int, Settings]):
    """The rules of play. A move is an action of ``deal``: 0 to 51 a card, 52 to 57 a stage."""

    name = "suit_pairs"
    min_seats = SEATS
    max_seats = SEATS
    hides = True
    schema = (IntegerSetting("deals", _DEFAULT_DEALS, 1, 50),)
    trial = Trial({"deals": 1}, SEATS, "random_action")

    def settings(self, raw: Mapping[str, Json]) -> Settings:
        return Settings(**read_settings("Suit Pairs", self.schema, raw))

    def settings_json(self, settings: Settings) -> dict[str, Json]:
        return {"deals": settings.deals}

    def initial(self, settings: Settings, seats: int, rng: random.Random) -> State:
        if seats != SEATS:
            raise ValueError(f"Suit Pairs is played by {SEATS} seats, not {seats}.")
        seed = rng.getrandbits(64)
        return _forced(State(settings, seed, _shuffled(seed, 1)))

    def most_turns(self, settings: Settings) -> int:
        return 2 * settings.deals * _MOST_DECISIONS

    def to_move(self, state: State) -> tuple[int, ...]:
        return () if state.to_move is None else (state.to_move,)

    def shared(self, state: State) -> Json:
        return _public(state)

    def own(self, state: State, seat: int) -> Json:
        legal = actions_in(legal_actions(state.deal)) if seat == state.to_move else ()
        return {"seat": seat, "hand": _hand(state, seat), "pending": _pending(state, seat), "legal": legal}

    def parse(self, state: State, seat: int, answer: Json) -> int:
        action = _action(state.deal, answer)
        legal = legal_actions(state.deal)
        if seat != state.to_move or not legal >> action & 1:
            names = ", ".join(action_name(one) for one in actions_in(legal))
            raise IllegalMove(f"{action_name(action)} is not legal here; legal are {names}")
        return action

    def apply(self, state: State, moves: Mapping[int, int], out: frozenset[int] = frozenset()) -> State:
        if out:
            return replace(state, decisions=(), out=state.out | out)
        (seat, action), *others = moves.items()
        if others or seat != state.to_move:
            raise ValueError(f"Seat {state.to_move} is to move, not {sorted(moves)}.")
        return _forced(_decided(replace(state, decisions=()), action, forced=False))

    def outcome(self, state: State) -> Outcome | None:
        if state.to_move is not None:
            return None
        if state.out:
            return _forfeit(state)
        first, second = state.points
        if first == second:
            return Outcome((0.5, 0.5), (1, 1), (0.0, 0.0), Termination.COMPLETED)
        return _won(0 if first > second else 1, abs(first - second), Termination.COMPLETED)

    def view(self, state: State, viewer: Viewer) -> dict[str, Json]:
        """``hands`` and ``pending`` by seat, None where the viewer may not see them."""
        return {
            **_public(state),
            "hands": [_hand(state, seat) if _sees(viewer, seat) else None for seat in range(SEATS)],
            "pending": [_pending(state, seat) if _sees(viewer, seat) else None for seat in range(SEATS)],
            "decisions": [_decision_json(state, one, viewer) for one in state.decisions],
        }

    def shown_move(self, state: State, seat: int, move: Json, viewer: Viewer) -> Json:
        return None if _is_first_of_two(state.deal, move) and not _sees(viewer, seat) else move

    def encode(self, move: int) -> Json:
        return move

    def decode(self, raw: Json) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw < ACTIONS:
            raise ValueError(f"{raw!r} is no action of Suit Pairs.")
        return raw


def action_name(action: int) -> str:
    """A card such as "10H", or the name of the stage that is entered."""
    return NAMES[action] if action < CARDS else Stage(action - ENTER).name.lower()


def _action(deal: Deal, answer: Json) -> int:
    """The action of a number, the name of a card or the name of a stage; raises IllegalMove."""
    if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < ACTIONS:
        return answer
    if isinstance(answer, str):
        card = card_named(answer)
        if card is not None:
            return card
        if answer.lower() == "discard":
            return ENTER + (Stage.DISCARD_2 if deal.discarded else Stage.DISCARD_1)
        if answer.lower() in ENTRY_NAMES:
            return ENTER + ENTRY_NAMES[answer.lower()]
    raise IllegalMove('a move is an action from 0 to 57, a card such as "10H", or "swap", "capture", "discard", "pair"')


def _shuffled(seed: int, number: int) -> Deal:
    """The deal of this number, from 1; two in a row have the same order."""
    order = list(range(CARDS))
    random.Random(f"{seed}/{(number - 1) // 2}").shuffle(order)  # noqa: S311 - a game
    return deal_cards(order)


def _decided(state: State, action: int, *, forced: bool) -> State:
    """One decision, and the next deal where it ended this one."""
    deal, seat = state.deal, state.to_move
    assert seat is not None  # noqa: S101 - somebody decides
    decision = Decision(state.number, seat, deal.stage, action, forced, _is_first_of_two(deal, action))
    after = replace(state, deal=play(deal, action), decisions=(*state.decisions, decision))
    if after.deal.player is not None or after.number == 2 * after.settings.deals:
        return after
    number = after.number + 1
    return replace(after, totals=after.points, number=number, deal=_shuffled(after.seed, number))


def _forced(state: State) -> State:
    """The state after the only stage was entered that can be, if this is so."""
    legal = legal_actions(state.deal)
    if state.to_move is None or state.deal.stage is not Stage.INIT or legal & (legal - 1):
        return state
    return _decided(state, legal.bit_length() - 1, forced=True)


def _is_first_of_two(deal: Deal, action: Json) -> bool:
    """Whether this card waits for another one, and is known to its player alone until then."""
    if deal.pending is not None or deal.stage not in (Stage.CAPTURE, Stage.PAIR):
        return False
    return play(deal, action).pending is not None


def _public(state: State) -> dict[str, Json]:
    """What everybody sees, by seat where it is of one."""
    deal = state.deal
    seats = [state.seat_of(player) for player in range(SEATS)]  # exchanging twice changes nothing: by seat as well
    return {
        "deal": state.number,
        "deals": 2 * state.settings.deals,
        "turn": deal.turn,
        "to_move": state.to_move,
        "stage": deal.stage.name.lower(),
        "table": list(cards_in(deal.table)),
        "piles": [list(cards_in(deal.piles[player])) for player in seats],
        "discards": list(cards_in(deal.discards)),
        "deck": deal.left,
        "hand_sizes": [deal.hands[player].bit_count() for player in seats],
        "swapped": [deal.swapped[player] for player in seats],
        "captured": [deal.captured[player] for player in seats],
        "discarded": deal.discarded,
        "points": [deal.points[player] for player in seats],
        "totals": list(state.totals),
    }


def _hand(state: State, seat: int) -> list[int]:
    return list(cards_in(state.deal.hands[state.seat_of(seat)]))


def _pending(state: State, seat: int) -> int | None:
    return state.deal.pending if seat == state.to_move else None


def _sees(viewer: Viewer, seat: int) -> bool:
    return viewer is Audience.EVERYBODY or viewer == seat


def _decision_json(state: State, decision: Decision, viewer: Viewer) -> dict[str, Json]:
    waits = decision is state.decisions[-1] and decision.first_of_two
    return {
        "deal": decision.number,
        "seat": decision.seat,
        "stage": decision.stage.name.lower(),
        "action": None if waits and not _sees(viewer, decision.seat) else decision.action,
        "forced": decision.forced,
    }


def _forfeit(state: State) -> Outcome:
    most = MOST_POINTS * 2 * state.settings.deals
    if len(state.out) == SEATS:
        return Outcome((0.0, 0.0), (1, 1), (float(-most), float(-most)), Termination.FORFEIT)
    (loser,) = state.out
    return _won(1 - loser, most, Termination.FORFEIT)


def _won(winner: int, margin: int, termination: Termination) -> Outcome:
    points = (1.0, 0.0) if winner == 0 else (0.0, 1.0)
    margins = (float(margin), float(-margin)) if winner == 0 else (float(-margin), float(margin))
    return Outcome(points, (1, 2) if winner == 0 else (2, 1), margins, termination)


GAME: Final = SuitPairs()
