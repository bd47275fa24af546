"""A module that the fork server does not load, but that a bot can import."""
