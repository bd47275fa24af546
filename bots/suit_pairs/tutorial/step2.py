def get_move(state):
    if state.stage == "init":
        return state.legal[-1]  # enter a stage: "pair" if possible
    best = max(state.legal, key=lambda action: value_of(state, action.card))
    print("stage", state.stage, "legal", state.legal, "played", best)
    return best


def value_of(state, card):
    """Return how much you want to choose this card."""
    if state.pending is not None:  # the second card of a pair
        return state.gain(state.pending, card)
    partners = state.partners(card)
    if state.stage == "pair" and partners:
        return max(state.gain(card, other) for other in partners)
    return -card.points  # a discard: the cheapest card
