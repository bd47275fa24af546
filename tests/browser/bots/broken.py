"""A bot that fails its check while it is imported, with a log, a traceback and a long line of code."""

print("about to open the book")
BOOK = {"opening": "f5d6c3d3c4f4f6b4c2f3e3e6d2c5", "middle": ["a line that is far too long for a telephone"] * 3}
FIRST = BOOK["endgame"]
