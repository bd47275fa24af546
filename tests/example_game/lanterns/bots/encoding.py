"""Encode Lanterns for a neural network: the lantern, the candles of all seats and the night; actions are candles."""

CANDLES = 9
SEATS = 3
SIZE = CANDLES * (1 + SEATS) + 1


def observation(state, seat):
    """Return the light of the lantern, the candles of each seat (own first) and the progress of the match."""
    hands = [_remaining_candles(state, (seat + other) % state.seats) for other in range(state.seats)]
    hands += [[0.0] * CANDLES] * (SEATS - state.seats)
    lantern = [float(light == state.lantern) for light in range(1, CANDLES + 1)]
    return [*lantern, *(candle for hand in hands for candle in hand), min(1.0, state.night / state.nights)]


def mask(state, seat):
    """Return, for each candle from 1 to 9, whether it is in the hand."""
    return [candle in state.hand for candle in range(1, CANDLES + 1)]


def answer(action):
    """Return the candle that an action lays."""
    return action + 1


def _remaining_candles(state, seat):
    burnt = {night["candles"][seat] for night in state.history}
    return [float(candle not in burnt) for candle in range(1, CANDLES + 1)]
