"""Suit Pairs rules: whole matches, a short deal for every rule, and what must stay hidden."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from arena.core.referee.events import MatchStarted, SeatMove, TurnPlayed
from arena.games.base import Audience, IllegalMove, SettingsError, Termination
from arena.games.suit_pairs.cards import (
    CARDS,
    FULL_DECK,
    MAX_POINTS,
    NAMES,
    SUIT_SETS,
    card_set,
    card_suit,
    cards_in,
    completing_cards,
    find_card,
    pile_points,
)
from arena.games.suit_pairs.conditions import pairable_cards
from arena.games.suit_pairs.deal import (
    Deal,
    DecisionStage,
    deal_cards,
)
from arena.games.suit_pairs.match import State
from arena.games.suit_pairs.rules import GAME, NOT_TO_MOVE
from arena.games.suit_pairs.stages import ACTIONS, ENTER, STAGES, actions_in, legal_actions, play
from tests.games.suit_pairs.secret_deals import RandomMatch, find_indistinguishable_matches


def cards(names: str) -> tuple[int, ...]:
    """Return the cards that a string such as "AC 10H" names."""
    found = tuple(find_card(name) for name in names.split())
    assert None not in found
    return found  # type: ignore[return-value]


def create_deal(
    first: str, second: str, table: str, deck: str = "", *, stage: DecisionStage = DecisionStage.INIT, **more: Any
) -> Deal:
    """Return a deal in which all cards except the given ones are out of play."""
    hands = card_set(cards(first)), card_set(cards(second))
    on_table = card_set(cards(table))
    face_down = cards(deck)
    discards = FULL_DECK & ~(hands[0] | hands[1] | on_table | card_set(face_down))
    piles = more.get("piles", (0, 0))
    return Deal(face_down, hands, on_table, discards=discards & ~(piles[0] | piles[1]), stage=stage, **more)


def play_actions(deal: Deal, *actions: DecisionStage | str) -> Deal:
    """Play stages and cards in order."""
    for action in actions:
        deal = play(deal, ENTER + action if isinstance(action, DecisionStage) else cards(action)[0])
    return deal


def available_stages(deal: Deal) -> set[DecisionStage]:
    return {DecisionStage(action - ENTER) for action in actions_in(legal_actions(deal)) if action >= ENTER}


def card_names(found: int) -> set[str]:
    return {NAMES[card] for card in cards_in(found)}


def test_card_number_is_thirteen_times_suit_plus_rank() -> None:
    assert (NAMES[0], NAMES[12], NAMES[13], NAMES[51]) == ("AC", "KC", "AD", "KS")
    assert find_card("10h") == 26 + 9
    assert find_card("1H") is None


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        ("", 0),
        ("AC 7D 8H 10S JC QD KH", 1 + 1 + 2 + 2 + 3 + 3 + 5),
        ("AC AD", 2),
        ("AC AD AH", 3 + 4),
        ("AC AD AH AS", 4 + 8),
        ("KC KD KH KS QC QD QH", 20 + 8 + 9 + 4),
    ],
)
def test_piles_score_rank_points_and_4_for_third_and_fourth_card(pile: str, points: int) -> None:
    assert pile_points(card_set(cards(pile))) == points


def test_all_cards_together_have_the_maximum_value() -> None:
    assert pile_points(FULL_DECK) == MAX_POINTS == 200


def test_card_that_completes_a_rank_is_found() -> None:
    pile = card_set(cards("AC AD KC"))
    assert card_names(completing_cards(pile, card_set(cards("AH KH 5C")))) == {"AH"}


def test_deal_gives_ten_cards_to_each_hand_and_the_table() -> None:
    deal = deal_cards(list(range(CARDS)))
    assert [hand.bit_count() for hand in deal.hands] == [10, 10]
    assert (deal.table.bit_count(), deal.cards_left, deal.deck[0]) == (10, 22, 30)
    for wrong in (list(range(51)), [0] * 52):
        with pytest.raises(ValueError, match="52 cards"):
            deal_cards(wrong)


def test_pair_moves_to_the_pile_and_the_table_is_refilled() -> None:
    deal = create_deal("5C 6D", "7S 8S", "KC QC", "2H 3H 4H", swapped=(True, True), captured=(True, True))
    assert available_stages(deal) == {DecisionStage.PAIR}
    deal = play_actions(deal, DecisionStage.PAIR)
    assert card_names(legal_actions(deal)) == {"5C"}
    deal = play_actions(deal, "5C")
    assert card_names(legal_actions(deal)) == {"KC", "QC"}
    assert deal.hands[0] == card_set(cards("5C 6D")), "a first card still counts for the hand"
    deal = play_actions(deal, "KC")
    assert card_names(deal.piles[0]) == {"5C", "KC"}
    assert card_names(deal.table) == {"QC", "2H", "3H", "4H"}
    assert (deal.player, deal.stage, deal.turn, deal.cards_left) == (1, DecisionStage.INIT, 2, 0)


def test_table_is_refilled_to_at_most_ten() -> None:
    deal = deal_cards(list(range(CARDS)))
    deal = play_actions(
        create_deal("AC", "2C", " ".join(NAMES[card] for card in range(2, 12)), "KD QD JD"),
        DecisionStage.PAIR,
        "AC",
        "3C",
    )
    assert (deal.table.bit_count(), deal.cards_left) == (10, 2)


def test_legal_stages_match_the_rules_table() -> None:
    rng = random.Random(6)
    for _ in range(20):
        order = list(range(CARDS))
        rng.shuffle(order)
        deal = deal_cards(order)
        while deal.player is not None:
            open_stages = [row.stage for row in STAGES if row.is_open(deal)]
            assert len(open_stages) == len(set(open_stages))
            if deal.stage is DecisionStage.INIT:
                assert available_stages(deal) == set(open_stages)
            else:
                assert deal.stage in open_stages
            deal = play(deal, rng.choice(actions_in(legal_actions(deal))))


def test_third_discard_without_a_pair_ends_the_turn() -> None:
    deal = create_deal("5C 6C", "7C", "KD QD", "2C 3D 4C AD 8D", swapped=(True, True), captured=(True, True))
    assert available_stages(deal) == {DecisionStage.DISCARD_1}
    deal = play_actions(deal, DecisionStage.DISCARD_1, "5C")
    assert card_names(deal.hands[0]) == {"6C", "2C"}, "the first drawn card goes to the hand"
    assert "3D" in card_names(deal.table), "the second to the table"
    assert available_stages(deal) == {DecisionStage.DISCARD_2}
    deal = play_actions(deal, DecisionStage.DISCARD_2, "6C")
    assert card_names(deal.hands[0]) == {"2C", "4C"}
    assert available_stages(deal) == {DecisionStage.PAIR}
    deal = play_actions(deal, DecisionStage.PAIR)
    assert card_names(legal_actions(deal)) == {"2C", "4C"}
    deal = play_actions(deal, "4C")
    assert (deal.player, deal.turn, deal.discarded) == (1, 2, 0)
    assert {"5C", "6C", "4C"} <= card_names(deal.discards)
    assert deal.piles[0] == 0


def test_discard_that_makes_a_pair_possible_leads_to_pairing() -> None:
    deal = create_deal("5C 6C", "7C", "KD", "2D 3C", swapped=(True, True), captured=(True, True))
    deal = play_actions(deal, DecisionStage.DISCARD_1, "5C")
    assert available_stages(deal) == {DecisionStage.PAIR}
    assert card_names(legal_actions(play_actions(deal, DecisionStage.PAIR))) == {"6C", "2D"}


def test_last_card_of_the_deck_is_drawn_to_the_hand() -> None:
    deal = create_deal("5C 6C", "7C", "KD", "2C", swapped=(True, True), captured=(True, True))
    deal = play_actions(deal, DecisionStage.DISCARD_1, "5C")
    assert (card_names(deal.hands[0]), card_names(deal.table), deal.cards_left) == ({"6C", "2C"}, {"KD"}, 0)
    assert available_stages(deal) == {DecisionStage.PAIR}, "with an empty deck the second drawing discard is skipped"


def test_one_discard_ends_the_turn_if_the_deck_is_empty() -> None:
    deal = create_deal("5C 6C", "7C", "KD", swapped=(False, False), captured=(True, True))
    assert available_stages(deal) == {DecisionStage.PAIR}, "no swap with an empty deck either"
    deal = play_actions(deal, DecisionStage.PAIR, "6C")
    assert (deal.player, card_names(deal.hands[0])) == (1, {"5C"})
    assert "6C" in card_names(deal.discards)


def test_swap_puts_a_card_on_the_table_and_draws_one_card_once() -> None:
    deal = create_deal("5C 6C", "7C", "KD", "2D 3D", captured=(True, True))
    assert available_stages(deal) == {DecisionStage.SWAP, DecisionStage.DISCARD_1}
    deal = play_actions(deal, DecisionStage.SWAP)
    assert card_names(legal_actions(deal)) == {"5C", "6C"}
    deal = play_actions(deal, "5C")
    assert (card_names(deal.hands[0]), card_names(deal.table)) == ({"6C", "2D"}, {"KD", "5C"})
    assert (deal.swapped, deal.player, deal.stage) == ((True, False), 0, DecisionStage.INIT)
    assert available_stages(deal) == {DecisionStage.PAIR}


def test_capture_takes_two_cards_of_any_suit_and_draws_one_card_once() -> None:
    deal = create_deal("5C 6D 7H", "7C", "KS", "2D 3D", swapped=(True, True))
    assert available_stages(deal) == {DecisionStage.CAPTURE, DecisionStage.DISCARD_1}
    deal = play_actions(deal, DecisionStage.CAPTURE, "5C")
    assert card_names(legal_actions(deal)) == {"6D", "7H"}
    deal = play_actions(deal, "7H")
    assert (card_names(deal.piles[0]), card_names(deal.hands[0])) == ({"5C", "7H"}, {"6D", "2D"})
    assert (deal.captured, deal.stage, deal.cards_left) == ((True, False), DecisionStage.INIT, 1)


def test_swap_and_capture_can_both_precede_pairing() -> None:
    deal = create_deal("5C 6D 7H", "7C", "KC", "2D 3D 4D")
    assert available_stages(deal) == {DecisionStage.SWAP, DecisionStage.CAPTURE, DecisionStage.PAIR}
    deal = play_actions(deal, DecisionStage.SWAP, "7H", DecisionStage.CAPTURE, "6D", "2D")
    assert available_stages(deal) == {DecisionStage.PAIR}


def test_capture_needs_two_cards_and_an_empty_hand_ends_the_turn() -> None:
    assert DecisionStage.CAPTURE not in available_stages(create_deal("5C", "7C", "KC", "2D"))
    deal = play_actions(create_deal("5C 6D", "7C", "KS"), DecisionStage.CAPTURE, "5C", "6D")
    assert (deal.player, deal.turn, deal.hands[0]) == (1, 2, 0)


def test_empty_hand_is_skipped_and_two_end_the_deal() -> None:
    deal = play_actions(create_deal("5C", "7D 8D", "KC QD JD"), DecisionStage.PAIR, "5C", "KC")
    assert deal.player == 1
    deal = play_actions(deal, DecisionStage.PAIR, "7D", "QD")
    assert deal.player == 1, "the first player has no cards left"
    deal = play_actions(deal, DecisionStage.PAIR, "8D", "JD")
    assert (deal.player, legal_actions(deal), deal.hands) == (None, 0, (0, 0))


def test_swap_on_full_table_makes_eleven_cards_and_delays_the_refill() -> None:
    full = " ".join(NAMES[card] for card in range(2, 12))
    deal = play_actions(create_deal("AC 9D", "2C", full, "KD QD JD"), DecisionStage.SWAP, "9D")
    assert (deal.table.bit_count(), deal.cards_left) == (11, 2)
    deal = play_actions(deal, DecisionStage.PAIR, "AC", "3C")
    assert (deal.table.bit_count(), deal.cards_left, deal.player) == (10, 2, 1)


def test_capture_with_an_empty_deck_draws_nothing() -> None:
    deal = play_actions(create_deal("5C 6D 7H", "7C", "KC"), DecisionStage.CAPTURE, "6D", "7H")
    assert (card_names(deal.hands[0]), card_names(deal.piles[0])) == ({"5C"}, {"6D", "7H"})
    assert available_stages(deal) == {DecisionStage.PAIR}, (
        "one card is too few for a capture, and there is nothing to swap for"
    )


def test_capture_with_the_last_two_cards_draws_and_continues_the_turn() -> None:
    deal = play_actions(create_deal("5C 6D", "7C", "KC", "2C 3D"), DecisionStage.CAPTURE, "5C", "6D")
    assert (card_names(deal.hands[0]), deal.player, deal.cards_left) == ({"2C"}, 0, 1)


def test_discarding_the_last_card_with_empty_deck_ends_turn_and_deal() -> None:
    deal = play_actions(create_deal("5C", "", "KD"), DecisionStage.PAIR, "5C")
    assert (deal.player, deal.hands, card_names(deal.table)) == (None, (0, 0), {"KD"})


def test_function_cards_can_be_played_between_discards() -> None:
    deal = create_deal("5C 6C 9H", "7C", "KD", "2S 3D 4H 5H 6H 7H", captured=(True, True))
    deal = play_actions(deal, DecisionStage.DISCARD_1, "5C")
    assert available_stages(deal) == {DecisionStage.SWAP, DecisionStage.DISCARD_2}
    deal = play_actions(deal, DecisionStage.SWAP, "6C")
    assert (deal.discarded, card_names(deal.hands[0]), available_stages(deal)) == (
        1,
        {"9H", "2S", "4H"},
        {DecisionStage.DISCARD_2},
    )
    deal = play_actions(deal, DecisionStage.DISCARD_2, "2S")
    assert available_stages(deal) == {DecisionStage.PAIR}
    assert card_names(legal_actions(play_actions(deal, DecisionStage.PAIR))) == {"9H", "4H", "5H"}


def test_illegal_actions_are_rejected_by_the_deal() -> None:
    deal = create_deal("5C", "7D", "KC")
    for action in (-1, 0, ENTER + DecisionStage.INIT, ENTER + DecisionStage.SWAP, ACTIONS, 10**6):
        with pytest.raises(ValueError, match="action"):
            play(deal, action)


# --- matches --------------------------------------------------------------------------------------


def start(deals: int = 1, seed: int = 3) -> State:
    return GAME.initial(GAME.settings({"deals": deals}), 2, random.Random(seed))


def play_random_action(state: State, rng: random.Random) -> State:
    assert state.to_move is not None
    return GAME.apply(state, {state.to_move: rng.choice(actions_in(legal_actions(state.deal)))})


def test_each_deck_is_played_twice_with_seats_swapped() -> None:
    state, rng = start(deals=2), random.Random(1)
    deal_starts: list[State] = [state]
    while state.to_move is not None:
        number = state.number
        state = play_random_action(state, rng)
        if state.number != number:
            deal_starts.append(state)
    assert [one.number for one in deal_starts] == [1, 2, 3, 4]
    assert deal_starts[0].deal.hands == deal_starts[1].deal.hands
    assert deal_starts[0].deal.deck == deal_starts[1].deal.deck
    assert deal_starts[0].deal.hands != deal_starts[2].deal.hands
    assert [one.to_move for one in deal_starts] == [0, 1, 0, 1]


def test_points_come_from_the_total_over_all_deals() -> None:
    state, rng = start(deals=2, seed=9), random.Random(4)
    by_seat = [0, 0]
    while state.to_move is not None:
        before, number = state, state.number
        state = play_random_action(state, rng)
        if state.number != number:
            by_seat = [sum(deal[seat] for deal in state.over) for seat in (0, 1)]
            assert len(state.over) == len(before.over) + 1
    final = [by_seat[seat] + state.deal.points[state.seat_of(seat)] for seat in (0, 1)]
    outcome = GAME.outcome(state)
    assert outcome is not None
    difference = final[0] - final[1]
    assert outcome.margins == (float(difference), float(-difference))
    assert outcome.points == ((1.0, 0.0) if difference > 0 else (0.0, 1.0) if difference < 0 else (0.5, 0.5))


def test_fault_loses_by_the_maximum_margin() -> None:
    outcome = GAME.outcome(GAME.apply(start(), {}, frozenset({0})))
    assert outcome is not None
    assert (outcome.winner, outcome.termination, outcome.margins) == (1, Termination.FORFEIT, (-400.0, 400.0))


@pytest.mark.parametrize("answer", [None, True, 58, -1, 1.5, "1H", "", [3], {}, 10**30, "\x00"])
def test_invalid_answers_are_rejected(answer: Any) -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.parse(start(), 0, answer)
    assert refused.value.message.code == "suit_pairs.no_action"


def test_cards_and_stages_have_names() -> None:
    state = start()
    assert GAME.parse(state, 0, "swap") == ENTER + DecisionStage.SWAP
    with pytest.raises(IllegalMove, match=r"legal actions: .*swap"):
        GAME.parse(state, 0, "KS")


@pytest.mark.parametrize("raw", [{"deals": 0}, {"deals": 51}, {"deals": 1.0}, {"games": 1}])
def test_settings_out_of_bounds_are_rejected(raw: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        GAME.settings(raw)


def test_move_out_of_turn_is_rejected_without_hidden_information() -> None:
    state = start()
    with pytest.raises(IllegalMove) as refused:
        GAME.parse(state, 1 - (state.to_move or 0), "KS")
    assert refused.value.message == NOT_TO_MOVE(), "it names no card"


def test_unmirrored_deals_differ_and_players_alternate_the_first_turn() -> None:
    state, rng = GAME.initial(GAME.settings({"deals": 2, "mirrored": 0}), 2, random.Random(3)), random.Random(1)
    deal_starts = [state]
    while state.to_move is not None:
        state = play_random_action(state, rng)
        if state.number != deal_starts[-1].number:
            deal_starts.append(state)
    assert [one.number for one in deal_starts] == [1, 2]
    assert deal_starts[0].deal.hands != deal_starts[1].deal.hands
    assert [one.seat_of(0) for one in deal_starts] == [0, 1]


def test_every_recorded_action_has_a_name_that_reads_back_equal() -> None:
    for action in range(ACTIONS):
        assert GAME.decode(GAME.encode(action)) == action
    for wrong in (5, None, "5x", "pass", ["pair"], "PAIR"):
        with pytest.raises(ValueError, match="not a"):
            GAME.decode(wrong)


def test_only_possible_stage_is_entered_without_a_request() -> None:
    rng = random.Random(6)
    state, entered = start(), 0
    while state.to_move is not None:
        legal = actions_in(legal_actions(state.deal))
        assert state.deal.stage is not DecisionStage.INIT or len(legal) > 1
        state = play_random_action(state, rng)
        entered += sum(decision.forced for decision in state.decisions)
        assert all(decision.stage is DecisionStage.INIT for decision in state.decisions if decision.forced)
    assert entered


# --- hidden information -------------------------------------------------------------------------------


def sent_data(played: RandomMatch, viewer: int | Audience) -> list[str]:
    """Return everything that the rules and the referee's events send to a viewer, state by state."""
    sent: list[list[Any]] = [[MatchStarted(GAME, played.states[0]).to_json(viewer)]]
    for number, (action, before, after) in enumerate(
        zip(played.actions, played.states[:-1], played.states[1:], strict=True), start=1
    ):
        assert before.to_move is not None
        move = SeatMove(before.to_move, GAME.encode(action))
        sent.append([TurnPlayed(number, (move,), GAME, before, after).to_json(viewer)])
    for state, found in zip(played.states, sent, strict=True):
        found += [GAME.outcome(state), GAME.to_move(state), GAME.shared(state)]
        if isinstance(viewer, int):
            found.append(GAME.own(state, viewer))
            found.append([refusal_text(state, viewer, answer) for answer in ("KS", 0, "pass", None)])
    return [json.dumps(found, allow_nan=False) for found in sent]


def refusal_text(state: State, seat: int, answer: Any) -> str:
    try:
        return str(GAME.parse(state, seat, answer))
    except IllegalMove as illegal:
        return str(illegal)


@pytest.mark.parametrize("viewer", [0, pytest.param(1, marks=pytest.mark.long), Audience.PUBLIC])
def test_deals_that_differ_only_in_hidden_data_look_identical(viewer: int | Audience) -> None:
    """A viewer receives the same data from two matches that differ only in cards hidden from that viewer.

    The matches have random lengths; cards that are hidden at the end of one are exchanged in the other.
    """
    compared, waiting, suits_differ = 0, 0, 0
    for seed in range(60):
        found = find_indistinguishable_matches(seed, viewer, decisions=random.Random(seed).randrange(1, 60))
        if found is None:
            continue
        assert sent_data(found.one, viewer) == sent_data(found.other, viewer)
        assert sent_data(found.one, Audience.EVERYBODY) != sent_data(found.other, Audience.EVERYBODY)
        compared += len(found.one.states)
        waiting += found.one.actions != found.other.actions
        suits_differ += any(
            card_suit(a) != card_suit(b) for a, b in zip(found.one.order, found.other.order, strict=True)
        )
    assert compared > 600
    assert waiting, "matches that end while a card that only its player knows waits for another"
    assert suits_differ > 10


def test_first_chosen_card_is_hidden_until_the_second_is_chosen() -> None:
    state, rng, hidden = start(seed=5), random.Random(5), 0
    while state.to_move is not None:
        seat = state.to_move
        action = rng.choice(actions_in(legal_actions(state.deal)))
        after = GAME.apply(state, {seat: action})
        encoded = GAME.encode(action)
        shown = GAME.shown_move(state, seat, encoded, Audience.PUBLIC)
        if after.deal.pending is not None:
            hidden += 1
            assert shown is None
            assert GAME.shown_move(state, seat, encoded, seat) == encoded
            assert GAME.view(after, Audience.PUBLIC)["decisions"][0]["action"] is None
            assert GAME.view(after, 1 - seat)["pending"] == [None, None]
        else:
            assert shown == encoded
        state = after
    assert hidden > 5


def test_everything_is_revealed_after_the_end() -> None:
    state = start()
    view = GAME.view(state, Audience.EVERYBODY)
    assert [len(hand) for hand in view["hands"]] == [10, 10]
    assert GAME.view(state, Audience.PUBLIC)["hands"] == [None, None]
    assert pairable_cards(card_set(cards("5C")), SUIT_SETS[0] & ~card_set(cards("5C")))
