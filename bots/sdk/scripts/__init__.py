"""Bots written for other sites: programs that read standard input and print their answers.

They speak a dialect of their game, which an author can name in ``main.py`` as ``# arena: NAME``; otherwise ``detect``
determines it.
"""
