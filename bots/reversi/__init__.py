"""Reversi: the starter, the house bots, their training, and the analysis of games."""
