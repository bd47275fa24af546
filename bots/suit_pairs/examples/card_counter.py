"""Card counting: a rank is worth more while its other cards can still be taken."""


def get_move(state):
    if state.stage == "init":
        stages = [action.stage for action in state.legal]
        return "pair" if "pair" in stages else stages[-1]
    return max(state.legal, key=lambda action: value_of(state, action.card))


def value_of(state, card):
    if state.stage == "capture":
        return state.gain(card)
    if state.stage != "pair":
        return -hope(state, card)  # the card is given away
    if state.pending is not None:
        return state.gain(state.pending, card) + hope(state, card)
    return max(state.gain(card, other) + hope(state, other) for other in state.partners(card))


def hope(state, card):
    """Return the points that the card may bring: its own, and part of the 4 for a third card of its rank."""
    lost = [*state.opponent_pile, *state.discards]
    gone = sum(other.rank == card.rank for other in lost)
    mine = sum(other.rank == card.rank for other in state.pile)
    return card.points + (4 * (mine + 1) / 3 if gone < 2 else 0)
