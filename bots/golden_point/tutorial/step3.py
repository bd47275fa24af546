MEMORY = 10  # how many rounds to look back


def get_move(state):
    recent = state.golden[-MEMORY:]
    guess = sum(recent) / len(recent) if recent else 30
    print("round", state.round, "guess", guess, "score", state.score)
    return [guess] * state.numbers
