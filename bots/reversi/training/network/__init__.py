"""A policy-value network for Reversi, trained by self-play alone."""
