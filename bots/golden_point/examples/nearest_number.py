"""The number that was nearest to the golden number in the last round."""


def get_move(state):
    if not state.golden:
        return [19] * state.numbers
    golden = state.golden[-1]
    played = [number for numbers in state.history[-1] if numbers for number in numbers]
    nearest = min(played, key=lambda number: abs(number - golden))
    print("round", state.round, "golden", golden, "nearest", nearest)
    return [nearest] * state.numbers
