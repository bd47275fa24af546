"""A starter bot for Lanterns. Change it, upload it and watch it play.

Every night a lantern drifts by. Lay one candle from your hand: a single highest candle takes the lantern if it is
higher than the wind. What you print goes to a log that only you can read.
"""


class AIPlayer:
    def __init__(self, seat):
        # Your index in every list of the history.
        self.seat = seat

    def get_move(self, state):
        """Return the number of a candle in ``state.hand``."""
        print("night", state.night, "lantern", state.lantern, "hand", state.hand)
        # The brighter the lantern, the higher the candle.
        return min(state.hand, key=lambda candle: abs(candle - state.lantern))
