"""Short complete bots and values of the state, both shown in the guide."""
