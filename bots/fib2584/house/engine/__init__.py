"""Shared modules of the 2584 house bots; a bot's upload includes those that it imports."""
