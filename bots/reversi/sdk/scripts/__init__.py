"""Reversi dialects: the input and output formats of scripts from other sites."""
