"""Bots written for other sites: programs that read their standard input and print their answer.

What they speak is a dialect of their game; an author can name it in ``main.py`` as ``# arena: NAME``. Which one it is
where nothing is written, ``detect`` finds out.
"""
