"""Ranks the house bots at tables of many."""
