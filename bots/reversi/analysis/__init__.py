"""Analyse the moves of a match with the house engine."""
