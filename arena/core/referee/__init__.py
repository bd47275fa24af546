"""Plays one match between bots and reports what happened; independent of site and framework."""
