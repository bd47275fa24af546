"""Dialects of Reversi: what scripts of other sites read and print."""
