"""Analyse the moves of a game with the house engine."""
