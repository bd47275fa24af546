"""Stand-ins for what the miniAlphaGo course hands out, imported by their bare names.

In the jail this folder is the last one on ``sys.path``: files that a bot brings along win.
"""
