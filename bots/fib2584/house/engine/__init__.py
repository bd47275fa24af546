"""Shared modules of the house bots of 2584; a bot's upload includes those that it imports."""
