"""House bots, one folder a game and one module each; they enter by the same upload as everybody's.

A module imports the standard library only, so that it uploads as a single file. Its docstring tells
its strategy; the site shows it.
"""
