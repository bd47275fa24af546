"""Bots written for other sites: programs that read standard input and print their answers.

Each script uses a dialect, the input and output format of one site. The author can name it in ``main.py`` as
``# arena: NAME``; otherwise ``detect`` determines it.
"""
