"""Stand-ins for modules that bots of the miniAlphaGo course import by their bare names.

In the jail this folder is the last one on ``sys.path``: files that a bot brings along win.
"""
