def get_move(state):
    return state.legal[-1]
