"""Encode Suit Pairs for a network: ``state.vector``, ``state.mask`` and action numbers."""

SIZE = 384


def observation(state, seat):
    """Return seven planes of 52 cards, then 20 values; the guide lists them."""
    return state.vector


def mask(state, seat):
    """Return, for each of the 58 actions, whether it is legal."""
    return state.mask


def answer(action):
    """Return the action unchanged: 0 to 51 chooses a card, 52 to 57 enters a stage."""
    return action
