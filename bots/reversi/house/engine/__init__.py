"""Shared modules of the strong Reversi bots; a bot's upload includes those that it imports."""
