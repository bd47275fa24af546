"""Plays one match between bots and says what happened; knows no site and no framework."""
