"""House bots, one folder a game and one module each; they enter by the same upload as everybody's.

A module imports the standard library only, so that it uploads as a single file, or else what lies beside it by
relative imports, which its upload brings along (``arena.sandbox.uploads.module_package``). Its docstring tells its
strategy; the site shows the first sentence.
"""
