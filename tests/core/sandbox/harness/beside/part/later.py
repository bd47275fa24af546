"""Imported by a bot, not by the fork server."""
