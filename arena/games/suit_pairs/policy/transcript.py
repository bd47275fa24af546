"""Describe a recorded match of Suit Pairs for the dataset: actions, deals, and the learned policy's choices."""

from __future__ import annotations

from typing import Final

from arena.core.referee.record import Record
from arena.core.referee.replay import Replay
from arena.games.suit_pairs.cards import NAMES, cards_in
from arena.games.suit_pairs.match import State
from arena.games.suit_pairs.policy.judgement import JudgedDecision, judge
from arena.games.suit_pairs.policy.network import shipped_network
from arena.games.suit_pairs.rules import GAME
from arena.games.transcript import MoveNote, Transcript

SOURCE: Final = "learned policy"


def transcribe(match_id: int, record: Record) -> Transcript:
    """Describe the match. If there are no weights, list only actions and deals.

    A note's ``value`` is the lead that the policy expected for the seat before its move. A deal in ``chance`` is
    described as "deal", followed by the hands of seats 0 and 1, the table, and the deck, top first.
    """
    network = shipped_network()
    judged = {one.turn: one for one in judge(record, network).decisions} if network else {}
    match = Replay.from_record(record, {GAME.name: GAME})
    chance = {0: _deal(match.state)}
    moves = {}
    for turn in record.turns:
        number = match.state.number
        match.play(turn)
        if match.state.number != number:
            chance[turn.number] = _deal(match.state)
        for move in turn.moves:
            if move.fault is None:
                moves[turn.number, move.seat] = _note(move.move, judged.get(turn.number))
    return Transcript(moves, chance)


def _note(action: str, judged: JudgedDecision | None) -> MoveNote:
    if judged is None:
        return MoveNote(action)
    lead = -judged.lead if judged.seat else judged.lead
    share = dict(judged.chances)[action]
    return MoveNote(action, value=lead, best=judged.best_action, share=share, exact=False, source=SOURCE)


def _deal(state: State) -> str:
    deal = state.deal
    hands = [cards_in(deal.hands[state.seat_of(seat)]) for seat in (0, 1)]
    parts = [*hands, cards_in(deal.table), deal.deck]
    return "deal " + " | ".join(" ".join(NAMES[card] for card in cards) for cards in parts)
