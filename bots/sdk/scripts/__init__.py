"""Bots written for other sites: programs that read their standard input and print their answer.

They speak a dialect of their game, which an author can name in ``main.py`` as ``# arena: NAME``; otherwise ``detect``
determines it.
"""
