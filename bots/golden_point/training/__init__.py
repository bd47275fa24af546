"""Ranking of the house bots at large tables."""
