"""Stand-ins for the modules of the miniAlphaGo course, imported by their bare names.

In the jail this folder is the last one on ``sys.path``: files that a bot includes take precedence.
"""
