"""A policy-value network for Reversi, learned by self-play alone."""
