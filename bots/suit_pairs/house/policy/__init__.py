"""The learned policy: weights, the network in NumPy, and the player."""
