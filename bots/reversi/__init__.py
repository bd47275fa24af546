"""Reversi: the starter bot, the house bots, their training, and the analysis of matches."""
