def get_move(state):
    if state.stage == "init":
        return choose_stage(state)
    best = max(state.legal, key=lambda action: value_of(state, action.card))
    print("stage", state.stage, "legal", state.legal, "played", best)
    return best


def choose_stage(state):
    stages = [action.stage for action in state.legal]
    if "swap" in stages:
        return "swap"
    if "capture" in stages and len(state.hand) == 2:
        return "capture"
    return stages[-1]  # "pair" if possible


def value_of(state, card):
    """Return how much you want to choose this card."""
    if state.stage == "capture":
        return card.points
    if state.pending is not None:  # the second card of a pair
        return state.gain(state.pending, card)
    partners = state.partners(card)
    if state.stage == "pair" and partners:
        return max(state.gain(card, other) for other in partners)
    return -card.points  # a swap or a discard: the cheapest card
