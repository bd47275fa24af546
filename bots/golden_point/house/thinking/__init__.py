"""Shared modules for the golden-point bots that learn or predict."""
