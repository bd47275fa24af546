"""Dialects of Reversi: the input and output of scripts from other sites."""
