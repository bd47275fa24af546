"""This package is never visible in a jail, where an empty package replaces it."""
