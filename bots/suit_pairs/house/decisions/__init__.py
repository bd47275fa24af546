"""Decisions from the value of cards: what stage to enter, and which card."""
