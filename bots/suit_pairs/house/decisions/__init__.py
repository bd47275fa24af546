"""Decisions based on card values: which stage to enter, and which card to choose."""
