"""Shared modules of the strong bots of Reversi; a bot's upload includes those that it imports."""
