"""Learns and evolves the weights of the house bots, and generates balanced openings."""
