"""Shims for third-party packages that bots import by their bare names; a game may add its own.

In the jail this folder is one of the last on ``sys.path``: files that a bot includes take precedence.
"""
