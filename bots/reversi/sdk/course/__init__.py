"""Shims for the modules of the miniAlphaGo course, which bots import by their bare names.

In the jail this folder is the last one on ``sys.path``, so files that a bot includes take precedence.
"""
