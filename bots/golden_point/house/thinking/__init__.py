"""Shared modules of the learning and predicting bots of the golden point."""
