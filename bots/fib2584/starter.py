"""A starter bot for 2584. Change it, upload it and watch it play.

Slide the tiles of a board with two rows and three columns. Neighbours in the Fibonacci sequence merge (1 and 2, 2 and
3, 3 and 5, ...), and so do two ones; you score the value of the merged tile. After each move a new tile drops: usually
a 1, sometimes a 2. What you print goes to a log that only you can read.
"""

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3


class AIPlayer:
    def get_move(self, state):
        """Return a direction from state.legal. state.board has the six tiles: cells 0 1 2 above 3 4 5."""
        # Keep the large tiles in one corner: slide left or up while that moves something.
        direction = next(one for one in (LEFT, UP, RIGHT, DOWN) if one in state.legal)
        print("game", state.game, "board", state.board, "played", direction)
        return direction
