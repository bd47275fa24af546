"""A starter bot for Suit Pairs. Change it, upload it and watch it play.

Pair a card from your hand with a card of the same suit on the table: both go to your pile. You are asked for one
decision at a time, and state.legal lists what you may answer. Your bot is restarted for every deal and remembers
nothing from the previous deal. What you print goes to a log that only you can read.
"""


class AIPlayer:
    def get_move(self, state):
        """Return an action from state.legal, its number, or a name such as "10H" or "capture"."""
        print("deal", state.deal, "turn", state.turn, state.stage, "hand", state.hand, "table", state.table)
        if state.stage == "init":
            return self.choose_stage(state)
        # In all other stages, choose a card.
        return max(state.legal, key=lambda action: self.value_of(state, action.card))

    def choose_stage(self, state):
        """Capture two cards as soon as they are worth six points; otherwise pair if you can."""
        stages = [action.stage for action in state.legal]
        worth = sorted((card.points for card in state.hand), reverse=True)
        if "capture" in stages and sum(worth[:2]) >= 6:
            return "capture"
        return "pair" if "pair" in stages else state.legal[-1]

    def value_of(self, state, card):
        """Return how much you want to choose this card now."""
        if state.stage == "capture":
            return state.gain(card)
        if state.stage == "pair" and state.pending is not None:
            return state.gain(state.pending, card)
        if state.stage == "pair" and state.partners(card):
            return max(state.gain(card, other) for other in state.partners(card))
        # Swapped and discarded cards are lost: give away the cheapest.
        return -card.points
