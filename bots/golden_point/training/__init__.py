"""Rank the house bots at large tables."""
