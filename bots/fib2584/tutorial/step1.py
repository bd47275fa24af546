def get_move(state):
    return state.legal[0]  # 0 is up, 1 right, 2 down, 3 left
