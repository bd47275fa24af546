"""Pairings, standings and ratings. Pure."""
