"""Decisions from the values of cards: which stage to enter, and which card to choose."""
