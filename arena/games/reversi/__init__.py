"""Reversi: rules, notation, openings and the analysis of matches."""
